"""Users: who they are, how they log in, and how a password is changed."""

import asyncio

import pytest
from sqlalchemy import update

from boathouse.control.access.passwords import hashed
from boathouse.control.database.base import now
from boathouse.control.sessions.throttle import FREE_TRIES
from boathouse.control.users import service
from boathouse.control.users.models import User
from tests.behaviour.control.control_plane import PASSWORD, ControlPlane
from tests.behaviour.control.work import Work

SECOND = "another lantern by the pier"


async def test_the_first_start_makes_an_admin_with_a_password_of_its_own(control: ControlPlane) -> None:
    told = control.told_at_login["user"]
    assert (told["name"], told["is_platform_admin"], told["must_change_password"]) == ("admin", True, True)


async def test_a_user_without_a_password_gets_one_that_is_told_once(control: ControlPlane) -> None:
    made = await control.admin.post("/users", {"name": "Ann"})
    assert made["name"] == "ann"
    ann = control.caller()
    told = await ann.log_in("ann", made["password"])
    assert told["user"]["must_change_password"]
    assert "password" not in await control.admin.get("/users/ann")


async def test_a_password_that_somebody_else_made_is_good_for_nothing_but_its_change(control: ControlPlane) -> None:
    await control.workspace("north")
    made = await control.admin.post("/users", {"name": "ann", "is_platform_admin": True})
    ann = control.caller()
    await ann.log_in("ann", made["password"])
    for method, path in (
        ("GET", "/workspaces/north"),
        ("GET", "/users"),
        ("POST", "/tokens"),
        ("POST", "/login-links"),
    ):
        refused = await ann.ask(
            method, path, {"name": "mine", "role": "admin"} if path == "/tokens" else None, status=403
        )
        assert "has to be changed" in refused["message"]
    assert (await ann.get("/me"))["must_change_password"]
    await ann.post("/me/password", {"current": made["password"], "new": SECOND}, status=204)
    await ann.get("/workspaces/north")
    await ann.post("/tokens", {"name": "mine", "role": "admin"})


async def test_a_name_is_taken_once(control: ControlPlane) -> None:
    await control.user("ann")
    error = await control.admin.post("/users", {"name": "ANN", "password": PASSWORD}, status=409)
    assert error["code"] == "conflict"


async def test_names_and_passwords_that_will_not_do_are_refused(control: ControlPlane) -> None:
    for body in ({"name": "a b"}, {"name": ""}, {"name": "x" * 101}, {"name": "ann", "email": "no"}, {"nme": "ann"}):
        await control.admin.post("/users", body, status=422)
    for password in ("short", "aaaaaaaaaaaa", "x" * 201):
        await control.admin.post("/users", {"name": "annabelle-k", "password": password}, status=400)


async def test_only_a_platform_admin_sees_and_makes_users(control: ControlPlane) -> None:
    ann = await control.user("ann")
    for method, path in (("GET", "/users"), ("GET", "/users/admin"), ("POST", "/users/admin/password")):
        error = await ann.ask(method, path, status=403)
        assert "platform admin" in error["message"]


async def test_a_disabled_user_is_out_at_once_and_may_come_back(control: ControlPlane) -> None:
    ann = await control.user("ann")
    token = (await ann.post("/tokens", {"name": "mine"}))["secret"]
    await control.admin.ask("PATCH", "/users/ann", {"disabled": True})
    await ann.get("/me", status=401)
    await control.caller(token).get("/me", status=401)
    await control.caller().log_in("ann", status=401)
    await control.admin.ask("PATCH", "/users/ann", {"disabled": False})
    await control.caller().log_in("ann")


async def test_the_tokens_of_a_disabled_user_end_for_good(control: ControlPlane) -> None:
    ann, bob = await control.user("ann"), await control.user("bob")
    tokens = [(await caller.post("/tokens", {"name": "mine"}))["secret"] for caller in (ann, bob)]
    for disabled in (True, False):
        await control.admin.ask("PATCH", "/users/ann", {"disabled": disabled})
    await control.caller(tokens[0]).get("/me", status=401)
    await control.caller(tokens[1]).get("/me")
    assert await control.admin.get("/users/ann/tokens") == []


async def test_tokens_that_a_user_had_when_disabled_do_not_come_back_with_them(control: ControlPlane) -> None:
    """Those that were made in the same moment, or when disabling a user did not end them."""
    ann = await control.user("ann")
    token = (await ann.post("/tokens", {"name": "mine"}))["secret"]
    async with control.database.changing() as session:
        await session.execute(update(User).where(User.name == "ann").values(disabled_at=now()))
    await control.admin.ask("PATCH", "/users/ann", {"disabled": False})
    await control.caller(token).get("/me", status=401)


async def test_what_is_not_said_of_a_user_stays(control: ControlPlane) -> None:
    ann = await control.user("ann")
    await control.admin.ask("PATCH", "/users/ann", {"disabled": False})
    await ann.get("/me")
    await control.admin.ask("PATCH", "/users/ann", {"disabled": True})
    disabled = await control.admin.ask("PATCH", "/users/ann", {"display_name": "Ann", "disabled": None})
    again = await control.admin.ask("PATCH", "/users/ann", {"disabled": True})
    assert disabled["display_name"] == "Ann"
    assert again["disabled_at"] == disabled["disabled_at"] is not None


async def test_the_last_platform_admin_stays(control: ControlPlane) -> None:
    for change in ({"disabled": True}, {"is_platform_admin": False}):
        error = await control.admin.ask("PATCH", "/users/admin", change, status=409)
        assert "only platform admin" in error["message"]
    await control.user("ann")
    await control.admin.ask("PATCH", "/users/ann", {"is_platform_admin": True})
    await control.admin.ask("PATCH", "/users/admin", {"is_platform_admin": False})


async def test_of_two_platform_admins_who_put_each_other_out_one_stays(control: ControlPlane) -> None:
    admins = {"admin": control.admin, "bob": await control.user("bob")}
    await control.admin.ask("PATCH", "/users/bob", {"is_platform_admin": True})
    for _ in range(8):
        paths = {who: f"/api/v1/users/{other}" for who, other in (("admin", "bob"), ("bob", "admin"))}
        no_more = {"is_platform_admin": False}
        await asyncio.gather(*(admins[who].http.patch(path, json=no_more) for who, path in paths.items()))
        standing = {who: (await caller.get("/me"))["is_platform_admin"] for who, caller in admins.items()}
        assert sorted(standing.values()) == [False, True]
        left = "admin" if standing["admin"] else "bob"
        await admins[left].ask("PATCH", paths[left].removeprefix("/api/v1"), {"is_platform_admin": True})


async def test_a_change_of_password_ends_the_other_sessions_and_no_token(control: ControlPlane) -> None:
    ann, elsewhere = await control.user("ann"), control.caller()
    await elsewhere.log_in("ann")
    token = (await ann.post("/tokens", {"name": "mine"}))["secret"]
    await ann.post("/me/password", {"current": "wrong", "new": SECOND}, status=403)
    await ann.post("/me/password", {"current": PASSWORD, "new": PASSWORD}, status=400)
    await ann.post("/me/password", {"current": PASSWORD, "new": SECOND}, status=204)
    await ann.get("/me")
    await elsewhere.get("/me", status=401)
    await control.caller(token).get("/me")
    await control.caller().log_in("ann", PASSWORD, status=401)
    await control.caller().log_in("ann", SECOND)


async def test_guesses_at_the_current_password_make_the_next_wait_as_at_a_login(control: ControlPlane) -> None:
    ann = await control.user("ann")
    for _ in range(FREE_TRIES["name"]):
        await ann.post("/me/password", {"current": "a guess at it", "new": SECOND}, status=403)
    for current in ("a guess at it", PASSWORD):
        error = await ann.post("/me/password", {"current": current, "new": SECOND}, status=429)
        assert error["retry_after"] > 0
    await control.caller().log_in("ann", status=429)
    noted = (await control.admin.get("/audit", params={"action": "me.change-password"}))["items"]
    assert [one["result"] for one in noted] == ["too-many-requests"] * 2 + ["forbidden"] * FREE_TRIES["name"]


async def test_nobody_waits_while_a_password_is_hashed(control: ControlPlane, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = await control.user("ann")

    async def hashed_meanwhile(password: str) -> str:
        await control.admin.ask("PATCH", "/users/ann", {"display_name": "Ann"})
        return await hashed(password)

    monkeypatch.setattr(service, "hashed", hashed_meanwhile)
    await ann.post("/me/password", {"current": PASSWORD, "new": SECOND}, status=204)
    assert (await ann.get("/me"))["display_name"] == "Ann"


async def test_a_lost_password_is_set_anew_by_an_admin(control: ControlPlane) -> None:
    ann = await control.user("ann")
    token = (await ann.post("/tokens", {"name": "mine"}))["secret"]
    made = await control.admin.post("/users/ann/password", status=200)
    await ann.get("/me", status=401)
    await control.caller(token).get("/me", status=401)
    told = await control.caller().log_in("ann", made["password"])
    assert told["user"]["must_change_password"]


async def test_users_come_in_pages(control: ControlPlane) -> None:
    for number in range(4):
        await control.admin.post("/users", {"name": f"user-{number}", "password": PASSWORD})
    first = await control.admin.get("/users", params={"limit": 3})
    rest = await control.admin.get("/users", params={"limit": 3, "cursor": first["next"]})
    names = [user["name"] for user in first["items"] + rest["items"]]
    assert names == ["admin", "user-0", "user-1", "user-2", "user-3"]
    assert rest["next"] is None


async def test_users_are_searched_and_their_last_login_is_known(control: ControlPlane) -> None:
    await control.admin.post("/users", {"name": "bob", "display_name": "Robert Oar", "password": PASSWORD})
    await control.user("ann")
    found = (await control.admin.get("/users", params={"text": "OAR"}))["items"]
    assert [(one["name"], one["last_login_at"], one["has_password"]) for one in found] == [("bob", None, True)]
    assert (await control.admin.get("/users/ann"))["last_login_at"] is not None
    assert (await control.admin.get("/users", params={"text": "%"}))["items"] == []


async def test_who_has_the_longest_name_can_do_all_that_others_can(control: ControlPlane) -> None:
    name = "n" * 100
    await control.workspace("north")
    work = Work(control)
    work.caller = await control.user(name, north="editor")
    await work.job()
    run = await work.submit()
    stopped = await work.stop(run)
    assert (run["requested_by"], stopped["error"]) == (name, f"Stopped by {name}.")
    versions = await work.caller.get("/workspaces/north/jobs/daily/versions")
    assert [one["made_by"] for one in versions["items"]] == [name]
    query = await work.caller.ask("PUT", "/workspaces/north/saved-queries/all", {"sql": "SELECT 1"})
    assert query["saved_by"] == name


async def test_a_new_password_lets_in_whom_others_guesses_keep_waiting(control: ControlPlane) -> None:
    await control.user("ann")
    guesser, ann = control.caller(address="10.0.0.66"), control.caller(address="10.0.0.7")
    for _ in range(FREE_TRIES["name"] + 1):
        await guesser.http.post("/api/v1/login", json={"name": "ann", "password": "a guess in the dark"})
    await ann.log_in("ann", status=429)
    made = await control.admin.post("/users/ann/password", status=200)
    await ann.log_in("ann", made["password"])
