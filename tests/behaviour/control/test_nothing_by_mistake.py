"""What others rely on is not replaced or removed by somebody who did not see it."""

import pytest

from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import JOBS, RUNS, SQL, Work

SAVED = "/workspaces/north/saved-queries"


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    return Work(control)


async def test_a_workspace_stays_while_a_run_of_it_is_under_way(work: Work) -> None:
    await work.job()
    await work.submit()
    worker = work.worker()
    claim = await worker.claim()
    assert claim is not None
    refused = await work.caller.ask("DELETE", "/workspaces/north", status=409)
    assert refused["message"] == "A run is under way in north."
    await worker.succeed(claim, None)
    await work.caller.ask("DELETE", "/workspaces/north", status=204)


async def test_a_job_stays_while_it_is_a_task_of_a_flow(work: Work) -> None:
    await work.job("load")
    await work.job("morning", kind="flow", spec={"tasks": [{"name": "first", "job": "load"}]})
    refused = await work.caller.ask("DELETE", f"{JOBS}/load", status=409)
    assert refused["message"] == "load is a task of the flow morning."
    await work.caller.ask("DELETE", f"{JOBS}/morning", status=204)
    await work.caller.ask("DELETE", f"{JOBS}/load", status=204)


async def test_a_change_of_a_version_that_is_no_longer_the_current_one_is_refused(work: Work) -> None:
    await work.job()
    path = f"{JOBS}/daily"
    await work.caller.ask("PUT", path, {**SQL, "description": "one"}, params={"base": 1})
    refused = await work.caller.ask("PUT", path, {**SQL, "description": "two"}, params={"base": 1}, status=409)
    assert "at version 2 by now" in refused["message"]
    await work.caller.ask("PUT", path, {**SQL, "description": "two"})
    await work.caller.ask("PUT", f"{JOBS}/gone", SQL, params={"base": 1}, status=409)


async def test_a_saved_query_is_replaced_by_whoever_saved_it_or_an_editor(work: Work) -> None:
    rolf = await work.control.user("rolf", north="runner")
    vera = await work.control.user("vera", north="runner")
    edda = await work.control.user("edda", north="editor")
    text = {"sql": "SELECT 1"}
    await rolf.ask("PUT", f"{SAVED}/daily", text, params={"new": True})
    taken = await rolf.ask("PUT", f"{SAVED}/daily", text, params={"new": True}, status=409)
    assert "already" in taken["message"]
    refused = await vera.ask("PUT", f"{SAVED}/daily", text, status=403)
    assert "was saved by rolf" in refused["message"]
    await vera.ask("PATCH", f"{SAVED}/daily", {"name": "mine"}, status=403)
    await rolf.ask("PUT", f"{SAVED}/daily", text)
    await edda.ask("PUT", f"{SAVED}/daily", text)


async def test_a_filter_or_a_cursor_that_is_none_is_refused(work: Work) -> None:
    refused = await work.caller.get(RUNS, params={"staet": "failed"}, status=400)
    assert "'staet'" in refused["message"]
    assert "state" in refused["hint"]
    await work.caller.get(RUNS, params={"cursor": "garbage"}, status=422)
    await work.caller.get(RUNS, params={"workspace": "south"}, status=400)
    await work.caller.get("/me", params={"x": 1}, status=400)


async def test_of_what_was_refused_the_audit_says_what_it_was_aimed_at(work: Work) -> None:
    await work.job()
    vera = await work.control.user("vera", north="viewer")
    await vera.post(f"{JOBS}/daily/runs", {}, status=403)
    await vera.ask("DELETE", f"{JOBS}/daily", status=403)
    await vera.post("/users", {"name": "eve"}, status=403)
    await work.caller.ask("PUT", f"{JOBS}/daily", {"kind": "nonsense"}, status=422)
    entries = (await work.control.admin.get("/audit"))["items"]
    refused = [(one["action"], one["target"]) for one in entries if one["result"] != "done"]
    assert refused == [
        ("job.apply", "job daily"),
        ("user.create", "user eve"),
        ("job.remove", "job daily"),
        ("run.submit", "run daily"),
    ]


async def test_a_name_that_no_database_keeps_is_no_way_to_go_unnoticed(work: Work) -> None:
    vera = await work.control.user("vera", north="viewer")
    await vera.post("/users", {"name": "e\0ve"}, status=403)
    entry = (await work.control.admin.get("/audit"))["items"][0]
    assert (entry["action"], entry["target"], entry["result"]) == (
        "user.create",
        "user e\N{REPLACEMENT CHARACTER}ve",
        "forbidden",
    )


async def test_looking_at_what_would_change_leaves_no_entry(work: Work) -> None:
    await work.job()
    await work.caller.post(f"{JOBS}/daily/compare", {**SQL, "description": "other"}, status=200)
    actions = [one["action"] for one in (await work.control.admin.get("/audit"))["items"]]
    assert "job.compare" not in actions
