"""What `boathouse config` tells about the settings."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from boathouse.cli.config import config, places, shown
from boathouse.kit.errors import ConfigurationError


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory without settings of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BOATHOUSE_CONFIG", raising=False)
    monkeypatch.setenv("BOATHOUSE_HOME", str(tmp_path / "home"))
    return tmp_path


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    config(as_json=True)
    return json.loads(capsys.readouterr().out)


def test_every_setting_has_a_value_an_origin_and_a_meaning(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = told(capsys)["settings"]
    assert {"home", "spark.memory", "object_store.secret_key"} <= {setting["name"] for setting in settings}
    assert all(setting["origin"] and setting["description"] for setting in settings)


def test_the_origin_is_the_variable_the_file_or_the_default(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = place / "boathouse.toml"
    file.write_text('[spark]\nmemory = "3g"\nmaster = "local[1]"\n')
    monkeypatch.setenv("BOATHOUSE_SPARK__MASTER", "local[2]")
    settings = {setting["name"]: (setting["value"], setting["origin"]) for setting in told(capsys)["settings"]}
    assert settings["spark.master"] == ("local[2]", "BOATHOUSE_SPARK__MASTER")
    assert settings["spark.memory"] == ("3g", str(file))
    assert settings["stack.profile"] == ("core", "default")


def test_secrets_are_starred_out(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOATHOUSE_OBJECT_STORE__SECRET_KEY", "hush")
    config(as_json=True)
    config(as_json=False)
    out = capsys.readouterr().out
    assert "hush" not in out
    assert "***" in out


def test_so_are_secrets_among_further_spark_properties() -> None:
    assert shown({"spark.x.password": "hush", "spark.y": "1"}) == {"spark.x.password": "***", "spark.y": "1"}
    assert shown(SecretStr("hush")) == "***"


def test_the_file_that_was_read_is_named(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "boathouse.toml").write_text("")
    config(as_json=False)
    assert f"Read from {place / 'boathouse.toml'}" in capsys.readouterr().err


def test_without_a_file_every_place_looked_in_is_named(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys)["file"] is None
    config(as_json=False)
    notice = capsys.readouterr().err
    assert all(str(directory / "boathouse.toml") in notice for directory in (place, *place.parents))


def test_a_file_named_by_the_variable_is_the_only_place(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOATHOUSE_CONFIG", "/etc/own.toml")
    assert places() == [Path("/etc/own.toml")]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("BOATHOUSE_SPARK__MEMORY", "lots", "such as 2g"),
        ("BOATHOUSE_SPARK__MEMMORY", "2g", "did you mean BOATHOUSE_SPARK__MEMORY?"),
        ("BOATHOUSE_SPARK__CONF", "x=1", "is not JSON"),
        ("BOATHOUSE_CONFIG", "/nowhere/own.toml", "/nowhere/own.toml"),
    ],
)
def test_settings_are_shown_while_one_is_wrong_and_then_it_is_named(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match=re.escape(told)) as caught:
        config(as_json=False)
    assert "boathouse config" not in (caught.value.hint or "")
    assert "stack.profile" in capsys.readouterr().out


def test_a_wrong_value_is_marked_where_it_came_from(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOATHOUSE_SPARK__MEMORY", "lots")
    with pytest.raises(ConfigurationError):
        config(as_json=False)
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("spark.memory"))
    assert line.split()[1:4] == ["lots", "BOATHOUSE_SPARK__MEMORY", "(wrong)"]
