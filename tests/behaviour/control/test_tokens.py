"""Tokens: told once, good for a time, and never for more than they were made for."""

from datetime import timedelta

import pytest

from boathouse.control.database.base import now
from boathouse.control.tokens.models import Token
from tests.behaviour.control.control_plane import ControlPlane


async def test_a_token_is_told_once_and_kept_as_a_hash(control: ControlPlane) -> None:
    made = await control.admin.post("/tokens", {"name": "ci"})
    assert made["secret"].startswith("bh_")
    assert "secret" not in (await control.admin.get("/tokens"))[0]
    async with control.database.reading() as work:
        assert made["secret"] not in (await work.get_one(Token, made["id"])).secret_hash
    assert (await control.caller(made["secret"]).get("/me"))["name"] == "admin"
    assert (await control.admin.get("/tokens"))[0]["last_used_at"] is not None


async def test_a_token_ends_when_it_says_and_when_it_is_revoked(control: ControlPlane) -> None:
    made = await control.admin.post("/tokens", {"name": "ci", "days": 1})
    async with control.database.changing() as work:
        (await work.get_one(Token, made["id"])).expires_at = now() - timedelta(seconds=1)
    await control.caller(made["secret"]).get("/me", status=401)
    other = await control.admin.post("/tokens", {"name": "ci"})
    await control.admin.ask("DELETE", f"/tokens/{other['id']}", status=204)
    await control.caller(other["secret"]).get("/me", status=401)
    await control.admin.ask("DELETE", f"/tokens/{other['id']}", status=404)


async def test_a_token_may_no_more_than_its_role(control: ControlPlane) -> None:
    await control.workspace("north")
    secret = (await control.admin.post("/tokens", {"name": "ci", "role": "viewer"}))["secret"]
    program = control.caller(secret)
    assert (await program.get("/workspaces/north"))["role"] == "viewer"
    error = await program.ask("PATCH", "/workspaces/north", {"description": "x"}, status=403)
    assert "viewer in north" in error["message"]
    assert "takes the role admin" in error["message"]
    await program.get("/users", status=403)
    await program.post("/tokens", {"name": "more", "role": "admin"}, status=403)
    await program.post("/me/password", {"current": "x", "new": "y"}, status=403)


async def test_a_token_for_a_workspace_opens_no_other(control: ControlPlane) -> None:
    for name in ("north", "south"):
        await control.workspace(name)
    body = {"name": "ci", "role": "admin", "workspace": "north"}
    program = control.caller((await control.admin.post("/tokens", body))["secret"])
    assert [one["name"] for one in (await program.get("/workspaces"))["items"]] == ["north"]
    await program.get("/workspaces/south", status=404)
    await program.get("/users", status=403)
    await program.post("/tokens", {"name": "wider", "role": "viewer"}, status=403)


async def test_a_token_that_a_token_makes_ends_with_it(control: ControlPlane) -> None:
    made = await control.admin.post("/tokens", {"name": "ci", "role": "admin", "days": 1})
    child = await control.caller(made["secret"]).post("/tokens", {"name": "longer", "role": "admin", "days": 366})
    assert child["expires_at"] == made["expires_at"]
    grandchild = await control.caller(child["secret"]).post("/tokens", {"name": "longest", "days": 366})
    assert grandchild["expires_at"] == made["expires_at"]


async def test_a_token_revokes_itself_and_what_may_do_no_more(control: ControlPlane) -> None:
    for name in ("north", "south"):
        await control.workspace(name)
    bodies = [
        {"role": "admin"},
        {"role": "viewer"},
        *({"role": "viewer", "workspace": name} for name in ("north", "south")),
    ]
    wide, narrow, north, south = [await control.admin.post("/tokens", {"name": "ci", **body}) for body in bodies]
    for weaker, stronger in ((narrow, wide), (north, narrow), (north, south)):
        error = await control.caller(weaker["secret"]).ask("DELETE", f"/tokens/{stronger['id']}", status=403)
        assert "may do more" in error["message"]
    for revoking, revoked in ((north, north), (narrow, south), (wide, narrow), (wide, wide)):
        await control.caller(revoking["secret"]).ask("DELETE", f"/tokens/{revoked['id']}", status=204)
    assert await control.admin.get("/tokens") == []


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": "x", "days": 0}, {"name": "x", "role": "king"}])
async def test_a_token_that_makes_no_sense_is_refused(control: ControlPlane, body: dict[str, object]) -> None:
    await control.admin.post("/tokens", body, status=422)


async def test_nobody_touches_the_tokens_of_others(control: ControlPlane) -> None:
    ann = await control.user("ann")
    made = await control.admin.post("/tokens", {"name": "ci"})
    await ann.ask("DELETE", f"/tokens/{made['id']}", status=404)
    assert await ann.get("/tokens") == []
    await ann.post("/tokens", {"name": "x", "workspace": "nowhere"}, status=404)


async def test_a_platform_admin_lists_and_revokes_the_tokens_of_a_user(control: ControlPlane) -> None:
    ann = await control.user("ann")
    made, other = [await ann.post("/tokens", {"name": name}) for name in ("leaked", "other")]
    told = await control.admin.get("/users/ann/tokens")
    assert [(one["id"], one["name"]) for one in told] == [(made["id"], "leaked"), (other["id"], "other")]
    assert all("secret" not in one for one in told)
    await control.admin.ask("DELETE", f"/users/ann/tokens/{made['id']}", status=204)
    await control.caller(made["secret"]).get("/me", status=401)
    await control.caller(other["secret"]).get("/me")
    await control.admin.ask("DELETE", f"/users/ann/tokens/{made['id']}", status=404)
    noted = (await control.admin.get("/audit", params={"action": "token.revoke-of-user"}))["items"]
    assert [(one["result"], one["target"]) for one in noted] == [
        ("not-found", f"token {made['id']}"),
        ("done", f"token {made['id']}"),
    ]
    assert noted[1]["details"] == {"user": "ann", "name": "leaked"}


async def test_only_a_platform_admin_touches_the_tokens_of_a_user(control: ControlPlane) -> None:
    ann, _ = await control.user("ann"), await control.user("bob")
    made = await ann.post("/tokens", {"name": "mine"})
    lesser = control.caller((await control.admin.post("/tokens", {"name": "ci", "role": "editor"}))["secret"])
    for caller in (ann, lesser):
        await caller.get("/users/ann/tokens", status=403)
        await caller.ask("DELETE", f"/users/ann/tokens/{made['id']}", status=403)
    for user in ("bob", "nobody"):
        await control.admin.ask("DELETE", f"/users/{user}/tokens/{made['id']}", status=404)
    await control.admin.get("/users/nobody/tokens", status=404)
    await control.caller(made["secret"]).get("/me")
