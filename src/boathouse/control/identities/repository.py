"""Identities in the database."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.identities.models import Identity
from boathouse.control.users.models import User
from boathouse.control.workspaces.models import Workspace


async def user_of(session: AsyncSession, issuer: str, subject: str) -> User | None:
    query = (
        select(User)
        .join(Identity, Identity.user_id == User.id)
        .where(Identity.issuer == issuer, Identity.subject == subject)
    )
    return await session.scalar(query)


async def workspaces_named(session: AsyncSession, names: Iterable[str]) -> list[Workspace]:
    query = select(Workspace).where(Workspace.name.in_(list(names))).order_by(Workspace.name)
    return list((await session.scalars(query)).all())
