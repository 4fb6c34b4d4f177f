"""Flows whose tasks are jobs: what a run of them carries out, and what is refused."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from boathouse.control.database.base import now
from boathouse.control.jobs.models import Job
from boathouse.control.jobs.pinning import PinnedFlow
from boathouse.control.jobs.schemas import Definition
from boathouse.control.runs import flows
from boathouse.control.runs.flows import move_on
from boathouse.control.runs.leases import Claim
from boathouse.control.runs.models import Run
from boathouse.control.runs.schedule import start_due
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import JOBS, RUNS, Work

LOAD: dict[str, Any] = {
    "spec": {"sql": "SELECT :day"},
    "parameters": [{"name": "day", "type": "date"}, {"name": "n", "type": "integer", "default": 1}],
    "retries": {"count": 2},
    "timeout_seconds": 77,
}
FLOW: dict[str, Any] = {
    "kind": "flow",
    "spec": {
        "tasks": [
            {"name": "load", "job": "load", "values": {"day": "{{day}}", "n": 5}},
            {"name": "report", "after": ["load"], "kind": "sql", "spec": {"sql": "SELECT 2"}},
        ]
    },
    "parameters": [{"name": "day", "type": "date", "default": "2026-01-31"}],
}


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    return Work(control)


async def next_task(work: Work) -> Claim:
    await move_on(work.database)
    claim = await work.worker().claim()
    assert claim is not None
    await work.worker().begin(claim)
    return claim


async def test_a_task_that_is_a_job_has_its_spec_its_values_and_its_rules(work: Work) -> None:
    await work.job("load", **LOAD)
    await work.job("daily", **FLOW)
    run = await work.submit("daily", values={"day": "2026-02-01"})
    claim = await next_task(work)
    assert (claim.definition.spec["sql"], claim.timeout_seconds) == ("SELECT :day", 77)
    assert claim.values == {"day": "2026-02-01", "n": 5}
    assert [parameter.name for parameter in claim.definition.parameters] == ["day", "n"]
    await work.worker().succeed(claim, None)
    claim = await next_task(work)
    assert (claim.definition.spec["sql"], claim.values) == ("SELECT 2", {"day": "2026-02-01"})
    await work.worker().succeed(claim, None)
    await move_on(work.database)
    told = await work.run(run)
    assert (told["state"], [(task["job"], task["kind"]) for task in told["tasks"]]) == (
        "succeeded",
        [("load", "sql"), (None, "sql")],
    )
    assert [(task["run"]["job"], task["run"]["version"]) for task in told["tasks"]] == [("load", 1), ("daily", 1)]
    assert [one["id"] for one in (await work.caller.get(RUNS))["items"]] == [run["id"]]


async def test_a_task_knows_the_time_that_its_flow_is_scheduled_for(work: Work) -> None:
    await work.job("load", **LOAD)
    await work.job("daily", **FLOW, schedule={"cron": "0 * * * *"})
    due = now().replace(minute=0, second=0, microsecond=0)
    async with work.database.changing() as session:
        await session.execute(update(Job).where(Job.name == "daily").values(due_at=due))
    await start_due(work.database)
    for task in ("load", "report"):
        claim = await next_task(work)
        assert (claim.task, claim.scheduled_for) == (task, due)
        await work.worker().succeed(claim, None)


async def test_a_run_keeps_the_version_it_was_asked_for_with_also_when_it_is_repaired(work: Work) -> None:
    await work.job("load", **{**LOAD, "retries": {"count": 0}})
    await work.job("daily", **FLOW)
    run = await work.submit("daily")
    await work.job("load", **{**LOAD, "spec": {"sql": "SELECT 'newer'"}})
    claim = await next_task(work)
    assert claim.definition.spec["sql"] == "SELECT :day"
    await work.worker().fail(claim, "broken")
    await move_on(work.database)
    assert (await work.run(run))["state"] == "failed"
    await work.lose_job("load")
    await work.again(run)
    assert (await next_task(work)).definition.spec["sql"] == "SELECT :day"
    error = await work.submit("daily", status=400)
    assert "The task load is the job 'load', which is not in the workspace." in error["message"]
    assert "Make that job first" in error["hint"]


async def test_a_flow_of_missing_jobs_of_flows_or_of_itself_is_refused(work: Work) -> None:
    def flow(job: str) -> dict[str, Any]:
        return {"kind": "flow", "spec": {"tasks": [{"name": "one", "job": job}]}}

    error = await work.caller.ask("PUT", f"{JOBS}/outer", flow("nowhere"), status=400)
    assert "'nowhere', which is not in the workspace" in error["message"]
    await work.job("inner")
    await work.job("outer", **flow("inner"))
    for name in ("outer", "another"):
        error = await work.caller.ask("PUT", f"{JOBS}/{name}", flow("outer"), status=400)
        assert "which is itself a flow" in error["message"]
    await work.job("other")
    await work.job("inner", **flow("other"))
    assert "which is itself a flow" in (await work.submit("outer", status=400))["message"]


async def test_a_job_of_another_workspace_is_none(work: Work) -> None:
    await work.control.workspace("south")
    await work.caller.ask("PUT", "/workspaces/south/jobs/load", {"kind": "sql", "spec": {"sql": "SELECT 1"}})
    error = await work.caller.ask("PUT", f"{JOBS}/daily", FLOW, status=400)
    assert "not in the workspace" in error["message"]


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ({"job": "load", "kind": "sql", "spec": {"sql": "SELECT 1"}}, "which says the rest"),
        ({"job": "load", "retries": {"count": 1}}, "which says the rest"),
        ({"kind": "sql", "spec": {"sql": "SELECT 1"}, "values": {}}, "which only a job takes"),
        ({"kind": "sql"}, "needs a kind and a spec, or a job"),
        ({"job": "load", "values": {"day": "{{night}}"}}, "'night', which the job does not have"),
    ],
)
async def test_a_task_says_one_thing(work: Work, task: dict[str, Any], said: str) -> None:
    await work.job("load", **LOAD)
    wanted = {"kind": "flow", "spec": {"tasks": [{"name": "one", **task}]}}
    error = await work.caller.ask("PUT", f"{JOBS}/daily", wanted, status=400)
    assert said in error["message"]


async def test_values_that_the_job_does_not_take_are_refused_when_the_run_is_asked_for(work: Work) -> None:
    await work.job("load", **LOAD)
    tasks = [{"name": "one", "job": "load", "values": {"day": "{{day}}"}}]
    await work.job("daily", **{**FLOW, "spec": {"tasks": tasks}, "parameters": [{"name": "day"}]})
    error = await work.submit("daily", status=400, values={"day": "no day"})
    assert error["message"].startswith("The task one cannot begin: A value cannot be used")


async def test_a_schedule_leaves_out_a_flow_whose_job_is_gone_and_goes_on(work: Work) -> None:
    await work.job("load", **LOAD)
    every_minute = {"cron": "* * * * *", "timezone": "UTC", "catch_up": "latest"}
    await work.job("daily", **{**FLOW, "schedule": every_minute})
    await work.job("plain", schedule=every_minute)
    await work.lose_job("load")
    async with work.database.changing() as session:
        await session.execute(update(Job).values(due_at=now() - timedelta(minutes=1)))
    assert await start_due(work.database) >= 2
    told = {run["job"]: run for run in (await work.caller.get(RUNS))["items"]}
    assert (told["plain"]["state"], told["daily"]["state"]) == ("pending", "cancelled")
    assert told["daily"]["error"].startswith("Left out: The task load is the job 'load'")
    assert "not in the workspace" in (await work.again(told["daily"], status=400))["message"]
    await work.job("load", **LOAD)
    await work.again(told["daily"])
    claims = [await work.worker().claim() for _ in range(2) if not await move_on(work.database) > 1]
    assert "SELECT :day" in {claim.definition.spec["sql"] for claim in claims if claim}


TWO = [{"name": "one", "kind": "sql", "spec": {"sql": "SELECT 1"}}, {"name": "two", "after": ["one"], "job": "load"}]


@pytest.mark.parametrize(
    ("later", "said"),
    [
        ({}, "alpha (version 1) is not one that this version of Boathouse understands: tide"),
        ({"spec": {"tasks": [{**TWO[0], "tide": "high"}]}}, "understands: tasks.0.tide"),
        ({"spec": {"tasks": [{**TWO[0], "kind": "dance"}]}}, "'dance' is not a kind of job"),
    ],
)
async def test_a_flow_of_a_later_release_fails_and_holds_no_other_up(
    work: Work, later: dict[str, Any], said: str
) -> None:
    for name in ("alpha", "beta"):
        await work.job(name, kind="flow", spec={"tasks": TWO[:1]})
    spoiled, other = await work.submit("alpha"), await work.submit("beta")
    await work.spoil("alpha", **later)
    with capture_logs() as lines:
        assert await move_on(work.database) == 2
    assert lines == []
    told = await work.run(spoiled)
    assert told["state"] == "failed"
    assert said in told["error"]
    claim = await work.worker().claim()
    assert claim is not None
    assert claim.job == "beta"
    await work.worker().begin(claim)
    await work.worker().succeed(claim, None)
    assert await move_on(work.database) == 1
    assert (await work.run(other))["state"] == "succeeded"


async def test_what_is_under_way_of_a_flow_that_cannot_go_on_is_stopped_first(work: Work) -> None:
    await work.job("load")
    await work.job("alpha", kind="flow", spec={"tasks": [*TWO, {**TWO[0], "name": "three"}]})
    run = await work.submit("alpha")
    claim = await next_task(work)
    async with work.database.changing() as session:
        flow = await session.get_one(Run, run["id"])
        flow.definition = {"tasks": "of a later release"}
    await move_on(work.database)
    assert (await work.run(run))["state"] == "running"
    assert await work.worker().stops() == {claim.run_id}
    await work.worker().fail(claim, "stopped")
    await move_on(work.database)
    told = await work.run(run)
    assert (told["state"], told["tasks"]) == ("failed", [])
    assert "What the flow alpha is made of is not one" in told["error"]


async def test_a_flow_that_breaks_holds_no_other_up(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("alpha", "beta"):
        await work.job(name, kind="flow", spec={"tasks": TWO[:1]})
        await work.submit(name)
    whole = flows.flow_of

    def breaks_once(run: Run, definition: Definition) -> PinnedFlow:
        monkeypatch.setattr(flows, "flow_of", whole)
        raise RuntimeError("nobody thought of that")

    monkeypatch.setattr(flows, "flow_of", breaks_once)
    with capture_logs() as lines:
        await move_on(work.database)
    assert [line["event"] for line in lines] == ["flow.broke"]
    claim = await work.worker().claim()
    assert claim is not None
    assert claim.job == "beta"
    await move_on(work.database)
    assert (await work.worker().claim()) is not None


async def repaired_behind_another(work: Work) -> tuple[Any, Claim]:
    """A run that failed and is tried again, and the task at which another run of the same flow is meanwhile."""
    await work.job("alpha", kind="flow", spec={"tasks": TWO[:1]}, concurrency={"most": 1})
    run = await work.submit("alpha")
    await work.worker().fail(await next_task(work), "broken")
    await move_on(work.database)
    await work.submit("alpha")
    claim = await next_task(work)
    await work.again(run)
    await move_on(work.database)
    return await work.run(run), claim


async def test_tasks_of_a_flow_that_is_repaired_wait_until_it_begins(work: Work) -> None:
    run, under_way = await repaired_behind_another(work)
    (task,) = run["tasks"]
    assert (run["state"], task["run"]["state"]) == ("pending", "pending")
    assert await work.worker().claim() is None
    assert (await work.run(task["run"]))["waits_for"] == "The flow whose task it is has not begun."
    await work.worker().succeed(under_way, None)
    await move_on(work.database)
    claim = await next_task(work)
    assert (claim.run_id, claim.flow) == (task["run"]["id"], run["id"])


@pytest.mark.parametrize("way", ["stopped", "replaced"])
async def test_a_repaired_flow_that_is_stopped_before_it_begins_leaves_no_task_behind(work: Work, way: str) -> None:
    run, under_way = await repaired_behind_another(work)
    newer = await work.stop(run) if way == "stopped" else await work.submit("alpha", otherwise="replace")
    told = await work.run(run)
    (task,) = told["tasks"]
    assert (told["state"], task["run"]["state"]) == ("cancelled", "cancelled")
    assert task["run"]["error"] == told["error"]
    assert ("admin" if way == "stopped" else newer["id"]) in told["error"]
    await work.worker().fail(under_way, "stopped")
    # Repaired once more, it is whole.
    await work.again(run)
    await move_on(work.database)
    assert (await next_task(work)).run_id == task["run"]["id"]
