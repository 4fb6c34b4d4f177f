"""Logging in as who the provider says."""

from itertools import count

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database.base import now
from boathouse.control.identities import repository, roles
from boathouse.control.identities.claims import Claims
from boathouse.control.identities.models import Identity
from boathouse.control.identities.settings import OidcSettings
from boathouse.control.sessions import repository as sessions
from boathouse.control.sessions import throttle
from boathouse.control.sessions.service import Opened, opened
from boathouse.control.users import repository as users
from boathouse.control.users.models import User
from boathouse.kit.errors import Forbidden


async def refusal(session: AsyncSession, claims: Claims, settings: OidcSettings) -> Forbidden | None:
    """Why they may not come in, though they are who they say."""
    if settings.allowed_groups and claims.groups.isdisjoint(settings.allowed_groups):
        return Forbidden(
            f"{claims.name} may not come in: it takes one of the groups {', '.join(settings.allowed_groups)}.",
            hint="Ask who keeps the groups at the identity provider, then log in again.",
        )
    known = await repository.user_of(session, claims.issuer, claims.subject)
    if known is not None and known.disabled_at is not None:
        return Forbidden(f"{known.name} is disabled here.", hint="Ask a platform admin.")
    return None


async def log_in(session: AsyncSession, claims: Claims, settings: OidcSettings) -> Opened:
    """Found by issuer and subject alone: a name or an e-mail address somebody else may have had before."""
    user = await repository.user_of(session, claims.issuer, claims.subject) or await _new_user(session, claims)
    # Before anything of theirs is changed: admins who come at the same moment are all held in the same order.
    await roles.put_in_force(session, user, claims.groups, settings)
    user.display_name = claims.display_name or user.display_name
    user.email = claims.email or user.email
    await sessions.forget_old(session, now() - throttle.FORGOTTEN_AFTER)
    return await opened(session, user)


async def _new_user(session: AsyncSession, claims: Claims) -> User:
    user = User(
        name=await _free_name(session, claims.name),
        display_name=claims.display_name,
        must_change_password=False,
        is_platform_admin=False,
    )
    session.add(user)
    await session.flush()
    session.add(Identity(user_id=user.id, issuer=claims.issuer, subject=claims.subject))
    await session.flush()
    return user


async def _free_name(session: AsyncSession, wanted: str) -> str:
    """A name that is taken stays with who has it, for it may be another person."""
    candidates = (wanted if number == 1 else f"{wanted}-{number}" for number in count(1))
    for name in candidates:
        if await users.by_name(session, name) is None:
            return name
    raise AssertionError("there is always another number")
