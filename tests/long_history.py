"""A long history: copies of a run as the API made it, one a minute up to now, written past the API."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from sqlalchemy import insert, select, text

from boathouse.control.database import open_database
from boathouse.control.database.base import table_of
from boathouse.control.jobs.models import Job
from boathouse.control.runs.models import LogChunk, Run, RunAttempt
from boathouse.control.runs.states import State
from boathouse.kit.ids import new_uuid

_AT_ONCE = 2_000
Row = dict[str, Any]


def lengthen(url: str, count: int, *, log_every: int = 1) -> None:
    """So many more runs, spread over the jobs that are there; each has a log, or one in so many."""
    # In a thread of its own: where a browser runs there is a loop already.
    with ThreadPoolExecutor(1) as beside:
        beside.submit(asyncio.run, _lengthen(url, count, log_every)).result()


async def _lengthen(url: str, count: int, log_every: int) -> None:
    database = open_database(url)
    try:
        async with database.reading() as session:
            model = (await session.scalars(select(Run).order_by(Run.id).limit(1))).one()
            found = await session.execute(select(Job.id, Job.name).order_by(Job.name))
            jobs = [(row.id, row.name) for row in found]
        for first in range(0, count, _AT_ONCE):
            runs = list(_runs(model, jobs, range(first, min(first + _AT_ONCE, count)), count))
            async with database.changing() as session:
                await session.execute(insert(table_of(Run)), runs)
                await session.execute(insert(table_of(RunAttempt)), [_attempt(run) for run in runs])
                await session.execute(insert(table_of(LogChunk)), [_log(run) for run in runs[::log_every]])
        if database.dialect == "postgresql":
            # What grows by and by is counted by and by; so much at once would be counted too late.
            async with database.changing() as session:
                await session.execute(text("ANALYZE"))
    finally:
        await database.close()


def _runs(model: Run, jobs: list[tuple[str, str]], numbers: range, count: int) -> Iterator[Row]:
    kept = {column.key: getattr(model, column.key) for column in Run.__mapper__.column_attrs}
    # Those of one millisecond come in any order, and runs are listed by them.
    for number, run_id in zip(numbers, sorted(new_uuid() for _ in numbers), strict=True):
        job_id, job = jobs[number % len(jobs)]
        # One in fifty failed, as in a place where things mostly work.
        state, error = (
            (State.FAILED, "Table not found: lake.sales.orders") if number % 50 == 0 else (State.SUCCEEDED, None)
        )
        begun = model.created_at - timedelta(minutes=count - number)
        yield {
            **kept,
            "id": run_id,
            "key": None,
            "job_id": job_id,
            "job": job,
            "created_at": begun,
            "state": state,
            "error": error,
            "attempt": 1,
            "worker": "bench",
            "started_at": begun,
            "ended_at": begun + timedelta(seconds=7 + number % 11),
        }


def _attempt(run: Row) -> Row:
    return {
        "run_id": run["id"],
        "number": 1,
        "worker": run["worker"],
        "state": run["state"],
        "claimed_at": run["started_at"],
        "started_at": run["started_at"],
        "ended_at": run["ended_at"],
        "error": run["error"],
    }


def _log(run: Row) -> Row:
    at = int(run["started_at"].timestamp() * 1000)
    return {"run_id": run["id"], "attempt": 1, "number": 0, "lines": [[at, "out", f"line {n}"] for n in range(20)]}
