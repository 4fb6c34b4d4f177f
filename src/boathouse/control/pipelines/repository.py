"""Pipelines and the figures of their runs in the database."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import RowMapping, Select, select, union_all
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.database.base import table_of
from boathouse.control.jobs.kinds.pipeline import Pipeline
from boathouse.control.jobs.models import Job, JobVersion
from boathouse.control.jobs.repository import JobAndVersion
from boathouse.control.runs.models import Run

_RUNS = table_of(Run)
_FIGURES = ("id", "job", "state", "trigger", "requested_by", "created_at", "started_at", "ended_at", "report")
LATELY = 20


async def find(
    session: AsyncSession, scope: Scope, *, text: str | None, after: str | None, limit: int
) -> list[JobAndVersion]:
    """Jobs whose current version is a pipeline, by name."""
    query = (
        select(Job, JobVersion)
        .join(JobVersion, (JobVersion.job_id == Job.id) & (JobVersion.number == Job.version))
        .where(Job.workspace_id == scope.workspace_id, JobVersion.definition["kind"].as_string() == Pipeline.name)
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
