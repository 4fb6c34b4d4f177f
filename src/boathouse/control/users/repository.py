"""Users in the database."""

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.users.models import User


async def by_name(session: AsyncSession, name: str) -> User | None:
    return await session.scalar(select(User).where(User.name == name.lower()))


async def find(session: AsyncSession, *, text: str | None, after: str | None, limit: int) -> list[User]:
    query = select(User).order_by(User.name).limit(limit)
    if text is not None:
        query = query.where(has(text))
    if after is not None:
        query = query.where(User.name > after)
    return list((await session.scalars(query)).all())


def has(text: str) -> ColumnElement[bool]:
    """Whether it is in the name, in what they are called, or in their address."""
    return or_(*(column.icontains(text, autoescape=True) for column in (User.name, User.display_name, User.email)))


async def any_user(session: AsyncSession) -> bool:
    return await session.scalar(select(User.id).limit(1)) is not None


async def first_platform_admin(session: AsyncSession) -> User | None:
    """Of those who may log in, the one who is there longest."""
    query = select(User).where(User.is_platform_admin.is_(True), User.disabled_at.is_(None)).order_by(User.id).limit(1)
    return await session.scalar(query)


async def other_admins(session: AsyncSession, user_id: str) -> int:
    """How many platform admins could go on if that one could not.

    All are held until the change ends: else two who leave at the same moment would each count on the other.
    """
    admins = select(User.id).where(User.is_platform_admin.is_(True), User.disabled_at.is_(None)).order_by(User.id)
    # Not held more than that: whoever logs in refers to a user.
    held = await session.scalars(admins.with_for_update(key_share=True))
    return sum(found != user_id for found in held)
