"""Queries in the database: each user's own history, and the workspace's saved texts."""

from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.queries.models import Query, SavedQuery
from boathouse.control.runs.models import Run

QueryAndRun = tuple[Query, Run]


async def find(
    session: AsyncSession, scope: Scope, *, text: str | None, before: str | None, limit: int
) -> list[QueryAndRun]:
    """The caller's own, the newest first."""
    query = (
        select(Query, Run)
        .join(Run, Run.id == Query.run_id)
        .where(Query.workspace_id == scope.workspace_id, Query.user_id == scope.actor.user_id)
    )
    if text:
        query = query.where(Query.sql.icontains(text, autoescape=True))
    if before is not None:
        query = query.where(Query.id < before)
    return [(row[0], row[1]) for row in await session.execute(query.order_by(Query.id.desc()).limit(limit))]


async def by_id(session: AsyncSession, scope: Scope, query_id: str) -> QueryAndRun | None:
    return await _one(session, scope, Query.id == query_id)


async def by_run(session: AsyncSession, scope: Scope, run_id: str) -> QueryAndRun | None:
    return await _one(session, scope, Query.run_id == run_id)


async def _one(session: AsyncSession, scope: Scope, which: ColumnElement[bool]) -> QueryAndRun | None:
    """Of the caller's own."""
    query = (
        select(Query, Run)
        .join(Run, Run.id == Query.run_id)
        .where(Query.workspace_id == scope.workspace_id, Query.user_id == scope.actor.user_id, which)
    )
    found = (await session.execute(query)).first()
    return (found[0], found[1]) if found else None


async def saved(session: AsyncSession, scope: Scope, *, after: str | None, limit: int) -> list[SavedQuery]:
    query = select(SavedQuery).where(SavedQuery.workspace_id == scope.workspace_id)
    if after is not None:
        query = query.where(SavedQuery.name > after)
    return list((await session.scalars(query.order_by(SavedQuery.name).limit(limit))).all())


async def saved_by_name(session: AsyncSession, scope: Scope, name: str) -> SavedQuery | None:
    return await session.scalar(
        select(SavedQuery).where(SavedQuery.workspace_id == scope.workspace_id, SavedQuery.name == name)
    )
