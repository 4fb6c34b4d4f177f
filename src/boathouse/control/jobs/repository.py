"""Jobs in the database."""

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.jobs.models import Job, JobVersion

JobAndVersion = tuple[Job, JobVersion]
_BOTH = select(Job, JobVersion).join(JobVersion, (JobVersion.job_id == Job.id) & (JobVersion.number == Job.version))


async def by_name(session: AsyncSession, scope: Scope, name: str) -> JobAndVersion | None:
    """With its current version."""
    return await of_workspace(session, scope.workspace_id, name)


async def of_workspace(session: AsyncSession, workspace_id: str, name: str) -> JobAndVersion | None:
    """For what is done for a workspace by nobody in it, such as its schedules."""
    query = _BOTH.where(Job.workspace_id == workspace_id, Job.name == name)
    found = (await session.execute(query)).first()
    return (found[0], found[1]) if found else None


async def find(session: AsyncSession, scope: Scope, *, after: str | None, limit: int) -> list[JobAndVersion]:
    query = _BOTH.where(Job.workspace_id == scope.workspace_id)
    if after is not None:
        query = query.where(Job.name > after)
    return [(row[0], row[1]) for row in await session.execute(query.order_by(Job.name).limit(limit))]


async def version(session: AsyncSession, job_id: str, number: int) -> JobVersion | None:
    return await session.get(JobVersion, (job_id, number))


async def versions(session: AsyncSession, job_id: str, *, before: int | None, limit: int) -> list[JobVersion]:
    """The newest first."""
    query = select(JobVersion).where(JobVersion.job_id == job_id)
    if before is not None:
        query = query.where(JobVersion.number < before)
    return list((await session.scalars(query.order_by(JobVersion.number.desc()).limit(limit))).all())


async def due(session: AsyncSession, at: datetime, limit: int) -> list[JobAndVersion]:
    """Jobs of all workspaces whose time has come."""
    query = _BOTH.where(Job.due_at <= at).order_by(Job.due_at).limit(limit)
    return [(row[0], row[1]) for row in await session.execute(query)]


async def set_failing(session: AsyncSession, job_id: str, *, failing: bool) -> bool:
    """Whether that is news. Decided by the database, so that of two runs that end at once one brings it."""
    changed = update(Job).where(Job.id == job_id, Job.failing.is_(not failing)).values(failing=failing)
    return (await session.execute(changed.returning(Job.id))).first() is not None
