"""What giving out work costs: as much as there is of it, however many runs are over."""

import sqlite3
from collections.abc import Awaitable, Callable, Generator
from contextlib import closing, contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert, update

from boathouse.control.database import Database
from boathouse.control.database.base import now, table_of
from boathouse.control.jobs.models import Job
from boathouse.control.runs.deadlines import tell_missed
from boathouse.control.runs.flows import move_on
from boathouse.control.runs.models import Run
from boathouse.control.runs.schedule import start_due
from boathouse.kit.ids import new_uuid
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import Work

Question = tuple[str, tuple[Any, ...]]
_RUNS = table_of(Run)
STREAM = {"pipeline": {"pipeline": "meters", "source": {"kind": "postgres"}, "bronze": {"table": "log.all"}}}


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    if control.database.dialect != "sqlite":
        pytest.skip("What Postgres plans depends on its statistics.")
    await control.workspace("north")
    return Work(control)


@contextmanager
def asked() -> Generator[list[Question]]:
    """What is asked of the table of runs."""
    found: list[Question] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: Any) -> None:
        if statement.startswith("SELECT") and "FROM runs" in statement:
            found.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def _late(work: Work, run: Any) -> None:
    async with work.database.changing() as session:
        await session.execute(update(Run).where(Run.id == run["id"]).values(deadline_at=now() - timedelta(minutes=1)))


async def test_no_look_for_work_goes_through_the_runs_that_are_over(work: Work) -> None:
    await work.job("flow", kind="flow", spec={"tasks": [{"name": "one", "kind": "sql", "spec": {"sql": "SELECT 1"}}]})
    await work.job(schedule={"cron": "0 6 * * *"}, concurrency={"most": 2, "otherwise": "skip"})
    await work.submit("flow")
    await _late(work, await work.submit())
    async with work.database.changing() as session:
        await session.execute(update(Job).where(Job.name == "daily").values(due_at=now()))
    worker = work.worker()
    looks: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: tell_missed(work.database),
        lambda: move_on(work.database),
        lambda: start_due(work.database),
        worker.claim,
        worker.stops,
        worker.take_back_lost,
        lambda: work.caller.get("/workers"),
    )
    for look in looks:
        with asked() as questions:
            await look()
        assert questions
        for question in questions:
            assert not [step for step in _plan(work.database, question) if _is_long(step, question)], question


def _is_long(step: str, question: Question) -> bool:
    """Along what grows with the history."""
    statement, _ = question
    all_without_a_flow = step.endswith("(flow_id=?)") and "flow_id = ?" not in statement
    all_of_the_job = "_autoindex_" in step and step.endswith("(job_id=?)")
    return step.startswith("SCAN runs") or all_without_a_flow or all_of_the_job


def _plan(database: Database, question: Question) -> list[str]:
    statement, parameters = question
    with closing(sqlite3.connect(database.place)) as connection:
        return [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]


async def test_a_claim_looks_at_each_run_that_is_held_back_once(work: Work) -> None:
    await work.job(concurrency={"most": 1})
    await work.submit()
    worker = work.worker()
    assert await worker.claim() is not None
    waiting = await work.submit()
    steps: list[int] = []
    for more in (99, 900):
        await _copies(work.database, waiting["id"], more)
        with asked() as questions:
            assert await worker.claim() is None
        steps.append(sum(_steps(work.database, question) for question in questions))
    few, ten_times_as_many = steps
    assert ten_times_as_many < 20 * few, steps


async def _copies(database: Database, run_id: str, count: int) -> None:
    async with database.changing() as session:
        row = (await session.execute(_RUNS.select().where(_RUNS.c.id == run_id))).mappings().one()
        await session.execute(insert(_RUNS), [{**row, "id": new_uuid()} for _ in range(count)])


def _steps(database: Database, question: Question) -> int:
    """Of SQLite's machine: they take what time they take, but there are always as many."""
    made = 0

    def made_one() -> int:
        nonlocal made
        made += 1
        return 0

    with closing(sqlite3.connect(database.place)) as connection:
        connection.set_progress_handler(made_one, 1)
        connection.execute(*question).fetchall()
    return made


@pytest.mark.parametrize("under_way", [True, False])
async def test_how_a_stream_fares_costs_no_more_for_all_that_it_was_before(work: Work, *, under_way: bool) -> None:
    await work.job("meters", kind="stream", spec=STREAM, concurrency={"most": 1})
    worker = work.worker()
    over, now_at_work = await work.submit("meters"), None
    for _ in range(1 + under_way):
        claim = await worker.claim()
        assert claim is not None
        await worker.begin(claim)
        if claim.run_id == over["id"]:
            await worker.succeed(claim, None)
            now_at_work = await work.submit("meters") if under_way else None
    steps: list[int] = []
    for more in (99, 900):
        await _copies(work.database, over["id"], more)
        with asked() as questions:
            told = (await work.caller.get("/workspaces/north/pipelines/meters"))["stream"]
        assert (told["run_id"] == now_at_work["id"]) if now_at_work else (told["state"] == "succeeded")
        steps.append(sum(_steps(work.database, question) for question in questions))
    few, ten_times_as_many = steps
    assert ten_times_as_many < 1.1 * few, steps
