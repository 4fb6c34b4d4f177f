"""What a server writes to its log, one event a line."""

import json
from collections.abc import Generator

import pytest
import structlog

from boathouse.kit.serving import configure_logging


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
