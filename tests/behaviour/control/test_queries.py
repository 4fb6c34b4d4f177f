"""Queries: asked at once, each user's own history, and texts kept for all."""

import pytest

from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import RUNS, Work

QUERIES = "/workspaces/north/queries"
SAVED = "/workspaces/north/saved-queries"


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    return Work(control)


async def test_a_query_is_a_run_without_a_job_and_its_history_is_its_askers(work: Work) -> None:
    asked = await work.caller.post(QUERIES, {"sql": "SELECT 1", "rows": 5})
    worker = work.worker()
    claim = await worker.claim()
    assert claim is not None
    assert (claim.run_id, claim.definition.spec) == (asked["run_id"], {"sql": "SELECT 1", "rows": 5})
    await worker.begin(claim)
    await worker.beat(claim, progress={"bytes_read": 7}, timeline=[])
    await worker.succeed(claim, {"path": "p", "rows": 1, "bytes": 9, "columns": [], "truncated": False})
    told = await work.caller.get(f"{QUERIES}/{asked['id']}")
    assert (told["state"], told["rows"], told["bytes"], told["bytes_read"]) == ("succeeded", 1, 9, 7)
    assert told["seconds"] >= 0
    refused = await work.caller.get(f"{RUNS}/{asked['run_id']}/result/download", status=404)
    assert "p." in refused["message"]
    assert (await work.run({"id": asked["run_id"]}))["state"] == "succeeded"
    assert (await work.caller.get(RUNS))["items"] == []
    other = await work.control.user("rolf", north="runner")
    assert (await other.get(QUERIES))["items"] == []
    await other.get(f"{QUERIES}/{asked['id']}", status=404)


async def test_what_a_query_found_is_its_askers_and_the_workspace_admins(work: Work) -> None:
    runner, other = await work.control.user("rolf", north="runner"), await work.control.user("ann", north="editor")
    asked = await runner.post(QUERIES, {"sql": "SELECT 1"})
    run = f"{RUNS}/{asked['run_id']}"
    parts = (
        "",
        "/logs",
        "/logs/stream",
        "/progress/stream",
        "/timeline",
        "/result",
        "/result/download",
        "/openlineage",
    )
    for part in parts:
        await other.get(run + part, status=404)
    for part in ("/stop", "/retry"):
        await other.post(run + part, status=404)
    assert [(await caller.get(run))["state"] for caller in (runner, work.control.admin)] == ["pending"] * 2
    assert (await runner.post(f"{run}/stop", status=200))["state"] == "cancelled"


async def test_who_sees_what_was_sent_of_lineage_is_not_told_which_query_it_was(work: Work) -> None:
    connection = {"name": "lineage", "kind": "openlineage", "config": {"url": "http://127.0.0.1:1/api"}}
    await work.caller.post("/workspaces/north/connections", connection)
    await work.caller.post("/workspaces/north/notifications", {"name": "graph", "connection": "lineage"})
    asked = await work.caller.post(QUERIES, {"sql": "SELECT 1"})
    worker = work.worker()
    claim = await worker.claim()
    assert claim is not None
    await worker.begin(claim)
    viewer = await work.control.user("ann", north="viewer")
    sent = (await viewer.get("/workspaces/north/notifications/graph/deliveries"))["items"]
    assert [(one["event"], one["run_id"]) for one in sent] == [("lineage", None)]
    assert asked["run_id"] not in str(sent)


async def test_a_failed_query_is_not_tried_again_though_the_workspace_would(work: Work) -> None:
    await work.caller.ask("PATCH", "/workspaces/north", {"defaults": {"retries": 3}})
    asked = await work.caller.post(QUERIES, {"sql": "SELECT nothing"})
    worker = work.worker()
    claim = await worker.claim()
    assert claim is not None
    await worker.fail(claim, "no such column")
    told = await work.caller.get(f"{QUERIES}/{asked['id']}")
    assert (told["state"], told["error"]) == ("failed", "no such column")


async def test_the_history_is_searched_and_paged(work: Work) -> None:
    made = [(await work.caller.post(QUERIES, {"sql": f"SELECT {number}%"}))["id"] for number in range(3)]
    page = await work.caller.get(QUERIES, params={"limit": 2})
    assert [query["id"] for query in page["items"]] == made[:0:-1]
    rest = await work.caller.get(QUERIES, params={"limit": 2, "cursor": page["next"]})
    assert ([query["id"] for query in rest["items"]], rest["next"]) == ([made[0]], None)
    found = await work.caller.get(QUERIES, params={"text": "select 1%"})
    assert [query["id"] for query in found["items"]] == [made[1]]


async def test_a_query_can_be_cancelled(work: Work) -> None:
    asked = await work.caller.post(QUERIES, {"sql": "SELECT 1"})
    assert (await work.caller.post(f"{QUERIES}/{asked['id']}/cancel", status=200))["state"] == "cancelled"


async def test_texts_are_kept_for_all_of_the_workspace(work: Work) -> None:
    runner = await work.control.user("rolf", north="runner")
    viewer = await work.control.user("vera", north="viewer")
    first = await runner.ask("PUT", f"{SAVED}/daily", {"sql": "SELECT 1"})
    assert (first["saved_by"], first["description"]) == ("rolf", "")
    await work.caller.ask("PUT", f"{SAVED}/daily", {"sql": "SELECT 2", "description": "better"})
    told = (await viewer.get(SAVED))["items"]
    assert [(one["name"], one["sql"], one["saved_by"]) for one in told] == [("daily", "SELECT 2", "admin")]
    await viewer.ask("PUT", f"{SAVED}/mine", {"sql": "SELECT 1"}, status=403)
    await viewer.post(QUERIES, {"sql": "SELECT 1"}, status=403)
    await work.caller.ask("DELETE", f"{SAVED}/daily", status=204)
    await viewer.get(f"{SAVED}/daily", status=404)


async def test_who_saved_a_text_removes_it_and_others_need_to_be_editors(work: Work) -> None:
    runner = await work.control.user("rolf", north="runner")
    editor = await work.control.user("edda", north="editor")
    for caller, name in ((runner, "his"), (runner, "another"), (editor, "hers")):
        await caller.ask("PUT", f"{SAVED}/{name}", {"sql": "SELECT 1"})
    await runner.ask("DELETE", f"{SAVED}/his", status=204)
    refused = await runner.ask("DELETE", f"{SAVED}/hers", status=403)
    assert "was saved by edda" in refused["message"]
    await editor.ask("DELETE", f"{SAVED}/another", status=204)
    assert [one["name"] for one in (await runner.get(SAVED))["items"]] == ["hers"]


async def test_a_query_asked_twice_with_the_same_key_is_one(work: Work) -> None:
    asked = {"sql": "SELECT :n", "parameters": [{"name": "n", "type": "integer"}], "values": {"n": 1}, "key": "k1"}
    first = await work.caller.post(QUERIES, asked)
    assert await work.caller.post(QUERIES, asked, status=200) == first
    assert len((await work.caller.get(QUERIES))["items"]) == 1
    for other in ({"sql": "SELECT :n, 2"}, {"values": {"n": 2}}):
        refused = await work.caller.post(QUERIES, {**asked, **other}, status=409)
        assert "was used for another run" in refused["message"]
    # Another's query is not told to who guesses its key.
    rolf = await work.control.user("rolf", north="runner")
    await rolf.post(QUERIES, asked, status=409)
    await work.job()
    await work.submit(key="k1", status=409)


async def test_a_query_tells_what_it_was_given(work: Work) -> None:
    given = {"sql": "SELECT :day", "parameters": [{"name": "day", "type": "date"}], "values": {"day": "2026-02-01"}}
    asked = await work.caller.post(QUERIES, given)
    assert (asked["parameters"][0]["type"], asked["values"]) == ("date", {"day": "2026-02-01"})


async def test_a_saved_query_keeps_where_it_is_asked_and_its_parameters_and_can_be_called_something_else(
    work: Work,
) -> None:
    runner = await work.control.user("rolf", north="runner")
    parameters = [{"name": "day", "type": "date", "default": "2026-02-01"}]
    text = {"sql": "SELECT :day", "connection": "trino", "parameters": parameters}
    await runner.ask("PUT", f"{SAVED}/daily", text)
    await runner.ask("PUT", f"{SAVED}/other", {"sql": "SELECT 2"})
    taken = await runner.ask("PATCH", f"{SAVED}/daily", {"name": "other"}, status=409)
    assert "already" in taken["message"]
    await runner.ask("PATCH", f"{SAVED}/daily", {"name": "Not A Name"}, status=422)
    told = await runner.ask("PATCH", f"{SAVED}/daily", {"name": "each-day", "description": "At six."})
    assert (told["name"], told["description"], told["connection"]) == ("each-day", "At six.", "trino")
    assert told["parameters"][0]["default"] == "2026-02-01"
    await runner.get(f"{SAVED}/daily", status=404)
    same = await runner.ask("PATCH", f"{SAVED}/each-day", {"name": "each-day"})
    assert (same["description"], same["sql"]) == ("At six.", "SELECT :day")
