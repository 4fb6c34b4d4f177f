"""Pipelines and the figures of their runs in the database."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import RowMapping, Select, select, union_all
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.database.base import table_of
from boathouse.control.jobs.kinds.pipeline import Pipeline
from boathouse.control.jobs.kinds.stream import Stream
from boathouse.control.jobs.models import Job, JobVersion
from boathouse.control.jobs.repository import JobAndVersion
from boathouse.control.runs.models import Run
from boathouse.control.runs.states import ACTIVE, State

_RUNS = table_of(Run)
_FIGURES = ("id", "job", "kind", "state", "trigger", "requested_by", "created_at", "started_at", "ended_at", "report")
_LIVE = (
    "id",
    "job",
    "values",
    "state",
    "attempt",
    "stop_by",
    "created_at",
    "started_at",
    "ended_at",
    "error",
    "progress",
)
LATELY = 20
KINDS = (Pipeline.name, Stream.name)


async def find(
    session: AsyncSession, scope: Scope, *, kind: str | None, text: str | None, after: str | None, limit: int
) -> list[JobAndVersion]:
    """Jobs whose current version is a pipeline, by name."""
    query = (
        select(Job, JobVersion)
        .join(JobVersion, (JobVersion.job_id == Job.id) & (JobVersion.number == Job.version))
        .where(
            Job.workspace_id == scope.workspace_id,
            JobVersion.definition["kind"].as_string().in_(KINDS if kind is None else [kind]),
        )
    )
    if text:
        query = query.where(Job.name.icontains(text, autoescape=True))
    if after is not None:
        query = query.where(Job.name > after)
    return [(row[0], row[1]) for row in await session.execute(query.order_by(Job.name).limit(limit))]


async def lately(session: AsyncSession, scope: Scope, jobs: Sequence[str]) -> dict[str, list[RowMapping]]:
    """The newest runs of each. One query, whose cost does not grow with their history: it looks up a few for each job."""
    if not jobs:
        return {}
    each = [select(_of_job(scope, job).limit(LATELY).subquery()) for job in jobs]
    found: dict[str, list[RowMapping]] = {job: [] for job in jobs}
    for row in (await session.execute(union_all(*each))).mappings():
        found[row["job"]].append(row)
    return {job: sorted(rows, key=lambda row: row["id"], reverse=True) for job, rows in found.items()}


async def live(session: AsyncSession, scope: Scope, lately: Mapping[str, list[RowMapping]]) -> dict[str, RowMapping]:
    """Of each streaming pipeline the run that counts: the one at work, else the one that waits, else the last that began."""
    if not lately:
        return {}
    streams = (_RUNS.c.workspace_id == scope.workspace_id) & (_RUNS.c.kind == Stream.name)
    wanted = select(*(_RUNS.c[name] for name in _LIVE)).where(streams)
    under_way = wanted.where(_RUNS.c.job.in_(lately), _RUNS.c.state.in_({State.PENDING, *ACTIVE}))
    rows = (await session.execute(under_way.order_by(_RUNS.c.id.desc()))).mappings().all()
    found = {row["job"]: row for row in sorted(rows, key=lambda row: row["state"] in ACTIVE)}
    last = [
        _last([row for row in runs if row["kind"] == Stream.name]) for job, runs in lately.items() if job not in found
    ]
    over = await session.execute(wanted.where(_RUNS.c.id.in_([one for one in last if one])))
    return {**found, **{row["job"]: row for row in over.mappings()}}


def _last(runs: Sequence[RowMapping]) -> str | None:
    """One that was left out says nothing of how the pipeline fares."""
    return next((run["id"] for run in runs if run["started_at"] is not None), runs[0]["id"] if runs else None)


async def history(
    session: AsyncSession, scope: Scope, job: str, *, before: str | None, limit: int
) -> Sequence[RowMapping]:
    """The newest first."""
    query = _of_job(scope, job)
    if before is not None:
        query = query.where(_RUNS.c.id < before)
    return (await session.execute(query.limit(limit))).mappings().all()


def _of_job(scope: Scope, job: str) -> Select[Any]:
    return (
        select(*(_RUNS.c[name] for name in _FIGURES))
        .where(_RUNS.c.workspace_id == scope.workspace_id, _RUNS.c.job == job, _RUNS.c.is_listed)
        .order_by(_RUNS.c.id.desc())
    )
