"""Why a run waits is told, and what could never begin is refused."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from boathouse.control.database.base import now
from boathouse.control.jobs.models import Job
from boathouse.control.runs.models import Run
from boathouse.control.runs.schedule import start_due
from boathouse.control.workers.service import Presence
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import RUNS, Work

TWO_AT_ONCE = {"quotas": {"runs": 2, "cores": 8, "memory_mb": 8192}}


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    await control.admin.ask("PATCH", "/workspaces/north", TWO_AT_ONCE)
    return Work(control)


async def _waits_for(work: Work, run: Any) -> str | None:
    return (await work.run(run))["waits_for"]


async def test_a_run_waits_for_a_worker_and_that_there_is_none_is_told(work: Work) -> None:
    await work.job()
    run = await work.submit()
    assert "No worker is running" in (await _waits_for(work, run) or "")
    await Presence(work.database, "w1", "here", 1, 4, started_at=now()).show()
    assert "a worker that is free" in (await _waits_for(work, run) or "")
    assert await work.worker().claim() is not None
    assert await _waits_for(work, run) is None


async def test_a_run_waits_for_others_of_its_job_or_of_its_workspace(work: Work) -> None:
    await work.job("alone", concurrency={"most": 1})
    await work.job("other")
    await work.submit("alone")
    assert await work.worker().claim() is not None
    second = await work.submit("alone")
    assert "Runs of alone under way: 1" in (await _waits_for(work, second) or "")
    await work.submit("other")
    assert await work.worker().claim() is not None
    assert "Runs of north under way: 2" in (await _waits_for(work, await work.submit("other")) or "")


async def test_a_run_waits_for_cores_that_others_have(work: Work) -> None:
    await work.job("wide", resources={"cores": 5})
    await work.submit("wide")
    assert await work.worker().claim() is not None
    told = await _waits_for(work, await work.submit("wide"))
    assert told == "It takes 5 cores, and of the 8 of north others have 5."


async def test_a_run_waits_for_its_next_try(work: Work) -> None:
    await work.job()
    run = await work.submit()
    async with work.database.changing() as session:
        await session.execute(update(Run).values(available_at=now() + timedelta(hours=1)))
    assert "Its next try begins at" in (await _waits_for(work, run) or "")


async def test_what_takes_more_than_the_workspace_may_have_is_refused_when_it_is_asked_for(work: Work) -> None:
    await work.job("huge", resources={"cores": 9})
    refused = await work.submit("huge", status=409)
    assert "takes 9 cores, and north allows 8" in refused["message"]
    task = {"name": "one", "kind": "sql", "spec": {"sql": "SELECT 1"}, "resources": {"memory_mb": 9000}}
    await work.job("flow", kind="flow", spec={"tasks": [task]})
    assert "Its task one takes 9,000 MB" in (await work.submit("flow", status=409))["message"]


async def test_a_flow_takes_only_what_its_tasks_take(work: Work) -> None:
    await work.caller.ask("PATCH", "/workspaces/north", {"quotas": {"runs": 2, "cores": 1, "memory_mb": 512}})
    task = {"name": "one", "kind": "sql", "spec": {"sql": "SELECT 1"}, "resources": {"memory_mb": 512}}
    await work.job("flow", kind="flow", spec={"tasks": [task]})
    assert "No worker is running" in (await _waits_for(work, await work.submit("flow")) or "")


async def test_a_schedule_leaves_out_what_could_never_begin_and_says_so(work: Work) -> None:
    await work.job("huge", resources={"cores": 9}, schedule={"cron": "* * * * *", "timezone": "UTC"})
    async with work.database.changing() as session:
        await session.execute(update(Job).values(due_at=now() - timedelta(minutes=1)))
    await start_due(work.database)
    runs = (await work.caller.get(RUNS))["items"]
    assert runs
    assert all(run["state"] == "cancelled" for run in runs)
    assert "Left out: It takes 9 cores" in runs[0]["error"]


async def test_a_quota_that_was_lowered_meanwhile_is_told_of(work: Work) -> None:
    await work.job("wide", resources={"cores": 5})
    run = await work.submit("wide")
    await work.caller.ask("PATCH", "/workspaces/north", {"quotas": {"runs": 2, "cores": 4, "memory_mb": 8192}})
    assert "It never begins" in (await _waits_for(work, run) or "")


async def test_what_a_run_took_is_all_of_its_attempts(work: Work) -> None:
    await work.job(retries={"count": 1, "delay_seconds": 1})
    run = await work.submit()
    worker = work.worker()
    started = []
    for _ in range(2):
        claim = await worker.claim()
        assert claim is not None
        await worker.begin(claim)
        started.append((await work.run(run))["started_at"])
        await worker.fail(claim, "no")
        await work.let_delays_end()
    assert started[0] == started[1]
    await work.again(run)
    assert await worker.claim() is not None
    assert (await work.run(run))["started_at"] > started[0]
