"""Schedules beside runs that end, of jobs that are changed, and of jobs that another version of Boathouse wrote."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text, update

from boathouse.control.database import Database
from boathouse.control.database.base import now
from boathouse.control.jobs.models import Job
from boathouse.control.jobs.touched import Touched
from boathouse.control.lineage.recording import record
from boathouse.control.runs import changes
from boathouse.control.runs.schedule import start_due
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.test_runs import claimed
from tests.behaviour.control.work import JOBS, RUNS, SQL, Work

HOURLY: dict[str, Any] = {"cron": "0 * * * *"}
PATIENCE = 120


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    return Work(control)


async def let_be_due(work: Work) -> None:
    """At the full hour before this one."""
    due = now().replace(minute=0, second=0, microsecond=0) - timedelta(hours=1)
    async with work.database.changing() as session:
        await session.execute(update(Job).values(due_at=due))


async def until_somebody_waits(database: Database) -> None:
    # Not of the locks: one that is waited for until a transaction ends says not of which database it is.
    waiting = text("SELECT count(*) FROM pg_stat_activity "
                   "WHERE datname = current_database() AND wait_event_type = 'Lock'")  # fmt: skip
    async with asyncio.timeout(PATIENCE), database.reading() as session:
        while not await session.scalar(waiting):  # noqa: ASYNC110 - it is another server that waits
            await asyncio.sleep(0.05)


# On SQLite one change waits for the other from its beginning.
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
@pytest.mark.parametrize("ending", ["succeeded", "failed"])
async def test_a_run_ends_while_its_schedule_makes_room_for_another(work: Work, ending: str) -> None:
    await work.job(schedule=HOURLY, concurrency={"most": 1, "otherwise": "replace"})
    await work.submit()
    claim = await claimed(work.worker())
    await work.worker().begin(claim)
    await let_be_due(work)
    async with work.database.changing() as session:
        run = await changes.held(session, claim.run_id, "w1", claim.attempt)
        starting = asyncio.create_task(start_due(work.database))
        await until_somebody_waits(work.database)
        if ending == "succeeded":
            # Its rows refer to the job's, and so does whether the job is failing.
            await record(session, run, Touched(reads=frozenset({"sales.orders"})), now())
            await changes.succeeded(session, run, now())
        else:
            await changes.failed(session, run, now(), "no oars")
    assert await starting == 1
    told = {run["trigger"]: run["state"] for run in (await work.caller.get(RUNS))["items"]}
    assert told == {"request": ending, "schedule": "pending"}


async def missed(work: Work, catch_up: str = "all") -> tuple[dict[str, Any], str]:
    """A job with two times that nobody was there for, and the first of them."""
    schedule = {**HOURLY, "catch_up": catch_up}
    await work.job(schedule=schedule)
    await let_be_due(work)
    return schedule, (await work.caller.get(f"{JOBS}/daily"))["due_at"]


async def runs_made(work: Work) -> int:
    await start_due(work.database)
    return len((await work.caller.get(RUNS))["items"])


async def test_a_new_version_with_the_same_schedule_forgets_no_time(work: Work) -> None:
    schedule, due_at = await missed(work)
    changed = await work.job(schedule=schedule, description="as it was, in other words")
    assert (changed["version"], changed["due_at"]) == (2, due_at)
    assert await runs_made(work) == 2


async def test_what_becomes_of_missed_times_is_for_the_latest_version_to_say(work: Work) -> None:
    schedule, due_at = await missed(work, "none")
    assert (await work.job(schedule={**schedule, "catch_up": "all"}))["due_at"] == due_at
    assert await runs_made(work) == 2


@pytest.mark.parametrize("other", [{"cron": "30 * * * *"}, {"timezone": "Asia/Kolkata"}])
async def test_another_schedule_begins_when_it_is_made(work: Work, other: dict[str, str]) -> None:
    schedule, _ = await missed(work)
    changed = await work.job(schedule={**schedule, **other})
    assert datetime.fromisoformat(changed["due_at"]) > now()
    assert await runs_made(work) == 0


async def test_a_version_that_is_not_understood_is_mended_without_a_time_forgotten(work: Work) -> None:
    schedule, due_at = await missed(work)
    await work.spoil("daily")
    assert (await work.job(schedule=schedule))["due_at"] == due_at
    assert await runs_made(work) == 2


async def test_to_resume_a_job_that_does_not_rest_forgets_no_time(work: Work) -> None:
    await work.job(schedule={**HOURLY, "catch_up": "all"})
    await let_be_due(work)
    await work.caller.post(f"{JOBS}/daily/resume", status=200)
    assert await start_due(work.database) >= 2


async def test_a_field_for_seconds_is_refused_and_what_was_stored_with_one_goes_on(work: Work) -> None:
    seconds = {**HOURLY, "cron": "0 0 * * * *", "timezone": "UTC", "catch_up": "latest"}
    refused = await work.caller.ask("PUT", f"{JOBS}/daily", {**SQL, "schedule": seconds}, status=400)
    assert "seconds" in refused["message"]
    await work.job(schedule=HOURLY)
    await work.spoil("daily", schedule=seconds)
    await let_be_due(work)
    assert await start_due(work.database) == 1
    assert (await work.caller.get(f"{JOBS}/daily"))["definition"]["schedule"] == seconds
