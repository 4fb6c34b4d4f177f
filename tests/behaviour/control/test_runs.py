"""Runs: asked for once, claimed by one worker at a time, and what becomes of them when something goes wrong."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update
from structlog.testing import capture_logs

from boathouse.control.database.base import now
from boathouse.control.jobs.models import Job, JobVersion
from boathouse.control.runs import streaming
from boathouse.control.runs.changes import MOST_TAKEOVERS, LeaseLost
from boathouse.control.runs.flows import move_on
from boathouse.control.runs.leases import Claim, Leases
from boathouse.control.runs.models import Run, RunAttempt
from boathouse.control.runs.schedule import start_due
from boathouse.control.runs.states import ENDED, WAYS, State, ways_to
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import JOBS, RUNS, SQL, Work


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    return Work(control)


async def claimed(worker: Leases) -> Claim:
    claim = await worker.claim()
    assert claim is not None
    return claim


async def test_a_run_is_claimed_begun_and_done(work: Work) -> None:
    await work.job(parameters=[{"name": "day", "type": "date", "default": "2026-01-31"}])
    run = await work.submit(values={"day": "2026-02-01"})
    assert (run["state"], run["attempt"], run["values"]) == ("pending", 0, {"day": "2026-02-01"})
    worker = work.worker()
    claim = await claimed(worker)
    assert (claim.run_id, claim.attempt, claim.definition.kind) == (run["id"], 1, "sql")
    assert await worker.claim() is None
    await worker.begin(claim)
    await worker.beat(claim, log=[(1_700_000_000_000, "out", "hello")], number=0, progress={"tasks": 2}, timeline=[])
    assert (await work.run(run))["state"] == "running"
    await worker.succeed(claim, {"path": "p", "rows": 1, "columns": [], "truncated": False})
    done = await work.run(run)
    assert (done["state"], done["error"], done["progress"]) == ("succeeded", None, {"tasks": 2})
    assert "path" not in done["result"]
    assert [(one["number"], one["worker"], one["state"]) for one in done["attempts"]] == [(1, "w1", "succeeded")]
    log = await work.caller.get(f"{RUNS}/{run['id']}/logs")
    assert [(line["text"], line["stream"]) for line in log["lines"]] == [("hello", "out")]
    rest = await work.caller.get(f"{RUNS}/{run['id']}/logs", params={"cursor": log["next"]})
    assert (rest["lines"], rest["complete"]) == ([], True)


async def test_a_key_finds_its_run_whatever_the_job_has_become(work: Work) -> None:
    await work.job(parameters=[{"name": "n", "type": "integer", "default": 1}])
    first = await work.submit(key="k1", values={"n": 2})
    await work.job(parameters=[{"name": "day", "type": "date"}])
    assert (await work.submit(key="k1", values={"n": 2}, status=200))["id"] == first["id"]
    for other in ({"n": 3}, {}, {"day": "2026-02-01"}):
        assert "used for another run" in (await work.submit(key="k1", values=other, status=409))["message"]
    assert (await work.submit(key="k1", values={"n": 2}, version=1, status=200))["id"] == first["id"]
    assert "used for another run" in (await work.submit(key="k1", values={"n": 2}, version=2, status=409))["message"]


async def test_asking_twice_with_a_key_makes_one_run(work: Work) -> None:
    await work.job(parameters=[{"name": "n", "type": "integer", "default": 1}])
    first = await work.submit(key="k1")
    assert (await work.submit(key="k1", status=200))["id"] == first["id"]
    assert "used for another run" in (await work.submit(key="k1", values={"n": 2}, status=409))["message"]
    assert (await work.submit(key="k2"))["id"] != first["id"]
    assert len((await work.caller.get(RUNS))["items"]) == 2


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"day": "soon"}, "the parameter day"),
        ({"colour": "blue"}, "no parameter 'colour'"),
        ({"size": "huge", "day": "2026-01-01"}, "must be one of"),
        ({}, "'day' has no value"),
    ],
)
async def test_values_that_do_not_fit_are_refused(work: Work, values: dict[str, Any], said: str) -> None:
    await work.job(
        parameters=[
            {"name": "day", "type": "date"},
            {"name": "size", "default": "small", "choices": ["small", "large"]},
        ]
    )
    assert said in (await work.submit(values=values, status=400))["message"]
    assert (await work.caller.get(RUNS))["items"] == []


async def test_a_failure_is_tried_again_as_often_as_the_job_says(work: Work) -> None:
    await work.job(retries={"count": 1, "delay_seconds": 60})
    run = await work.submit()
    worker = work.worker()
    claim = await claimed(worker)
    await worker.begin(claim)
    await worker.fail(claim, "no oars")
    told = await work.run(run)
    assert (told["state"], told["error"]) == ("pending", "no oars")
    assert told["available_at"] > told["created_at"]
    assert await worker.claim() is None
    await work.let_delays_end()
    second = await claimed(worker)
    assert second.attempt == 2
    await worker.begin(second)
    await worker.fail(second, "no boat")
    told = await work.run(run)
    assert (told["state"], told["error"]) == ("failed", "no boat")
    assert [one["error"] for one in told["attempts"]] == ["no oars", "no boat"]
    assert (await work.again(run))["state"] == "pending"
    assert (await claimed(worker)).attempt == 3


async def test_a_lost_workers_run_goes_to_another_and_the_lost_one_changes_nothing(work: Work) -> None:
    await work.job()
    run = await work.submit()
    old, new = work.worker("old"), work.worker("new")
    lost = await claimed(old)
    await old.begin(lost)
    assert await new.take_back_lost() == 0
    await work.let_leases_end("old")
    assert await new.take_back_lost() == 1
    taken = await claimed(new)
    assert (taken.run_id, taken.attempt) == (lost.run_id, 2)
    for late in (
        old.begin(lost),
        old.beat(lost, log=[(0, "out", "late")]),
        old.succeed(lost, None),
        old.fail(lost, "late"),
        old.hand_back(lost, "late"),
        # The right worker with the wrong attempt is as late.
        new.succeed(replace(taken, attempt=1), None),
    ):
        with pytest.raises(LeaseLost):
            await late
    await new.begin(taken)
    await new.succeed(taken, None)
    told = await work.run(run)
    assert told["state"] == "succeeded"
    assert [one["state"] for one in told["attempts"]] == ["failed", "succeeded"]
    assert (await work.caller.get(f"{RUNS}/{run['id']}/logs"))["lines"] == []


async def test_a_run_that_loses_worker_after_worker_is_given_up(work: Work) -> None:
    await work.job()
    run = await work.submit()
    for number in range(MOST_TAKEOVERS + 1):
        await claimed(work.worker(f"w{number}"))
        await work.let_leases_end(f"w{number}")
        await work.worker().take_back_lost()
    told = await work.run(run)
    assert told["state"] == "failed"
    assert "was lost" in told["error"]


async def test_a_worker_that_is_stopped_hands_its_runs_back(work: Work) -> None:
    await work.job()
    run = await work.submit()
    worker = work.worker()
    claim = await claimed(worker)
    await worker.begin(claim)
    await worker.hand_back(claim, "the worker was stopped")
    assert (await work.run(run))["state"] == "pending"
    assert (await claimed(work.worker("w2"))).attempt == 2


async def test_a_run_is_told_with_its_newest_attempts(work: Work) -> None:
    await work.job()
    run = await work.submit()
    one = {
        "run_id": run["id"],
        "worker": "w1",
        "state": State.FAILED,
        "claimed_at": now(),
        "timeline": [[0.5] + [1] * 5],
    }
    async with work.database.changing() as session:
        await session.execute(insert(RunAttempt), [{**one, "number": number} for number in range(1, 61)])
        await session.execute(update(Run).values(attempt=60))
    told = await work.run(run)
    assert (told["attempt"], [attempt["number"] for attempt in told["attempts"]]) == (60, list(range(11, 61)))
    for wanted in ({}, {"attempt": 3}):
        [point] = await work.caller.get(f"{RUNS}/{run['id']}/timeline", params=wanted)
        assert point["seconds"] == 0.5
    assert await work.caller.get(f"{RUNS}/{run['id']}/timeline", params={"attempt": 61}) == []


async def test_stopping(work: Work) -> None:
    await work.job()
    waiting, active = await work.submit(), await work.submit()
    worker = work.worker()
    claim = await claimed(worker)
    assert claim.run_id == waiting["id"]
    assert (await work.stop(active))["state"] == "cancelled"
    told = await work.stop(waiting)
    assert (told["state"], told["stop_by"]) == ("starting", "admin")
    assert await worker.stops() == {waiting["id"]}
    await worker.fail(claim, "it was interrupted")
    told = await work.run(waiting)
    assert (told["state"], told["error"]) == ("cancelled", "Stopped by admin.")
    assert "already" in (await work.stop(waiting, status=409))["message"]
    assert (await work.again(waiting))["stop_by"] is None


async def test_a_stopped_run_whose_worker_is_lost_is_not_begun_again(work: Work) -> None:
    await work.job()
    run = await work.submit()
    await claimed(work.worker())
    await work.stop(run)
    await work.let_leases_end("w1")
    await work.worker("w2").take_back_lost()
    told = await work.run(run)
    assert (told["state"], told["error"]) == ("cancelled", "Stopped by admin.")


async def test_what_has_succeeded_cannot_be_repaired(work: Work) -> None:
    await work.job()
    run = await work.submit()
    assert "pending" in (await work.again(run, status=409))["message"]
    worker = work.worker()
    claim = await claimed(worker)
    await worker.begin(claim)
    await worker.succeed(claim, None)
    assert "has succeeded" in (await work.again(run, status=409))["message"]


async def test_no_more_runs_at_once_than_the_job_and_the_workspace_allow(work: Work) -> None:
    await work.job("narrow", concurrency={"most": 1})
    await work.job("wide")
    quotas = {"runs": 3, "cores": 64, "memory_mb": 4096}
    await work.caller.ask("PATCH", "/workspaces/north", {"quotas": quotas})
    first, _ = [await work.submit("narrow") for _ in range(2)]
    for _ in range(4):
        await work.submit("wide")
    worker = work.worker()
    claims = [await claimed(worker) for _ in range(3)]
    assert await worker.claim() is None
    jobs = [(await work.run({"id": claim.run_id}))["job"] for claim in claims]
    assert jobs == ["narrow", "wide", "wide"]
    assert claims[0].run_id == first["id"]
    await worker.begin(claims[0])
    await worker.succeed(claims[0], None)
    assert (await work.run({"id": (await claimed(worker)).run_id}))["job"] == "narrow"
    await work.caller.ask("PATCH", "/workspaces/north", {"quotas": {**quotas, "runs": 10}})
    await claimed(worker)
    # Four of a gigabyte each are what the memory allows.
    assert await worker.claim() is None


async def test_a_job_may_leave_out_or_replace_what_comes_while_it_runs(work: Work) -> None:
    await work.job("skips", concurrency={"most": 1, "otherwise": "skip"})
    await work.submit("skips")
    left_out = await work.submit("skips")
    assert left_out["state"] == "cancelled"
    assert "the job allows 1" in left_out["error"]
    await work.job("replaces", concurrency={"most": 1, "otherwise": "replace"})
    old = await work.submit("replaces")
    new = await work.submit("replaces")
    assert ((await work.run(old))["state"], new["state"]) == ("cancelled", "pending")


async def test_a_removed_job_takes_its_waiting_runs_along_but_not_one_under_way(work: Work) -> None:
    await work.job()
    await work.submit()
    worker = work.worker()
    claim = await claimed(worker)
    assert "under way" in (await work.caller.ask("DELETE", f"{JOBS}/daily", status=409))["message"]
    await worker.begin(claim)
    await worker.succeed(claim, None)
    await work.caller.ask("DELETE", f"{JOBS}/daily", status=204)
    with pytest.raises(LeaseLost):
        await worker.beat(claim)


async def test_runs_are_listed_newest_first_by_pages_and_filters(work: Work) -> None:
    await work.job("alpha")
    await work.job("beta")
    made = [await work.submit(name) for name in ("alpha", "beta", "alpha")]
    page = await work.caller.get(RUNS, params={"limit": 2})
    assert [run["id"] for run in page["items"]] == [made[2]["id"], made[1]["id"]]
    rest = await work.caller.get(RUNS, params={"limit": 2, "cursor": page["next"]})
    assert ([run["id"] for run in rest["items"]], rest["next"]) == ([made[0]["id"]], None)
    only = await work.caller.get(RUNS, params={"job": "beta"})
    assert [run["id"] for run in only["items"]] == [made[1]["id"]]
    await work.stop(made[0])
    ended = await work.caller.get(RUNS, params={"state": "cancelled"})
    assert [run["id"] for run in ended["items"]] == [made[0]["id"]]
    either = await work.caller.get(RUNS, params={"state": ["cancelled", "pending"]})
    assert [run["id"] for run in either["items"]] == [run["id"] for run in reversed(made)]


async def test_runs_are_found_by_who_asked_for_them_and_when(work: Work) -> None:
    await work.job()
    by_admin = await work.submit()
    ann = await work.control.user("ann", north="runner")
    by_ann = await ann.post(f"{JOBS}/daily/runs", {})
    for params, expected in (
        ({"requested_by": "ann"}, [by_ann]),
        ({"requested_by": "nobody"}, []),
        ({"until": by_ann["created_at"]}, [by_admin]),
        ({"since": by_ann["created_at"]}, [by_ann]),
        ({"since": by_admin["created_at"], "until": by_ann["created_at"], "requested_by": "admin"}, [by_admin]),
    ):
        found = (await work.caller.get(RUNS, params=params))["items"]
        assert [run["id"] for run in found] == [run["id"] for run in expected], params


@pytest.mark.parametrize("path", [RUNS, "/audit", "/audit/export", "/workspaces/north/audit/export"])
async def test_a_moment_without_a_zone_is_in_utc_and_one_that_no_calendar_has_is_refused(work: Work, path: str) -> None:
    for value in ("0001-01-01T00:00:00", "9999-12-31T23:59:59Z"):
        sent = await work.caller.http.get(f"/api/v1{path}", params={"since": value})
        assert sent.status_code == 200, sent.text
    for value in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"):
        error = await work.caller.get(path, params={"until": value}, status=422)
        assert "before the year 1 or after 9999 in UTC" in error["fields"]["query.until"]


@pytest.mark.parametrize("what", ["logs", "progress"])
async def test_who_may_see_a_query_no_more_is_told_nothing_more_of_it(
    work: Work, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "_ASKED_AGAIN", 0.0)
    asked = await work.caller.post("/workspaces/north/queries", {"sql": "SELECT 1"})
    vera = await work.control.user("vera", north="admin")
    path = f"/api/v1{RUNS}/{asked['run_id']}/{what}/stream"
    listening = asyncio.create_task(vera.http.get(path))
    done, _ = await asyncio.wait({listening}, timeout=1)
    assert not done
    # A viewer sees the runs of jobs, and of queries their own.
    await work.control.admin.ask("PUT", "/workspaces/north/members/vera", {"role": "viewer"})
    heard = await asyncio.wait_for(listening, timeout=30)
    assert b"event: end" not in heard.content
    assert (await vera.http.get(path)).status_code == 404


@pytest.mark.parametrize("what", ["logs", "progress"])
async def test_who_is_disabled_meanwhile_is_told_nothing_more(
    work: Work, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "_ASKED_AGAIN", 0.0)
    await work.job()
    run = await work.submit()
    vera = await work.control.user("vera", north="viewer")
    listening = asyncio.create_task(vera.http.get(f"/api/v1{RUNS}/{run['id']}/{what}/stream"))
    # The run waits for ever, and so does who listens.
    done, _ = await asyncio.wait({listening}, timeout=1)
    assert not done
    await work.caller.ask("PATCH", "/users/vera", {"disabled": True})
    heard = await asyncio.wait_for(listening, timeout=30)
    assert b"event: end" not in heard.content


async def test_a_log_is_streamed_to_its_end_and_from_where_somebody_was(work: Work) -> None:
    await work.job()
    run = await work.submit()
    worker = work.worker()
    claim = await claimed(worker)
    await worker.begin(claim)
    for number in range(3):
        await worker.beat(claim, log=[(0, "out", f"line {number}")], number=number)
    await worker.succeed(claim, None)
    path = f"/api/v1{RUNS}/{run['id']}/logs/stream"
    whole = (await work.caller.http.get(path)).text
    assert [text for text in ("line 0", "line 1", "line 2") if text in whole] == ["line 0", "line 1", "line 2"]
    assert whole.rstrip().endswith('data: {"state":"succeeded","error":null}')
    rest = (await work.caller.http.get(path, headers={"Last-Event-ID": "1.1"})).text
    assert "line 1" not in rest
    assert "line 2" in rest
    assert (await work.caller.http.get(path, headers={"Last-Event-ID": "x"})).status_code == 400


async def test_a_chunk_of_log_that_is_written_again_is_there_once(work: Work) -> None:
    """Its answer may have been lost on the way back."""
    await work.job()
    run = await work.submit()
    worker = work.worker()
    claim = await claimed(worker)
    await worker.beat(claim, log=[(0, "out", "one")], number=0)
    await worker.beat(claim, log=[(0, "out", "one"), (0, "out", "two")], number=0)
    log = await work.caller.get(f"{RUNS}/{run['id']}/logs")
    assert [line["text"] for line in log["lines"]] == ["one", "two"]


async def test_a_schedule_starts_each_run_once_and_makes_up_for_what_was_missed(work: Work) -> None:
    for catch_up in ("none", "latest", "all"):
        await work.job(catch_up, schedule={"cron": "0 * * * *", "catch_up": catch_up})
    assert await start_due(work.database) == 0
    missed = now().replace(minute=0, second=0, microsecond=0) - timedelta(hours=3)
    async with work.database.changing() as session:
        await session.execute(update(Job).values(due_at=missed))
    await start_due(work.database)
    assert await start_due(work.database) == 0
    runs = (await work.caller.get(RUNS))["items"]
    of = {
        name: sorted(run["scheduled_for"] for run in runs if run["job"] == name) for name in ("none", "latest", "all")
    }
    assert (len(of["latest"]), len(of["all"])) == (1, 4)
    # Within a minute of the hour the newest is on time.
    assert len(of["none"]) == (1 if now().minute == 0 else 0)
    assert of["all"][-1] == of["latest"][0]
    assert {run["trigger"] for run in runs} == {"schedule"}


async def let_be_due(work: Work, *names: str) -> datetime:
    """At the full hour before this one."""
    missed = now().replace(minute=0, second=0, microsecond=0) - timedelta(hours=1)
    async with work.database.changing() as session:
        await session.execute(update(Job).where(Job.name.in_(names)).values(due_at=missed))
    return missed


async def scheduled(work: Work) -> list[str]:
    """The jobs that a schedule has started, and how often."""
    return sorted(run["job"] for run in (await work.caller.get(RUNS))["items"])


async def test_a_job_that_is_paused_while_its_time_comes_stays_so(work: Work) -> None:
    await work.job(schedule={"cron": "0 * * * *"})
    await let_be_due(work, "daily")
    async with work.database.changing() as session:
        await session.execute(update(Job).values(paused=True, due_at=None))
        # Not committed yet: whoever looks now may see it as it was.
        looking = asyncio.create_task(start_due(work.database))
        await asyncio.wait({looking}, timeout=1)
    assert await looking == 0
    job = await work.caller.get(f"{JOBS}/daily")
    assert (job["paused"], job["due_at"], await scheduled(work)) == (True, None, [])


async def test_a_paused_job_is_not_started_even_if_a_time_is_set(work: Work) -> None:
    await work.job(schedule={"cron": "0 * * * *"})
    await work.caller.post(f"{JOBS}/daily/pause", status=200)
    await let_be_due(work, "daily")
    assert await start_due(work.database) == 0


async def test_a_time_that_has_its_run_is_passed_over_and_holds_nobody_up(work: Work) -> None:
    # Not at the full hour, which may come while it is looked at.
    minute = (now().minute + 30) % 60
    for name in ("ahead", "daily"):
        await work.job(name, schedule={"cron": f"{minute} * * * *"})
    await let_be_due(work, "ahead")
    await start_due(work.database)
    (run,) = (await work.caller.get(RUNS))["items"]
    async with work.database.changing() as session:
        await session.execute(update(Job).values(due_at=datetime.fromisoformat(run["scheduled_for"])))
    assert await start_due(work.database) == 1
    assert await scheduled(work) == ["ahead", "daily"]
    assert (await work.caller.get(f"{JOBS}/ahead"))["due_at"] > run["scheduled_for"]


async def test_a_job_that_cannot_be_read_does_not_hold_up_the_schedules_of_others(work: Work) -> None:
    for name in ("broken", "daily"):
        await work.job(name, schedule={"cron": "0 * * * *"})
    broken = select(Job.id).where(Job.name == "broken").scalar_subquery()
    async with work.database.changing() as session:
        await session.execute(update(JobVersion).where(JobVersion.job_id == broken).values(definition={"kind": 1}))
    await let_be_due(work, "broken", "daily")
    with capture_logs() as lines:
        assert await start_due(work.database) == 1
    assert [line["job"] for line in lines if line["event"] == "schedule.broke"] == ["broken"]
    assert await scheduled(work) == ["daily"]


FLOW: dict[str, Any] = {
    "kind": "flow",
    "spec": {
        "tasks": [
            {"name": "load", **{key: SQL[key] for key in ("kind", "spec")}},
            {"name": "left", "after": ["load"], "kind": "sql", "spec": {"sql": "SELECT 2"}},
            {"name": "right", "after": ["load"], "kind": "sql", "spec": {"sql": "SELECT 3"}},
            {"name": "report", "after": ["left", "right"], "kind": "sql", "spec": {"sql": "SELECT 4"}},
        ]
    },
}


async def finish(worker: Leases, *, failing: tuple[str, ...] = ()) -> list[str]:
    """Carry out whatever may begin; which statements those were."""
    done: list[str] = []
    while (claim := await worker.claim()) is not None:
        await worker.begin(claim)
        sql = claim.definition.spec["sql"]
        done.append(sql)
        await (worker.fail(claim, "broken") if sql in failing else worker.succeed(claim, None))
    return sorted(done)


def states(told: Any) -> dict[str, str | None]:
    return {task["name"]: task["run"] and task["run"]["state"] for task in told["tasks"]}


async def test_tasks_of_a_flow_begin_when_those_before_them_have_succeeded(work: Work) -> None:
    await work.job("flow", **FLOW)
    run = await work.submit("flow")
    worker = work.worker()
    rounds: list[list[str]] = []
    for _ in range(3):
        await move_on(work.database)
        rounds.append(await finish(worker))
    assert rounds == [["SELECT 1"], ["SELECT 2", "SELECT 3"], ["SELECT 4"]]
    await move_on(work.database)
    told = await work.run(run)
    assert (told["state"], set(states(told).values())) == ("succeeded", {"succeeded"})
    assert [one["id"] for one in (await work.caller.get(RUNS))["items"]] == [run["id"]]


async def test_repairing_a_flow_does_again_only_what_did_not_succeed(work: Work) -> None:
    await work.job("flow", **FLOW)
    run = await work.submit("flow")
    worker = work.worker()
    for _ in range(3):
        await move_on(work.database)
        await finish(worker, failing=("SELECT 3",))
    told = await work.run(run)
    assert (told["state"], told["error"]) == ("failed", "The task right failed: broken")
    assert states(told) == {"load": "succeeded", "left": "succeeded", "right": "failed", "report": None}
    task = next(task["run"] for task in told["tasks"] if task["name"] == "right")
    assert "Repair the flow" in (await work.again(task, status=409))["hint"]
    await work.again(run)
    again: list[str] = []
    for _ in range(3):
        await move_on(work.database)
        again += await finish(worker)
    assert again == ["SELECT 3", "SELECT 4"]
    told = await work.run(run)
    assert (told["state"], told["attempt"]) == ("succeeded", 2)
    assert {task["name"]: task["run"]["attempt"] for task in told["tasks"]} == {
        "load": 1, "left": 1, "right": 2, "report": 1,
    }  # fmt: skip


async def test_stopping_a_flow_stops_its_tasks(work: Work) -> None:
    await work.job("flow", **FLOW)
    run = await work.submit("flow")
    await move_on(work.database)
    worker = work.worker()
    claim = await claimed(worker)
    await work.stop(run)
    await move_on(work.database)
    assert await worker.stops() == {claim.run_id}
    await worker.fail(claim, "interrupted")
    await move_on(work.database)
    told = await work.run(run)
    assert (told["state"], states(told)["load"], states(told)["left"]) == ("cancelled", "cancelled", None)


def test_every_state_can_be_reached_and_success_is_final() -> None:
    assert all(ways_to(state) for state in State)
    assert WAYS[State.SUCCEEDED] == frozenset()
    assert all(State.RUNNING not in WAYS[state] for state in ENDED)


@pytest.mark.parametrize("rules", [{}, {"retries": {"count": 3, "tide": "high"}, "timeout_seconds": None}])
async def test_a_run_of_a_later_release_fails_and_holds_no_other_up(work: Work, rules: dict[str, Any]) -> None:
    for name in ("alpha", "beta"):
        await work.job(name)
    spoiled, other = await work.submit("alpha"), await work.submit("beta")
    await work.spoil("alpha")
    if rules:
        async with work.database.changing() as session:
            await session.execute(update(Run).where(Run.id == spoiled["id"]).values(rules=rules))
    claims = [await work.worker().claim() for _ in range(2)]
    assert [claim and claim.run_id for claim in claims] == [None, other["id"]]
    told = await work.run(spoiled)
    assert (told["state"], [one["state"] for one in told["attempts"]]) == ("failed", ["failed"])
    assert "alpha (version 1) is not one that this version of Boathouse understands" in told["error"]
    assert "send the job's definition anew" in told["error"]
    await work.job("alpha")
    await work.submit("alpha")
    assert (await claimed(work.worker())).job == "alpha"
