"""Logging in and out."""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.passwords import matches
from boathouse.control.access.secrets import hash_of, new_secret
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


async def log_in(session: AsyncSession, name: str, password: str, address: str) -> Opened | None:
    """None if name or password are wrong: which of them is not said. The failure is counted, so it must be committed."""
    await throttle.refuse_hasty(session, name, address)
    user = await users.by_name(session, name)
    known = user is not None and user.disabled_at is None
    if not await matches(password, user.password_hash if user and known else None) or user is None:
        await throttle.count_failure(session, name, address)
        return None
    await throttle.forgive(session, name)
    await repository.forget_old(session, now() - throttle.FORGOTTEN_AFTER)
    return await opened(session, user)


async def opened(session: AsyncSession, user: User) -> Opened:
    secret, csrf = new_secret(), secrets.token_urlsafe(24)
    session.add(BrowserSession(user_id=user.id, secret_hash=hash_of(secret), csrf=csrf, expires_at=now() + LIFETIME))
    await session.flush()
    return Opened(user, secret, csrf)
