"""Tokens in the database."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.secrets import hash_of
from boathouse.control.database.base import now
from boathouse.control.tokens.models import Token
from boathouse.control.users.models import User


async def by_secret(session: AsyncSession, secret: str) -> tuple[Token, User] | None:
    """The token and its user, if both are still good."""
    query = (
        select(Token, User)
        .join(User, User.id == Token.user_id)
        .where(Token.secret_hash == hash_of(secret), Token.expires_at > now(), User.disabled_at.is_(None))
    )
    row = (await session.execute(query)).first()
    return None if row is None else (row[0], row[1])


async def of_user(session: AsyncSession, user_id: str) -> list[Token]:
    return list((await session.scalars(select(Token).where(Token.user_id == user_id).order_by(Token.id))).all())


async def of_user_by_id(session: AsyncSession, user_id: str, token_id: str) -> Token | None:
    return await session.scalar(select(Token).where(Token.user_id == user_id, Token.id == token_id))
