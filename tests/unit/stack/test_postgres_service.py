"""Where the Postgres that is followed is: one of ours, or one that is there already."""

from pathlib import Path

import pytest

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.plan import lake_access
from boathouse.stack.profiles import services_of
from boathouse.stack.services.postgres import Postgres

_ELSEWHERE = {"object-store": 1, "catalog": 2, "spark": 3, "spark.ui": 4}
_PORTS = {**_ELSEWHERE, "postgres": 5432}


def _settings(home: Path, **given: object) -> Settings:
    return Settings.model_validate({"home": home, "postgres": given})


def test_a_server_elsewhere_is_followed(tmp_path: Path) -> None:
    settings = _settings(tmp_path, host="db.example.org", user="u", password="p", database="power", sslmode="require")
    assert Postgres not in services_of("stream", settings)
    access = lake_access(settings, Home(tmp_path), _ELSEWHERE).postgres
    assert access is not None
    client = access.client()
    assert client.pop("password") == "p"
    expected = {"host": "db.example.org", "port": 5432, "user": "u", "database": "power", "ssl": "require"}
    assert client == expected
    assert "'p'" not in repr(access)


def test_a_server_elsewhere_needs_a_login(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="user and password"):
        lake_access(_settings(tmp_path, host="db.example.org"), Home(tmp_path), _ELSEWHERE)


def test_our_own_is_on_this_machine_alone(tmp_path: Path) -> None:
    settings = _settings(tmp_path)
    assert Postgres in services_of("stream", settings)
    access = lake_access(settings, Home(tmp_path), _PORTS).postgres
    assert access is not None
    assert (access.host, access.port, access.sslmode) == ("127.0.0.1", 5432, "disable")
