"""What a server writes to its log, one event a line."""

import json
import subprocess
import sys
from collections.abc import Generator
from subprocess import PIPE

import pytest
import structlog

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.serving import checked_proxies, configure_logging, listen


@pytest.fixture(autouse=True)
def _own_logging() -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    yield
    structlog.reset_defaults()


@pytest.mark.parametrize("value", ["ü", "\ud800", 2**70, {"a": (1, None)}], ids=["text", "half", "large", "nested"])
def test_a_line_of_the_log_is_json_whatever_is_in_it(capsysbinary: pytest.CaptureFixture[bytes], value: object) -> None:
    configure_logging()
    structlog.get_logger().info("it happened", value=value)
    (line,) = capsysbinary.readouterr().out.splitlines()
    told = json.loads(line)
    assert (told["event"], told["level"]) == ("it happened", "info")
    assert told["value"] == json.loads(json.dumps(value))


def test_what_is_no_json_is_told_by_its_text(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    configure_logging()
    structlog.get_logger().info("it happened", value=ValueError("why"))
    assert json.loads(capsysbinary.readouterr().out)["value"] == "ValueError('why')"


def test_a_log_that_nobody_reads_any_more_stops_nobody() -> None:
    program = (
        "import sys, structlog; from boathouse.kit.serving import configure_logging; configure_logging()\n"
        "log = structlog.get_logger()\n"
        "for number in range(3): log.info('it happened'); sys.stdin.readline()"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdin and process.stdout and process.stderr  # noqa: PT018
        assert process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"\n\n\n")
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("host", "port", "hint"),
    [("127.0.0.1", 99_999, "--port"), ("203.0.113.9", 0, "--host"), ("no.such.host", 0, "--host")],
)
def test_where_nothing_can_listen_what_to_change_is_said(host: str, port: int, hint: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        listen(host, port)
    assert hint in str(refused.value.hint)


def test_what_is_no_address_is_no_proxy() -> None:
    assert checked_proxies(["10.0.0.7", "10.0.0.0/8", "::1"]) == ("10.0.0.7", "10.0.0.0/8", "::1")
    for wrong in ("*", "proxy.example.org", "10.0.0.7/8"):
        with pytest.raises(ConfigurationError, match="is no address of a proxy"):
            checked_proxies([wrong])
