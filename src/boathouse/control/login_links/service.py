"""Making links that log a browser in, and using them."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Actor
from boathouse.control.access.roles import Role
from boathouse.control.access.secrets import hash_of, new_secret
from boathouse.control.database.base import now
from boathouse.control.http.own_path import own_path
from boathouse.control.login_links import repository
from boathouse.control.login_links.models import LoginLink
from boathouse.control.login_links.schemas import LinkTold, LinkWanted
from boathouse.control.sessions.service import Opened, opened
from boathouse.kit.errors import Forbidden, Unauthenticated

PAGE = "/login/once"


async def make(session: AsyncSession, actor: Actor, wanted: LinkWanted) -> LinkTold:
    if actor.ceiling is not Role.ADMIN or actor.only_workspace is not None:
        # A browser may do all that its user may, and so more than this token.
        raise Forbidden(
            "A token that may not do all that its user may cannot log a browser in.",
            hint="Log in with the password, or use a token with the role admin for all workspaces.",
        )
    following = own_path(wanted.next)
    await repository.forget_old(session)
    code = new_secret()
    until = now() + timedelta(seconds=wanted.seconds)
    link = LoginLink(user_id=actor.user_id, code_hash=hash_of(code), expires_at=until, ends_at=actor.ends_at)
    session.add(link)
    await session.flush()
    return LinkTold(path=f"{PAGE}#{code}{'' if following == '/' else following}", expires_at=link.expires_at)


async def use(session: AsyncSession, code: str) -> Opened:
    taken = await repository.take(session, code)
    if taken is None:
        raise Unauthenticated("The link was used already, or its time is over.", hint="`boathouse ui` makes another.")
    user, ends_at = taken
    return await opened(session, user, ends_at)
