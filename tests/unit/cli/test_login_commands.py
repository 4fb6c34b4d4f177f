"""Which servers there are, as the command line tells it."""

from pathlib import Path
from typing import Any

from pydantic import SecretStr

from boathouse.client.logins import Login, Logins
from boathouse.kit.access import LakeAccess
from tests.integration.control_commands import Machine
from tests.unit.client.small_server import SmallServer

ME: dict[str, Any] = {
    "id": "u-1",
    "name": "admin",
    "display_name": "",
    "email": None,
    "is_platform_admin": True,
    "must_change_password": False,
    "created_at": "2026-01-02T03:04:05Z",
    "disabled_at": None,
}


def lakehouse(machine: Machine, url: str) -> None:
    """As one that runs leaves it in its home."""
    access = {
        "object_store": {"endpoint": "http://s3", "region": "r", "bucket": "b", "access_key": "k", "secret_key": "s"},
        "catalog": {"uri": "http://catalog", "warehouse": "lake", "token": "t"},
        "spark": {"remote": "sc://localhost:1", "token": "t", "catalog": "lake"},
        "control": {"uri": url, "token": "bh_local"},
    }
    LakeAccess.model_validate(access).save(machine.directory / "home")


def test_the_local_lakehouse_is_listed_with_where_it_is_and_who_one_is(server: SmallServer, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    lakehouse(machine, server.url)
    server.tells(ME)
    (local,) = machine.told("server", "list")
    assert (local["name"], local["url"], local["user"]) == ("local", server.url, "admin")


def test_a_lakehouse_that_does_not_run_is_listed_without(tmp_path: Path) -> None:
    (local,) = Machine(tmp_path).told("server", "list")
    assert (local["name"], local["url"], local["user"]) == ("local", None, None)


def test_a_workspace_that_is_deleted_is_in_use_only_where_it_is_another() -> None:
    login = Login(url="https://prod.example.org", user="ann", token=SecretStr("bh_prod"))
    logins = Logins(servers={"prod": login}, workspaces={"prod": "north", "test": "north", "dev": "south"})
    assert logins.without_workspace("prod", "north").workspaces == {"test": "north", "dev": "south"}
    assert logins.without_workspace("dev", "north") == logins
