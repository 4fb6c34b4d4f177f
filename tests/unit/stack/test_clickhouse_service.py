from pathlib import Path
from xml.etree import ElementTree as ET

import httpx
import pytest
from structlog.testing import capture_logs

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.plan import lake_access
from boathouse.stack.profiles import services_of
from boathouse.stack.service import Impaired, NotReady, Site
from boathouse.stack.services.clickhouse import ClickHouse
from boathouse.stack.services.clickhouse_config import server_config

PORTS = {"object-store": 1, "catalog": 2, "spark": 3, "spark.ui": 4, "clickhouse": 8123}


def site(home: Path, **clickhouse: object) -> Site:
    settings = Settings.model_validate({"home": home, "clickhouse": clickhouse})
    place = Home(home)
    return Site(settings, place, PORTS, lake_access(settings, place, PORTS), {})


def test_a_program_is_started_and_the_password_is_on_no_command_line(tmp_path: Path) -> None:
    program = tmp_path / "clickhouse"
    program.touch()
    service = ClickHouse(site(tmp_path / "home", program=program))
    service.prepare()
    config = tmp_path / "home" / "config" / "clickhouse" / "config.xml"
    assert service.command() == [str(program), "server", f"--config-file={config}"]
    assert config.stat().st_mode & 0o777 == 0o600
    assert service.environment() == {}


def test_without_one_the_engine_is_embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    here = site(tmp_path, memory="300m")
    service = ClickHouse(here)
    assert service.command()[1:] == ["-m", "boathouse.stack.embedded_clickhouse"]
    told = service.environment()
    assert told["EMBEDDED_CLICKHOUSE_MEMORY_BYTES"] == str(300 << 20)
    assert here.lake.clickhouse is not None
    assert told["EMBEDDED_CLICKHOUSE_PASSWORD"] == here.lake.clickhouse.password.get_secret_value()


def _program(folder: Path) -> Path:
    program = folder / "clickhouse"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


def _began_with(home: Path, which: str) -> None:
    files = home / "data" / "clickhouse" / which
    files.mkdir(parents=True)
    (files / "uuid").touch()


def test_a_home_that_began_with_the_engine_stays_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _program(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    home = tmp_path / "home"
    assert ClickHouse(site(home)).command()[0] == str(program)
    _began_with(home, "embedded")
    service = ClickHouse(site(home))
    with capture_logs() as said:
        service.prepare()
    assert service.command()[1:] == ["-m", "boathouse.stack.embedded_clickhouse"]
    assert [line["unused"] for line in said] == [str(program)]
    with pytest.raises(ConfigurationError, match="are of the embedded engine"):
        ClickHouse(site(home, program=program)).command()


def test_a_home_that_began_with_the_program_does_not_begin_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    _began_with(tmp_path / "home", "server")
    with pytest.raises(ConfigurationError, match="are of the program `clickhouse`"):
        ClickHouse(site(tmp_path / "home")).prepare()
    program = _program(tmp_path)
    assert ClickHouse(site(tmp_path / "home")).command()[0] == str(program)


def test_a_program_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"clickhouse\.program"):
        ClickHouse(site(tmp_path, program=tmp_path / "none")).command()


def test_a_server_elsewhere_is_used(tmp_path: Path) -> None:
    given = {"uri": "https://ch.example.org:8443/", "user": "u", "password": "p"}
    settings = Settings.model_validate({"home": tmp_path, "clickhouse": given})
    assert ClickHouse not in services_of("stream", settings)
    access = lake_access(settings, Home(tmp_path), {name: port for name, port in PORTS.items() if name != "clickhouse"})
    assert access.clickhouse is not None
    assert (access.clickhouse.uri, access.clickhouse.user) == ("https://ch.example.org:8443", "u")
    assert "'p'" not in repr(access)


def test_a_server_elsewhere_needs_a_login(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="user and password"):
        site(tmp_path, uri="http://ch.example.org:8123")


def test_the_programs_configuration_has_one_user_on_loopback() -> None:
    text = server_config(port=8123, user="boathouse", password="p<&>w", data=Path("/d & e"), memory=1)
    tree = ET.fromstring(text)
    assert [user.tag for user in tree.find("users") or ()] == ["boathouse"]
    assert tree.findtext("listen_host") == "127.0.0.1"
    assert tree.findtext("path") == "/d & e/"
    assert "p<&>w" not in text


@pytest.mark.parametrize(
    ("code", "problem"), [("202", Impaired), ("241", Impaired), ("439", Impaired), ("999", NotReady)]
)
def test_a_busy_one_is_not_ill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, problem: type[NotReady]
) -> None:
    told = httpx.Response(500, headers={"X-ClickHouse-Exception-Code": code}, text="told so")
    monkeypatch.setattr("boathouse.stack.services.clickhouse.httpx.post", lambda *_, **__: told)  # pyright: ignore[reportUnknownLambdaType]
    with pytest.raises(NotReady, match="told so") as raised:
        ClickHouse(site(tmp_path)).check()
    assert type(raised.value) is problem
