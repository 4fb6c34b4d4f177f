"""A worker and the API while their Postgres goes away and comes back, and while something they do breaks."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from sqlalchemy import text, update
from structlog.testing import capture_logs

from boathouse.control.database import migrate, open_database
from boathouse.control.database.base import now
from boathouse.control.jobs.models import Job
from boathouse.control.notifications.courier import Courier
from boathouse.control.runs.leases import Leases
from boathouse.control.worker.chores import Chore
from boathouse.control.worker.worker import Worker, WorkerOptions
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import RUNS, Work
from tests.postgres_server import PostgresServer

PATIENCE = 60
YEARLY = {"cron": "0 0 1 1 *", "catch_up": "latest"}
OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL"


@pytest.fixture(scope="module")
def own_postgres() -> Generator[PostgresServer]:
    """To be stopped and started, which others would notice."""
    with PostgresServer() as server:
        yield server


@asynccontextmanager
async def work_on(url: str) -> AsyncGenerator[Work]:
    database = open_database(url)
    try:
        await migrate(database)
        async with ControlPlane(database) as control:
            await control.workspace("north")
            yield Work(control)
    finally:
        await database.close()


@asynccontextmanager
async def idle_worker(work: Work, courier: Courier | None = None) -> AsyncGenerator[Worker]:
    """One that takes up no runs, and does all the rest."""
    worker = Worker(Leases(work.database, "w1"), WorkerOptions(results="file:///nowhere", slots=0), courier)
    under_way = asyncio.create_task(worker.work())
    try:
        yield worker
    finally:
        worker.stop()
        await under_way


def has_said(lines: Sequence[Mapping[str, Any]], event: str, reason: str = "") -> bool:
    return any(line["event"] == event and reason in line.get("reason", "") for line in lines)


async def until(holds: Callable[[], Any]) -> None:
    deadline = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < deadline
        await asyncio.sleep(0.05)


async def wait_for_a_scheduled_run(work: Work) -> None:
    new_year = now().replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0)
    async with work.database.changing() as session:
        await session.execute(update(Job).values(due_at=new_year))
    deadline = monotonic() + PATIENCE
    while not (await work.caller.get(RUNS))["items"]:
        assert monotonic() < deadline, "nobody starts what is due any more"
        await asyncio.sleep(0.1)


async def test_chores_notifications_and_answers_outlive_a_restart_of_postgres(own_postgres: PostgresServer) -> None:
    holder = open_database(own_postgres.url())
    async with work_on(own_postgres.url()) as work:
        await work.job(schedule=YEARLY)
        courier = Courier(work.database, lambda: work.control.app.state.connections)
        with capture_logs() as lines:
            async with idle_worker(work, courier):
                async with holder.engine.connect() as held:
                    await held.execute(text("SELECT 1"))
                    own_postgres.let_nobody_in()
                    await held.execute(text(OTHERS))
                    # Not refused by the machine but by Postgres, with a state of its own.
                    for told in ("worker.chore-failed", "courier.cannot-look"):
                        await until(partial(has_said, lines, told, "shutting down"))
                    ready = await work.caller.http.get("/readyz")
                    assert (ready.status_code, "shutting down" in ready.text) == (503, True)
                    await work.caller.get(RUNS, status=503)
                await holder.close()
                own_postgres.stop()
                own_postgres.start()
                await wait_for_a_scheduled_run(work)
        assert not [one for one in lines if one["event"].endswith("-broke")]


async def test_what_breaks_in_a_way_nobody_thought_of_does_not_end_a_worker(own_postgres: PostgresServer) -> None:
    own_postgres.execute("CREATE DATABASE odd")
    async with work_on(own_postgres.url("odd")) as work:
        await work.job(schedule=YEARLY)
        courier = Courier(work.database, lambda: work.control.app.state.connections)
        with capture_logs() as lines:
            async with idle_worker(work, courier):
                for table, told in (("jobs", "worker.chore-broke"), ("notification_deliveries", "courier.look-broke")):
                    await rename(work, table, f"{table}_away")
                    await until(partial(has_said, lines, told))
                    await rename(work, f"{table}_away", table)
                await wait_for_a_scheduled_run(work)


async def rename(work: Work, table: str, other: str) -> None:
    async with work.database.changing() as session:
        await session.execute(text(f"ALTER TABLE {table} RENAME TO {other}"))


async def test_a_chore_that_breaks_is_done_again_the_next_time() -> None:
    tries: list[int] = []

    async def breaks_once() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise KeyError("nobody thought of this")

    chore = Chore(breaks_once, 3600)
    with capture_logs() as lines:
        assert [await chore.done() for _ in range(3)] == [False, True, True]
    assert (len(tries), has_said(lines, "worker.chore-broke")) == (2, True)


async def test_a_worker_whose_chores_have_ended_ends_with_the_reason(control: ControlPlane, tmp_path: Path) -> None:
    options = WorkerOptions(results="file:///nowhere", slots=0, sign_of_life=tmp_path / "gone" / "alive")
    with pytest.raises(FileNotFoundError, match="gone"):
        async with asyncio.timeout(PATIENCE):
            await Worker(Leases(control.database, "w1"), options).work()
