"""Logging in and out."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.passwords import matches
from boathouse.control.access.secrets import hash_of, new_secret
from boathouse.control.database import Database
from boathouse.control.database.base import now
from boathouse.control.sessions import repository, throttle
from boathouse.control.sessions.models import BrowserSession
from boathouse.control.users import repository as users
from boathouse.control.users.models import User

LIFETIME = timedelta(hours=12)


@dataclass(frozen=True)
class Opened:
    user: User
    secret: str
    csrf: str


async def matching_hash(database: Database, name: str, password: str, address: str) -> str | None:
    """What is kept of the password, if it is the right one.

    To find that out takes long by design, and is done before anything is changed: nobody waits for it on SQLite.
    """
    async with database.reading() as session:
        await throttle.refuse_hasty(session, name, address)
        user = await users.by_name(session, name)
    kept = user.password_hash if user is not None and user.disabled_at is None else None
    return kept if await matches(password, kept) else None


async def log_in(session: AsyncSession, name: str, password_hash: str | None, address: str) -> Opened | None:
    """None if name or password are wrong: which of them is not said. The failure is counted, so it must be committed."""
    # Again: of many tries at once, most would have come before the first failure was counted.
    await throttle.refuse_hasty(session, name, address)
    user = await users.by_name(session, name)
    if user is None or user.disabled_at is not None or password_hash is None or user.password_hash != password_hash:
        await throttle.count_failure(session, name, address)
        return None
    await throttle.forgive(session, name, address)
    await repository.forget_old(session, now() - throttle.FORGOTTEN_AFTER)
    return await opened(session, user)


async def opened(session: AsyncSession, user: User, ends_at: datetime | None = None) -> Opened:
    """Until its time is over, or what they came in with ends."""
    secret, csrf, until = new_secret(), secrets.token_urlsafe(24), now() + LIFETIME
    session.add(
        BrowserSession(
            user_id=user.id,
            secret_hash=hash_of(secret),
            csrf=csrf,
            expires_at=min(until, ends_at or until),
            ends_at=ends_at,
        )
    )
    user.last_login_at = now()
    await session.flush()
    return Opened(user, secret, csrf)
