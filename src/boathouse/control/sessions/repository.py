"""Browser sessions and failed logins in the database."""

from datetime import datetime

from sqlalchemy import case, delete, select, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.secrets import hash_of
from boathouse.control.database.base import now
from boathouse.control.login_links.models import LoginLink
from boathouse.control.sessions.models import BrowserSession, FailedLogins
from boathouse.control.users.models import User


async def find(session: AsyncSession, secret: str) -> tuple[BrowserSession, User] | None:
    """The session with that secret and its user, if both are still good."""
    if not secret:
        return None
    query = (
        select(BrowserSession, User)
        .join(User, User.id == BrowserSession.user_id)
        .where(
            BrowserSession.secret_hash == hash_of(secret),
            BrowserSession.expires_at > now(),
            User.disabled_at.is_(None),
        )
    )
    row = (await session.execute(query)).first()
    return None if row is None else (row[0], row[1])


async def end(session: AsyncSession, session_id: str) -> None:
    await session.execute(delete(BrowserSession).where(BrowserSession.id == session_id))


async def end_all(session: AsyncSession, user_id: str, but: str | None = None) -> None:
    """And the links that nobody used yet: each would open another."""
    await session.execute(delete(LoginLink).where(LoginLink.user_id == user_id))
    wanted = delete(BrowserSession).where(BrowserSession.user_id == user_id)
    await session.execute(wanted if but is None else wanted.where(BrowserSession.id != but))


async def forget_old(session: AsyncSession, before: datetime) -> None:
    """Sessions that have ended, and failures that nobody counts any more."""
    await session.execute(delete(BrowserSession).where(BrowserSession.expires_at < before))
    await session.execute(delete(FailedLogins).where(FailedLogins.blocked_until < before))


async def one_more_failure(session: AsyncSession, key: str) -> int:
    """Counted by the database, so that of many at once none is lost; how many there are now."""
    insert = postgresql_insert if session.get_bind().dialect.name == "postgresql" else sqlite_insert
    counted = (
        insert(FailedLogins)
        .values(key=key, failures=1, blocked_until=now())
        .on_conflict_do_update(index_elements=["key"], set_={"failures": FailedLogins.failures + 1})
        .returning(FailedLogins.failures)
    )
    return (await session.execute(counted)).scalar_one()


async def fewer_failures(session: AsyncSession, key: str, by: int) -> None:
    left = case((FailedLogins.failures > by, FailedLogins.failures - by), else_=0)
    await session.execute(update(FailedLogins).where(FailedLogins.key == key).values(failures=left))


async def block(session: AsyncSession, key: str, until: datetime) -> None:
    await session.execute(update(FailedLogins).where(FailedLogins.key == key).values(blocked_until=until))


async def forget_failures(session: AsyncSession, key: str) -> None:
    await session.execute(delete(FailedLogins).where(FailedLogins.key == key))


async def failures(session: AsyncSession, keys: list[str]) -> list[FailedLogins]:
    return list((await session.scalars(select(FailedLogins).where(FailedLogins.key.in_(keys)))).all())
