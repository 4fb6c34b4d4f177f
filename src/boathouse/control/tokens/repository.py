"""Tokens in the database."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.roles import Role
from boathouse.control.access.secrets import hash_of
from boathouse.control.database.base import now, table_of
from boathouse.control.tokens.models import Token
from boathouse.control.users.models import User

_TOKENS, _USERS = table_of(Token), table_of(User)


@dataclass(frozen=True)
class Known:
    """A token that is still good, and its user."""

    id: str
    role: Role
    workspace_id: str | None
    last_used_at: datetime | None
    user_id: str
    user_name: str
    is_platform_admin: bool


# Asked with every request: written once, and of columns, which takes half the time of a statement about objects.
_KNOWN = (
    select(
        *(_TOKENS.c[name] for name in ("id", "role", "workspace_id", "last_used_at", "user_id")),
        _USERS.c.name,
        _USERS.c.is_platform_admin,
    )
    .join_from(_TOKENS, _USERS, _USERS.c.id == _TOKENS.c.user_id)
    .where(
        _TOKENS.c.secret_hash == bindparam("hash"),
        _TOKENS.c.expires_at > bindparam("now"),
        _USERS.c.disabled_at.is_(None),
    )
)


async def by_secret(session: AsyncSession, secret: str) -> Known | None:
    row = (await session.execute(_KNOWN, {"hash": hash_of(secret), "now": now()})).first()
    return None if row is None else Known(*row)


async def of_user(session: AsyncSession, user_id: str) -> list[Token]:
    return list((await session.scalars(select(Token).where(Token.user_id == user_id).order_by(Token.id))).all())


async def of_user_by_id(session: AsyncSession, user_id: str, token_id: str) -> Token | None:
    return await session.scalar(select(Token).where(Token.user_id == user_id, Token.id == token_id))
