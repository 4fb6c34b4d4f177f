"""Jobs in the database."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.database.base import table_of
from boathouse.control.jobs.models import Job, JobVersion
from boathouse.control.jobs.schemas import JobTold

JobAndVersion = tuple[Job, JobVersion]
_JOBS, _VERSIONS = table_of(Job), table_of(JobVersion)
TOLD = tuple(JobTold.model_fields)
_FOUND = (
    # Of columns and not of objects: a list is many rows that nobody changes.
    select(*((_VERSIONS if name == "definition" else _JOBS).c[name] for name in TOLD))
    .join_from(_JOBS, _VERSIONS, (_VERSIONS.c.job_id == _JOBS.c.id) & (_VERSIONS.c.number == _JOBS.c.version))
    # Every name comes after none.
    .where(_JOBS.c.workspace_id == bindparam("workspace"), _JOBS.c.name > bindparam("after"))
    .order_by(_JOBS.c.name)
    .limit(bindparam("most"))
)
_BOTH = select(Job, JobVersion).join(JobVersion, (JobVersion.job_id == Job.id) & (JobVersion.number == Job.version))


async def by_name(session: AsyncSession, scope: Scope, name: str) -> JobAndVersion | None:
    """With its current version."""
    return await of_workspace(session, scope.workspace_id, name)


async def of_workspace(session: AsyncSession, workspace_id: str, name: str) -> JobAndVersion | None:
    """For what is done for a workspace by nobody in it, such as its schedules."""
    query = _BOTH.where(Job.workspace_id == workspace_id, Job.name == name)
    found = (await session.execute(query)).first()
    return (found[0], found[1]) if found else None


async def find(session: AsyncSession, scope: Scope, *, after: str | None, limit: int) -> Sequence[Row[Any]]:
    """By name, as `TOLD` names their columns."""
    given = {"workspace": scope.workspace_id, "after": after or "", "most": limit}
    return (await session.execute(_FOUND, given)).all()


async def all_of(session: AsyncSession, scope: Scope) -> list[JobAndVersion]:
    """By name, with their current versions."""
    query = _BOTH.where(Job.workspace_id == scope.workspace_id).order_by(Job.name)
    return [(row[0], row[1]) for row in await session.execute(query)]


async def of_kind(session: AsyncSession, scope: Scope, kind: str) -> list[JobAndVersion]:
    """By name, with their current versions."""
    query = _BOTH.where(Job.workspace_id == scope.workspace_id, JobVersion.definition["kind"].as_string() == kind)
    return [(row[0], row[1]) for row in await session.execute(query.order_by(Job.name))]


async def version(session: AsyncSession, job_id: str, number: int) -> JobVersion | None:
    return await session.get(JobVersion, (job_id, number))


async def versions(session: AsyncSession, job_id: str, *, before: int | None, limit: int) -> list[JobVersion]:
    """The newest first."""
    query = select(JobVersion).where(JobVersion.job_id == job_id)
    if before is not None:
        query = query.where(JobVersion.number < before)
    return list((await session.scalars(query.order_by(JobVersion.number.desc()).limit(limit))).all())


def is_due(at: datetime) -> ColumnElement[bool]:
    return and_(Job.due_at <= at, Job.paused.is_(False))


async def due(session: AsyncSession, at: datetime, limit: int) -> list[JobAndVersion]:
    """Jobs of all workspaces whose time has come, held until the change ends.

    Whoever pauses or changes one meanwhile waits, and has the last word; one that somebody is changing is found the next time.
    """
    query = _BOTH.where(is_due(at)).order_by(Job.due_at).limit(limit)
    held = query.with_for_update(of=Job, key_share=True, skip_locked=True).execution_options(populate_existing=True)
    return [(row[0], row[1]) for row in await session.execute(held)]


async def set_failing(session: AsyncSession, job_id: str, *, failing: bool) -> bool:
    """Whether that is news. Decided by the database, so that of two runs that end at once one brings it."""
    changed = update(Job).where(Job.id == job_id, Job.failing.is_(not failing)).values(failing=failing)
    return (await session.execute(changed.returning(Job.id))).first() is not None
