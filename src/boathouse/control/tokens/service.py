"""What can be done with tokens."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Actor
from boathouse.control.access.secrets import hash_of, new_secret
from boathouse.control.database import Database
from boathouse.control.database.base import now
from boathouse.control.tokens import repository
from boathouse.control.tokens.models import Token
from boathouse.control.tokens.schemas import NewToken
from boathouse.control.users.models import User
from boathouse.control.workspaces import repository as workspaces
from boathouse.control.workspaces.repository import Standing
from boathouse.kit.errors import Forbidden, NotFound

# Enough to see which tokens are in use, and no write for every request.
_USE_IS_NOTED_EVERY = timedelta(minutes=5)


async def create(session: AsyncSession, actor: Actor, wanted: NewToken) -> tuple[Token, str]:
    """The token and its secret. One that a token makes does not outlive it."""
    if not actor.ceiling.covers(wanted.role) or (actor.only_workspace is not None and wanted.workspace is None):
        raise Forbidden(
            "A token may not make one that may do more than itself.", hint="Log in, or ask for a lesser role."
        )
    workspace_id = await _workspace(session, actor, wanted.workspace) if wanted.workspace else None
    secret, until = new_secret(), now() + timedelta(days=wanted.days)
    token = Token(
        user_id=actor.user_id,
        name=wanted.name,
        secret_hash=hash_of(secret),
        role=wanted.role,
        workspace_id=workspace_id,
        expires_at=min(until, actor.ends_at or until),
    )
    session.add(token)
    await session.flush()
    return token, secret


async def revoke(session: AsyncSession, actor: Actor, token_id: str) -> Token:
    token = await repository.of_user_by_id(session, actor.user_id, token_id)
    if token is None:
        raise NotFound(f"You have no token {token_id!r}.", hint="Yours are at /api/v1/tokens.")
    if token.id != actor.token_id and not _may_as_much(actor, token):
        raise Forbidden(
            f"A token may not revoke one that may do more than itself, as {token.name!r} may.",
            hint="Log in, or use a token that may do as much.",
        )
    await session.delete(token)
    return token


async def revoke_of(session: AsyncSession, user: User, token_id: str) -> Token:
    token = await repository.of_user_by_id(session, user.id, token_id)
    if token is None:
        raise NotFound(f"{user.name} has no token {token_id!r}.", hint="Look at the list of theirs.")
    await session.delete(token)
    return token


def _may_as_much(actor: Actor, token: Token) -> bool:
    return actor.ceiling.covers(token.role) and actor.only_workspace in (None, token.workspace_id)


async def actor_of(
    session: AsyncSession, database: Database, secret: str, workspace: str | None = None
) -> tuple[Actor, Standing | None] | None:
    """And what they are in that workspace. Found by the session given; that the token is in use is noted by another."""
    token = await repository.by_secret(session, secret, workspace)
    if token is None:
        return None
    if token.last_used_at is None or token.last_used_at < now() - _USE_IS_NOTED_EVERY:
        await _note_use(database, token.id)
    actor = Actor(
        token.user_id,
        token.user_name,
        token.is_platform_admin,
        token.role,
        token.workspace_id,
        token_id=token.id,
        ends_at=token.expires_at,
    )
    return actor, token.standing


async def _note_use(database: Database, token_id: str) -> None:
    async with database.changing() as session:
        token = await session.get(Token, token_id)
        if token is not None:
            token.last_used_at = now()


async def _workspace(session: AsyncSession, actor: Actor, name: str) -> str:
    found = await workspaces.standing(session, name, actor.user_id)
    visible = found is not None and (found.role is not None or actor.is_platform_admin)
    if found is None or not visible or actor.only_workspace not in (None, found.workspace_id):
        raise NotFound(f"There is no workspace {name!r}.", hint="Your workspaces are at /api/v1/workspaces.")
    return found.workspace_id
