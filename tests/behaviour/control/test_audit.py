"""The audit: written with the change, never without, and whole."""

import asyncio
import csv

import orjson
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.audit import chain
from boathouse.control.audit.models import AuditEntry
from tests.behaviour.control.control_plane import ControlPlane


async def test_every_change_is_told_with_who_what_whence_and_how_it_ended(control: ControlPlane) -> None:
    await control.workspace("north")
    ann = await control.user("ann", north="viewer")
    await ann.ask("PATCH", "/workspaces/north", {"description": "x"}, status=403)
    told = (await control.admin.get("/audit"))["items"]
    assert [(one["user_name"], one["action"], one["result"]) for one in told] == [
        ("ann", "workspace.change", "forbidden"),
        ("ann", "session.log-in", "done"),
        ("admin", "member.set", "done"),
        ("admin", "user.create", "done"),
        ("admin", "workspace.create", "done"),
        ("admin", "session.log-in", "done"),
        (None, "user.create-first", "done"),
    ]
    assert {one["address"] for one in told} == {"10.0.0.1", ""}
    assert told[2]["target"] == "user ann"
    assert told[2]["details"] == {"role": "viewer"}


async def test_no_secret_is_in_it(control: ControlPlane) -> None:
    password = "a very secret lantern"
    await control.admin.post("/users", {"name": "ann", "password": password})
    token = await control.admin.post("/tokens", {"name": "ci"})
    await control.caller().log_in("ann", password)
    exported = (await control.admin.http.get("/api/v1/audit/export")).text
    assert password not in exported
    assert token["secret"] not in exported


async def test_a_refused_change_leaves_its_entry_and_nothing_else(control: ControlPlane) -> None:
    await control.workspace("north")
    await control.admin.post("/workspaces", {"name": "north"}, status=409)
    newest = (await control.admin.get("/audit"))["items"][0]
    assert (newest["action"], newest["result"], newest["target"]) == ("workspace.create", "conflict", "workspace north")
    assert len((await control.admin.get("/workspaces"))["items"]) == 1


async def test_a_failed_login_is_in_it(control: ControlPlane) -> None:
    await control.caller().log_in("ann", "wrong", status=401)
    newest = (await control.admin.get("/audit"))["items"][0]
    assert (newest["user_name"], newest["action"], newest["result"]) == ("ann", "session.log-in", "unauthenticated")


async def test_the_chain_holds_and_shows_what_was_changed(control: ControlPlane) -> None:
    for number in range(5):
        await control.workspace(f"space-{number}")
    newest = (await control.admin.get("/audit"))["items"][0]
    told = await control.admin.get("/audit/verify")
    assert (told["holds"], told["entries"], told["head"]) == (True, newest["number"], newest["hash"])
    async with control.database.changing() as work:
        await unguarded(work)
        await work.execute(text("UPDATE audit SET user_name = 'somebody else' WHERE number = 3"))
    told = await control.admin.get("/audit/verify")
    assert (told["holds"], told["entries_from"], told["reason"]) == (False, 3, "it was changed")


async def unguarded(work: AsyncSession) -> None:
    """As by somebody who owns the database, and takes its guard away first."""
    if work.get_bind().dialect.name == "sqlite":
        await work.execute(text("DROP TRIGGER audit_no_update"))
        await work.execute(text("DROP TRIGGER audit_no_delete"))
    else:
        await work.execute(text("DROP TRIGGER audit_only_appended ON audit"))


async def test_a_head_that_was_kept_elsewhere_tells_of_an_end_cut_off_and_of_a_chain_written_anew(
    control: ControlPlane,
) -> None:
    for number in range(3):
        await control.workspace(f"space-{number}")
    kept = await control.admin.get("/audit/verify")
    before = {"entries": kept["entries"], "head": kept["head"]}
    await control.workspace("one-more")
    assert (await control.admin.get("/audit/verify", params=before))["holds"]
    async with control.database.changing() as work:
        await unguarded(work)
        await work.execute(text("DELETE FROM audit WHERE number >= :last"), {"last": kept["entries"]})
    assert (await control.admin.get("/audit/verify"))["holds"]
    told = await control.admin.get("/audit/verify", params=before)
    assert (told["holds"], told["entries_from"], told["reason"]) == (False, kept["entries"], "it is missing")
    await control.workspace("another")
    told = await control.admin.get("/audit/verify", params=before)
    assert (told["holds"], told["reason"]) == (False, "it is not the one that was there")
    await control.admin.get("/audit/verify", params={"entries": 1}, status=400)


async def test_the_first_admin_is_in_it(control: ControlPlane) -> None:
    (entry,) = (await control.admin.get("/audit", params={"action": "user.create-first"}))["items"]
    assert (entry["number"], entry["target"], entry["user_name"]) == (1, "user admin", None)


@pytest.mark.parametrize("statement", ["UPDATE audit SET result = 'done'", "DELETE FROM audit"])
async def test_the_database_refuses_to_change_an_entry(control: ControlPlane, statement: str) -> None:
    with pytest.raises(DBAPIError, match="only appended to"):
        async with control.database.engine.begin() as connection:
            await connection.execute(text(statement))


async def test_changes_at_once_make_one_chain(control: ControlPlane) -> None:
    made = [control.admin.post("/workspaces", {"name": f"space-{number}"}) for number in range(20)]
    await asyncio.gather(*made)
    async with control.database.reading() as work:
        assert isinstance(await chain.verify(work), chain.Head)
        numbers = (await work.scalars(text("SELECT number FROM audit ORDER BY number"))).all()
    assert list(numbers) == list(range(1, 23))


async def test_it_is_filtered_and_paged(control: ControlPlane) -> None:
    await control.workspace("north")
    await control.user("ann", north="admin")
    created = await control.admin.get("/audit", params={"action": "user.create"})
    assert [one["target"] for one in created["items"]] == ["user ann"]
    first = await control.admin.get("/audit", params={"limit": 2})
    second = await control.admin.get("/audit", params={"limit": 2, "cursor": first["next"]})
    assert [one["number"] for one in first["items"] + second["items"]] == [6, 5, 4, 3]
    assert await control.admin.get("/audit", params={"until": "2020-01-01T00:00:00Z"}) == {"items": [], "next": None}
    exported = (await control.admin.http.get("/api/v1/audit/export")).text.splitlines()
    assert [orjson.loads(line)["number"] for line in exported] == [6, 5, 4, 3, 2, 1]


async def test_a_workspaces_admin_sees_what_was_done_in_it_alone(control: ControlPlane) -> None:
    for name in ("north", "south"):
        await control.workspace(name)
    ann = await control.user("ann", north="admin")
    told = (await ann.get("/workspaces/north/audit"))["items"]
    assert [one["action"] for one in told] == ["member.set", "workspace.create"]
    await ann.get("/audit", status=403)
    assert AuditEntry.__tablename__ == "audit"


async def test_it_is_filtered_by_noun_and_by_what_it_was_done_to(control: ControlPlane) -> None:
    await control.workspace("north")
    await control.user("ann", north="admin")
    users = await control.admin.get("/audit", params={"action": "user"})
    assert [one["action"] for one in users["items"]] == ["user.create", "user.create-first"]
    of_ann = await control.admin.get("/audit", params={"target": "ANN"})
    assert {one["action"] for one in of_ann["items"]} == {"session.log-in", "member.set", "user.create"}
    assert (await control.admin.get("/audit", params={"target": "%"}))["items"] == []
    of_north = await control.admin.get("/workspaces/north/audit", params={"user": "admin", "action": "member"})
    assert [one["target"] for one in of_north["items"]] == ["user ann"]


async def test_it_is_exported_as_a_table_that_no_spreadsheet_takes_for_formulas(control: ControlPlane) -> None:
    await control.workspace("north")
    await control.caller().log_in("=cmd|x", "wrong", status=401)
    exported = await control.admin.http.get("/api/v1/audit/export", params={"format": "csv"})
    assert exported.headers["content-type"].startswith("text/csv")
    assert "audit.csv" in exported.headers["content-disposition"]
    rows = list(csv.DictReader(exported.text.splitlines()))
    assert [row["user_name"] for row in rows] == ["'=cmd|x", "admin", "admin", ""]
    assert rows[1]["target"] == "workspace north"


async def test_a_workspaces_export_has_what_was_done_in_it_alone(control: ControlPlane) -> None:
    for name in ("north", "south"):
        await control.workspace(name)
    ann = await control.user("ann", north="admin", south="editor")
    exported = (await ann.http.get("/api/v1/workspaces/north/audit/export")).text.splitlines()
    assert [orjson.loads(line)["action"] for line in exported] == ["member.set", "workspace.create"]
    assert (await ann.http.get("/api/v1/workspaces/south/audit/export")).status_code == 403


async def test_no_refusal_goes_unnoticed_for_what_it_holds(control: ControlPlane) -> None:
    sent = await control.admin.http.post("/api/v1/tokens", json={"name": "a\0b"})
    newest = (await control.admin.get("/audit"))["items"][0]
    assert (newest["action"], newest["details"]["name"]) == ("token.create", "a\ufffdb")
    assert (newest["result"] == "done") == sent.is_success
    assert (await control.admin.get("/audit/verify"))["holds"]
