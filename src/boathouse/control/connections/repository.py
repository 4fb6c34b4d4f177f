"""Connections in the database, always of one workspace."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.connections.models import Connection


async def by_name(session: AsyncSession, scope: Scope, name: str) -> Connection | None:
    return await of_workspace(session, scope.workspace_id, name)


async def of_workspace(session: AsyncSession, workspace_id: str, name: str) -> Connection | None:
    """For a worker, which comes with a run of the workspace instead of somebody in it."""
    return await session.scalar(
        select(Connection).where(Connection.workspace_id == workspace_id, Connection.name == name)
    )


async def find(session: AsyncSession, scope: Scope, *, after: str | None, limit: int) -> list[Connection]:
    query = select(Connection).where(Connection.workspace_id == scope.workspace_id)
    if after is not None:
        query = query.where(Connection.name > after)
    return list((await session.scalars(query.order_by(Connection.name).limit(limit))).all())


async def every(session: AsyncSession, *, lock: bool = False) -> list[Connection]:
    """Of all workspaces: for a change of keys, which nobody may change them meanwhile for."""
    query = select(Connection).order_by(Connection.id)
    return list((await session.scalars(query.with_for_update() if lock else query)).all())
