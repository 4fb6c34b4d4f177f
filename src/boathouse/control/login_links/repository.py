"""Login links in the database."""

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.secrets import hash_of
from boathouse.control.database.base import now
from boathouse.control.login_links.models import LoginLink
from boathouse.control.users.models import User


async def take(session: AsyncSession, code: str) -> User | None:
    """Whose link that is, if they may come in. It is gone then: of two who take it at once, one finds nothing."""
    taken = (
        delete(LoginLink)
        .where(LoginLink.code_hash == hash_of(code), LoginLink.expires_at > now())
        .returning(LoginLink.user_id)
    )
    user_id = await session.scalar(taken)
    user = await session.get(User, user_id) if user_id else None
    return user if user is not None and user.disabled_at is None else None


async def forget_old(session: AsyncSession) -> None:
    await session.execute(delete(LoginLink).where(LoginLink.expires_at <= now()))
