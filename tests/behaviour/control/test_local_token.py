"""The token of a lakehouse on one machine: no password is told, and the file is the platform admin."""

from pathlib import Path

import pytest

from boathouse.control.database import Database
from boathouse.control.database.base import now
from boathouse.control.tokens import local
from boathouse.control.tokens.models import LOCAL_ID, Token
from boathouse.control.users.service import first_admin
from boathouse.kit.errors import ConfigurationError
from tests.behaviour.control.control_plane import PASSWORD, ControlPlane


async def test_the_first_admin_has_no_password_but_the_token(database: Database, tmp_path: Path) -> None:
    assert await first_admin(database, with_password=False) is None
    await local.ensure(database, local.kept_token(tmp_path / "token"))
    control = ControlPlane(database)
    await control.caller().log_in("admin", "", status=401)
    caller = control.caller((tmp_path / "token").read_text())
    assert (await caller.get("/me"))["is_platform_admin"]
    password = (await caller.post("/users/admin/password", status=200))["password"]
    await control.caller().log_in("admin", password)


async def test_each_start_finds_the_same_token_and_notes_it_once(database: Database, tmp_path: Path) -> None:
    await first_admin(database, with_password=False)
    for _ in range(2):
        await local.ensure(database, local.kept_token(tmp_path / "token"))
    caller = ControlPlane(database).caller(local.kept_token(tmp_path / "token"))
    (entry,) = (await caller.get("/audit", params={"action": "token"}))["items"]
    assert (entry["action"], entry["user_name"], entry["target"]) == ("token.make-local", "admin", "token local")
    assert (await caller.get("/audit/verify"))["holds"]


async def test_a_file_that_was_lost_is_made_anew_and_the_old_token_is_worth_nothing(
    database: Database, tmp_path: Path
) -> None:
    await first_admin(database, with_password=False)
    before = local.kept_token(tmp_path / "token")
    await local.ensure(database, before)
    (tmp_path / "token").unlink()
    await local.ensure(database, local.kept_token(tmp_path / "token"))
    control = ControlPlane(database)
    await control.caller(before).get("/me", status=401)
    await control.caller(local.kept_token(tmp_path / "token")).get("/me")


async def test_a_token_that_was_revoked_or_ran_out_is_good_again_after_a_start(database: Database) -> None:
    await first_admin(database, with_password=False)
    await local.ensure(database, "bh_local")
    caller = ControlPlane(database).caller("bh_local")
    await caller.ask("DELETE", "/tokens/local", status=204)
    await caller.get("/me", status=401)
    await local.ensure(database, "bh_local")
    async with database.changing() as session:
        (await session.get_one(Token, LOCAL_ID)).expires_at = now()
    await caller.get("/me", status=401)
    await local.ensure(database, "bh_local")
    await caller.get("/me")


async def test_it_is_another_admins_where_the_first_is_disabled(control: ControlPlane) -> None:
    await local.ensure(control.database, "bh_local")
    await control.admin.post("/users", {"name": "ann", "password": PASSWORD, "is_platform_admin": True})
    await control.admin.ask("PATCH", "/users/admin", {"disabled": True})
    caller = control.caller("bh_local")
    await caller.get("/me", status=401)
    await local.ensure(control.database, "bh_local")
    assert (await caller.get("/me"))["name"] == "ann"


async def test_it_is_good_again_with_its_user_and_outlives_a_reset(control: ControlPlane) -> None:
    await local.ensure(control.database, "bh_local")
    ann = await control.user("ann")
    await control.admin.ask("PATCH", "/users/ann", {"is_platform_admin": True})
    for disabled in (True, False):
        await ann.ask("PATCH", "/users/admin", {"disabled": disabled})
    await ann.post("/users/admin/password", status=200)
    await control.caller("bh_local").get("/me")


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    secret = local.kept_token(tmp_path / "secrets" / "token")
    assert (tmp_path / "secrets" / "token").stat().st_mode & 0o777 == 0o600
    assert local.kept_token(tmp_path / "secrets" / "token") == secret


def test_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "token"
    local.kept_token(path)
    path.chmod(0o640)
    with pytest.raises(ConfigurationError, match="Others may read") as caught:
        local.kept_token(path)
    assert path.read_text() not in f"{caught.value} {caught.value.hint}"


def test_an_empty_file_lets_nobody_in(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.touch(0o600)
    with pytest.raises(ConfigurationError, match="is empty"):
        local.kept_token(path)
