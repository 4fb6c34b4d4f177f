"""Which server is meant, and where logins are kept."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from boathouse.client.logins import Login, Logins
from boathouse.client.servers import find_server
from boathouse.kit.access import LakeAccess
from boathouse.kit.errors import ConfigurationError, NotFound, Unavailable

PROD = Login(url="https://prod.example.org", user="ann", token=SecretStr("bh_prod"), token_id="1")


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of whoever runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("BOATHOUSE_HOME", str(tmp_path / "home"))
    for name in ("BOATHOUSE_CONTROL_URL", "BOATHOUSE_CONTROL_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def logged_in() -> Logins:
    return Logins.load().with_login("prod", PROD).save()


def lakehouse(home: Path, *, control: bool = True) -> None:
    store = {"endpoint": "http://s3", "region": "r", "bucket": "b", "access_key": "k", "secret_key": "s"}
    access = {
        "object_store": store,
        "catalog": {"uri": "http://catalog", "warehouse": "lake", "token": "t"},
        "spark": {"remote": "sc://localhost:1", "token": "t", "catalog": "lake"},
        "control": {"uri": "http://127.0.0.1:8090", "token": "bh_local"} if control else None,
    }
    LakeAccess.model_validate(access).save(home)


def test_logins_are_their_owners_alone_and_do_not_print() -> None:
    logged_in()
    assert Logins.path().stat().st_mode & 0o777 == 0o600
    assert Logins.load().servers["prod"].token.get_secret_value() == "bh_prod"
    assert "bh_prod" not in f"{Logins.load()!r}"


def test_a_login_is_what_is_used_from_then_on(own_places: Path) -> None:
    lakehouse(own_places / "home")
    assert find_server().name == "local"
    logged_in()
    found = find_server()
    assert (found.name, found.url, found.token.get_secret_value()) == ("prod", PROD.url, "bh_prod")


def test_the_server_that_is_named_comes_first(own_places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lakehouse(own_places / "home")
    logged_in()
    monkeypatch.setenv("BOATHOUSE_CONTROL_URL", "http://elsewhere")
    monkeypatch.setenv("BOATHOUSE_CONTROL_TOKEN", "bh_env")
    assert find_server("local").url == "http://127.0.0.1:8090"
    assert find_server("prod").url == PROD.url
    assert find_server(PROD.url).name == "prod"
    assert find_server().token.get_secret_value() == "bh_env"


def test_half_of_an_environment_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOATHOUSE_CONTROL_URL", "http://elsewhere")
    with pytest.raises(ConfigurationError, match="BOATHOUSE_CONTROL_TOKEN is not"):
        find_server()


def test_who_logs_out_is_back_at_the_local_lakehouse(own_places: Path) -> None:
    lakehouse(own_places / "home")
    logged_in().with_workspace("prod", "north").without("prod").save()
    assert find_server().token.get_secret_value() == "bh_local"
    assert Logins.load().workspaces == {}


def test_a_server_nobody_knows_names_those_that_are() -> None:
    logged_in()
    with pytest.raises(NotFound, match="'staging'") as caught:
        find_server("staging")
    assert caught.value.hint is not None
    assert "local, prod" in caught.value.hint


def test_a_lakehouse_that_does_not_run_says_how_to_start_it() -> None:
    with pytest.raises(Unavailable, match="is not running"):
        find_server()


def test_a_lakehouse_without_a_control_plane_is_said_so(own_places: Path) -> None:
    lakehouse(own_places / "home", control=False)
    with pytest.raises(Unavailable, match="without a control plane"):
        find_server()


def test_a_damaged_file_is_reported_and_gives_no_secret_away() -> None:
    logged_in()
    path = Logins.path()
    path.write_text(path.read_text().replace('"url"', '"address"'))
    with pytest.raises(ConfigurationError, match="is damaged") as caught:
        Logins.load()
    assert "bh_prod" not in f"{caught.value} {caught.value.hint}"
