"""Workspaces: members and their roles, quotas, and what strangers see of them: nothing."""

import asyncio

import pytest

from boathouse.control.access.roles import Role
from tests.behaviour.control.control_plane import ControlPlane, Json

QUOTAS = {"runs": 3, "cores": 4, "memory_mb": 4096}


async def test_a_workspace_has_quotas_and_defaults(control: ControlPlane) -> None:
    made = await control.admin.post("/workspaces", {"name": "north", "quotas": QUOTAS, "defaults": {"retries": 2}})
    assert made["quotas"] == QUOTAS
    assert made["defaults"] == {"retries": 2, "timeout_seconds": None}
    assert made["role"] == "admin"
    assert await control.admin.get("/workspaces/north") == made


async def test_a_change_leaves_what_it_does_not_name(control: ControlPlane) -> None:
    defaults = {"retries": 2, "timeout_seconds": 60}
    await control.admin.post("/workspaces", {"name": "north", "quotas": QUOTAS, "defaults": defaults})

    async def changed(**wanted: object) -> tuple[Json, Json]:
        told = await control.admin.ask("PATCH", "/workspaces/north", wanted)
        return told["quotas"], told["defaults"]

    assert await changed(quotas={"runs": 20}) == ({**QUOTAS, "runs": 20}, defaults)
    assert await changed(defaults={"retries": 1}) == ({**QUOTAS, "runs": 20}, {**defaults, "retries": 1})
    assert await changed(quotas={"runs": None}, defaults={"retries": None}) == (
        {**QUOTAS, "runs": 20},
        {**defaults, "retries": 1},
    )
    _, without = await changed(defaults={"timeout_seconds": None})
    assert without == {"retries": 1, "timeout_seconds": None}


async def test_only_a_platform_admin_makes_and_removes_them_and_sets_quotas(control: ControlPlane) -> None:
    await control.workspace("north")
    ann = await control.user("ann", north="admin")
    await ann.post("/workspaces", {"name": "south"}, status=403)
    await ann.ask("DELETE", "/workspaces/north", status=403)
    error = await ann.ask("PATCH", "/workspaces/north", {"quotas": QUOTAS}, status=403)
    assert "quotas" in error["message"]
    await ann.ask("PATCH", "/workspaces/north", {"quotas": {"runs": 10}})
    await ann.ask("PATCH", "/workspaces/north", {"description": "Meters of the north", "defaults": {"retries": 1}})
    await control.admin.ask("PATCH", "/workspaces/north", {"quotas": QUOTAS})
    await control.admin.ask("DELETE", "/workspaces/north", status=204)
    await ann.get("/workspaces/north", status=404)


@pytest.mark.parametrize("role", list(Role))
async def test_each_role_may_what_it_covers(control: ControlPlane, role: Role) -> None:
    await control.workspace("north")
    ann = await control.user("ann", north=role)
    assert (await ann.get("/workspaces/north"))["role"] == role
    status = 200 if role is Role.ADMIN else 403
    answer = await ann.ask("PATCH", "/workspaces/north", {"description": "x"}, status=status)
    if status == 403:
        assert answer["message"] == f"ann is {role} in north, and this takes the role admin."


async def test_members_come_change_and_go(control: ControlPlane) -> None:
    await control.workspace("north")
    ann = await control.user("ann", north="viewer")
    assert [(one["name"], one["role"]) for one in await ann.get("/workspaces/north/members")] == [
        ("admin", "admin"),
        ("ann", "viewer"),
    ]
    await control.admin.ask("PUT", "/workspaces/north/members/ann", {"role": "editor"})
    assert (await ann.get("/workspaces/north"))["role"] == "editor"
    await control.admin.ask("DELETE", "/workspaces/north/members/ann", status=204)
    await ann.get("/workspaces/north", status=404)
    await control.admin.ask("DELETE", "/workspaces/north/members/ann", status=404)
    await control.admin.ask("PUT", "/workspaces/north/members/nobody", {"role": "viewer"}, status=404)


async def test_a_workspace_keeps_an_admin(control: ControlPlane) -> None:
    await control.workspace("north")
    ann = await control.user("ann", north="admin")
    await ann.ask("DELETE", "/workspaces/north/members/admin", status=204)
    for method, body in (("DELETE", None), ("PUT", {"role": "viewer"})):
        error = await ann.ask(method, "/workspaces/north/members/ann", body, status=409)
        assert "only admin" in error["message"]


async def test_of_two_admins_who_leave_at_the_same_moment_one_stays(control: ControlPlane) -> None:
    await control.workspace("north")
    members = {"admin": control.admin, "ann": await control.user("ann", north="admin")}
    for _ in range(8):
        for name in members:
            await control.admin.ask("PUT", f"/workspaces/north/members/{name}", {"role": "admin"})
        paths = [f"/api/v1/workspaces/north/members/{name}" for name in members]
        await asyncio.gather(*(control.admin.http.put(path, json={"role": "viewer"}) for path in paths))
        roles = [one["role"] for one in await control.admin.get("/workspaces/north/members")]
        assert sorted(roles) == ["admin", "viewer"]


async def test_a_stranger_cannot_tell_it_from_one_that_is_not_there(control: ControlPlane) -> None:
    await control.workspace("north")
    ann = await control.user("ann")
    asked = [("GET", ""), ("GET", "/members"), ("GET", "/audit"), ("PATCH", ""), ("PUT", "/members/ann")]
    for method, rest in asked:
        body = {"role": "admin"} if method == "PUT" else {}
        there, not_there = [
            await ann.ask(method, f"/workspaces/{name}{rest}", body, status=404) for name in ("north", "nowhere")
        ]
        assert there["message"].replace("north", "nowhere") == not_there["message"]
    assert await ann.get("/workspaces") == {"items": [], "next": None}


@pytest.mark.parametrize("name", ["", "N", "north ", "-x", "x-", "a/b", "x" * 61, "ü"])
async def test_a_name_is_fit_for_an_address(control: ControlPlane, name: str) -> None:
    await control.admin.post("/workspaces", {"name": name}, status=422)


async def test_a_name_is_taken_once(control: ControlPlane) -> None:
    await control.workspace("north")
    await control.admin.post("/workspaces", {"name": "north"}, status=409)


async def test_an_admin_finds_who_could_become_a_member(control: ControlPlane) -> None:
    await control.workspace("north")
    ann, bob = await control.user("ann", north="admin"), await control.user("bob", north="editor")
    await control.user("bobby")
    found = await ann.get("/workspaces/north/member-candidates", params={"text": "bob"})
    assert found == [{"name": "bobby", "display_name": ""}]
    await control.admin.ask("PATCH", "/users/bobby", {"disabled": True})
    assert await ann.get("/workspaces/north/member-candidates") == []
    await bob.get("/workspaces/north/member-candidates", status=403)


async def test_without_an_identity_provider_no_group_decides(control: ControlPlane) -> None:
    await control.workspace("north")
    assert await control.admin.get("/workspaces/north/groups") == {"decide": False, "roles": {}}
