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
from boathouse.control.runs.models import Run, is_under_way
from boathouse.control.runs.states import ACTIVE

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


async def live(
    session: AsyncSession, scope: Scope, jobs: Sequence[Job], lately: Mapping[str, list[RowMapping]]
) -> dict[str, RowMapping]:
    """Of each streaming pipeline the run that counts: the one at work, else the one that waits, else the last that began.

    Where none ever began, the newest of those that are lately.
    """
    if not jobs:
        return {}
    # By its id: by its name SQLite would go through all the runs that the job ever had.
    under_way = _streams(scope).where(_RUNS.c.job_id.in_([job.id for job in jobs]), is_under_way(_RUNS.c.state))
    rows = (await session.execute(under_way.order_by(_RUNS.c.id.desc()))).mappings().all()
    found = {row["job"]: row for row in sorted(rows, key=lambda row: row["state"] in ACTIVE)}
    found |= await _last_begun(session, scope, [job.name for job in jobs if job.name not in found])
    newest = [_newest_stream(lately[job.name]) for job in jobs if job.name not in found]
    return {**found, **await _by_id(session, scope, [one for one in newest if one is not None])}


async def _last_begun(session: AsyncSession, scope: Scope, jobs: Sequence[str]) -> dict[str, RowMapping]:
    """However many replays there were since. One that was left out says nothing of how the pipeline fares."""
    if not jobs:
        return {}
    begun = _streams(scope).where(_RUNS.c.started_at.is_not(None)).order_by(_RUNS.c.id.desc()).limit(1)
    rows = await session.execute(union_all(*(select(begun.where(_RUNS.c.job == job).subquery()) for job in jobs)))
    return {row["job"]: row for row in rows.mappings()}


async def _by_id(session: AsyncSession, scope: Scope, runs: Sequence[str]) -> dict[str, RowMapping]:
    # For none of them SQLite would go through all runs of the workspace to find that it is none.
    if not runs:
        return {}
    rows = await session.execute(_streams(scope).where(_RUNS.c.id.in_(runs)))
    return {row["job"]: row for row in rows.mappings()}


def _newest_stream(runs: Sequence[RowMapping]) -> str | None:
    return next((run["id"] for run in runs if run["kind"] == Stream.name), None)


def _streams(scope: Scope) -> Select[Any]:
    of_streams = (_RUNS.c.workspace_id == scope.workspace_id) & (_RUNS.c.kind == Stream.name)
    return select(*(_RUNS.c[name] for name in _LIVE)).where(of_streams)


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
