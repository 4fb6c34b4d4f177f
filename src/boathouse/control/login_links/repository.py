"""Login links in the database."""

from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.secrets import hash_of
from boathouse.control.database.base import now
from boathouse.control.login_links.models import LoginLink
from boathouse.control.users.models import User


async def take(session: AsyncSession, code: str) -> tuple[User, datetime | None] | None:
    """Whose link that is, if they may come in, and when what they do with it ends.

    It is gone then: of two who take it at once, one finds nothing.
    """
    taken = (
        delete(LoginLink)
        .where(LoginLink.code_hash == hash_of(code), LoginLink.expires_at > now())
        .returning(LoginLink.user_id, LoginLink.ends_at)
    )
    row = (await session.execute(taken)).first()
    user = await session.get(User, row.user_id) if row else None
    return (user, row.ends_at) if row and user is not None and user.disabled_at is None else None


async def forget_old(session: AsyncSession) -> None:
    await session.execute(delete(LoginLink).where(LoginLink.expires_at <= now()))
