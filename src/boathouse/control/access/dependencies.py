"""Who may call, as a type in an endpoint's signature."""

import secrets
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import Depends, Request
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Actor, Scope
from boathouse.control.access.roles import Role
from boathouse.control.database import Database
from boathouse.control.http.work import SAFE
from boathouse.control.sessions import repository as sessions
from boathouse.control.tokens import service as tokens
from boathouse.control.workspaces import repository as workspaces
from boathouse.kit.errors import Forbidden, NotFound, Unauthenticated

SESSION_COOKIE = "boathouse_session"
CSRF_HEADER = "X-Boathouse-CSRF"
# What can be done before a password that somebody else knows is changed.
_WITH_A_GIVEN_PASSWORD = frozenset({"me.get", "me.change-password", "session.log-out"})
_HOW = "Log in at /api/v1/login, or send a token as `Authorization: Bearer …`."


# These call each other and take what they need from the request: that the framework gives it to each costs every request
# more than its queries do.
async def authenticated(request: Request) -> Actor:
    actor, _ = await _who(request)
    return actor


async def _who(request: Request, workspace: str | None = None) -> tuple[Actor, workspaces.Standing | None]:
    """And what they are in the workspace."""
    if header := request.headers.get("Authorization"):
        actor, standing = await _by_token(request, header, workspace)
    else:
        actor, standing = await _by_cookie(request), None
        if workspace is not None:
            standing = await workspaces.standing(request.state.session, workspace, actor.user_id)
    request.state.actor = actor
    return actor, standing


async def platform_admin(request: Request) -> Actor:
    actor = await authenticated(request)
    if not actor.administers:
        limited = actor.is_platform_admin
        raise Forbidden(
            f"{actor.name} may not do this: it takes the role of a platform admin"
            + (", which the token they came with leaves out." if limited else "."),
            hint="Ask a platform admin." if not limited else "Use a token with the role admin for all workspaces.",
        )
    return actor


Caller = Annotated[Actor, Depends(authenticated)]
PlatformAdmin = Annotated[Actor, Depends(platform_admin)]


async def scope_of(request: Request, actor: Actor, workspace: str, least: Role) -> Scope:
    """The actor in the workspace, if they may do there what the role may."""
    found = await workspaces.standing(request.state.session, workspace, actor.user_id)
    return _scope(request, actor, workspace, found, least)


def _scope(request: Request, actor: Actor, workspace: str, found: workspaces.Standing | None, least: Role) -> Scope:
    # To a stranger a workspace that is there and one that is not look the same.
    if found is None or not _opens(actor, found):
        raise NotFound(f"There is no workspace {workspace!r}.", hint="Your workspaces are at /api/v1/workspaces.")
    request.state.note.workspace_id = found.workspace_id
    role = (Role.ADMIN if actor.is_platform_admin else found.role or Role.VIEWER).at_most(actor.ceiling)
    if not role.covers(least):
        raise Forbidden(
            f"{actor.name} is {role} in {workspace}, and this takes the role {least}.",
            hint="Ask an admin of the workspace, or use a token with more rights."
            if actor.ceiling is not Role.ADMIN
            else "Ask an admin of the workspace.",
        )
    return Scope(actor, found.workspace_id, workspace, role)


def _in_workspace(least: Role) -> Callable[[str, Request], Coroutine[Any, Any, Scope]]:
    async def scope(workspace: str, request: Request) -> Scope:
        if request.method in SAFE:
            actor, found = await _who(request, workspace)
            return _scope(request, actor, workspace, found, least)
        # What they may do is looked up in the transaction that does it.
        return await scope_of(request, await authenticated(request), workspace, least)

    return scope


ViewerOfWorkspace = Annotated[Scope, Depends(_in_workspace(Role.VIEWER))]
RunnerOfWorkspace = Annotated[Scope, Depends(_in_workspace(Role.RUNNER))]
EditorOfWorkspace = Annotated[Scope, Depends(_in_workspace(Role.EDITOR))]
AdminOfWorkspace = Annotated[Scope, Depends(_in_workspace(Role.ADMIN))]


async def scope_by_now(request: Request, session: AsyncSession, workspace: str) -> Scope | None:
    """As which a request that takes long would be let into the workspace now, if at all: its own session is over by then."""
    request.state.session = session
    try:
        actor, found = await _who(request, workspace)
        return _scope(request, actor, workspace, found, Role.VIEWER)
    except (Unauthenticated, Forbidden, NotFound):
        return None


def _opens(actor: Actor, found: workspaces.Standing) -> bool:
    if actor.only_workspace is not None and actor.only_workspace != found.workspace_id:
        return False
    return actor.is_platform_admin or found.role is not None


async def _by_token(request: Request, header: str, workspace: str | None) -> tuple[Actor, workspaces.Standing | None]:
    kind, _, secret = header.partition(" ")
    if kind.lower() != "bearer" or not secret:
        raise Unauthenticated("The header Authorization does not hold a bearer token.", hint=_HOW)
    database: Database = request.app.state.database
    if request.method in SAFE:
        found = await tokens.actor_of(request.state.session, database, secret.strip(), workspace)
    else:
        # Before the request's own transaction begins: nobody has to wait for a stranger's.
        async with database.reading() as session:
            found = await tokens.actor_of(session, database, secret.strip())
    if found is None:
        raise Unauthenticated("The token is not known, has expired, or its user is disabled.", hint=_HOW)
    return found


async def _by_cookie(request: Request) -> Actor:
    found = await sessions.find(request.state.session, request.cookies.get(SESSION_COOKIE, ""))
    if found is None:
        raise Unauthenticated("Nobody is logged in.", hint=_HOW)
    session, user = found
    if request.method not in SAFE and not _is_from_our_page(request, session.csrf):
        raise Forbidden(
            f"The header {CSRF_HEADER} does not belong to this session.",
            hint="A page must send what the cookie boathouse_csrf holds. Load the page again.",
        )
    if user.must_change_password and request.scope["route"].name not in _WITH_A_GIVEN_PASSWORD:
        raise Forbidden(
            f"The password of {user.name} was made by somebody else, and has to be changed before anything else.",
            hint="Set one of your own: on the page Account, or with `boathouse login`.",
        )
    return Actor(user.id, user.name, user.is_platform_admin, session_id=session.id, ends_at=session.ends_at)


def _is_from_our_page(request: Request, csrf: str) -> bool:
    """Another site can make a browser send its cookies, but cannot read them to write this header."""
    return secrets.compare_digest(request.headers.get(CSRF_HEADER, "").encode(), csrf.encode())
