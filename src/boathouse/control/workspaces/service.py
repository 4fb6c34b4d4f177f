"""What can be done with workspaces."""

from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Actor, Scope
from boathouse.control.access.roles import Role
from boathouse.control.users import repository as users
from boathouse.control.users.models import User
from boathouse.control.workspaces import repository
from boathouse.control.workspaces.models import Member, Workspace
from boathouse.control.workspaces.schemas import (
    DefaultsChange,
    NewWorkspace,
    Quotas,
    QuotasChange,
    WorkspaceChange,
    WorkspaceTold,
)
from boathouse.kit.errors import Conflict, Forbidden, NotFound


async def create(session: AsyncSession, actor: Actor, wanted: NewWorkspace) -> WorkspaceTold:
    """Whoever makes it is its first admin."""
    workspace = Workspace(
        name=wanted.name,
        description=wanted.description,
        defaults=wanted.defaults.model_dump(),
        **_columns(wanted.quotas),
    )
    session.add(workspace)
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(f"There is a workspace {wanted.name!r} already.", hint="Choose another name.") from None
    session.add(Member(workspace_id=workspace.id, user_id=actor.user_id, role=Role.ADMIN))
    await session.flush()
    return told(workspace, Role.ADMIN)


async def get(session: AsyncSession, scope: Scope) -> Workspace:
    workspace = await session.get(Workspace, scope.workspace_id)
    if workspace is None:
        raise NotFound(f"There is no workspace {scope.workspace!r}.", hint="It was removed meanwhile.")
    return workspace


async def change(session: AsyncSession, scope: Scope, wanted: WorkspaceChange) -> WorkspaceTold:
    workspace = await get(session, scope)
    if wanted.quotas is not None:
        _change_quotas(workspace, scope, wanted.quotas)
    if wanted.description is not None:
        workspace.description = wanted.description
    if wanted.defaults is not None:
        workspace.defaults = _changed_defaults(workspace, wanted.defaults)
    await session.flush()
    return told(workspace, scope.role)


def _change_quotas(workspace: Workspace, scope: Scope, wanted: QuotasChange) -> None:
    before = quotas_of(workspace)
    after = before.model_copy(update=wanted.model_dump(exclude_none=True))
    if after != before:
        # They keep workspaces from starving each other, so no workspace may set its own.
        _refuse_unless_platform_admin(scope)
        for column, value in _columns(after).items():
            setattr(workspace, column, value)


def _changed_defaults(workspace: Workspace, wanted: DefaultsChange) -> dict[str, Any]:
    """A timeout that is given as null is taken away; to be without retries is to have 0."""
    given = wanted.model_dump(exclude_unset=True)
    return {
        **workspace.defaults,
        **{name: value for name, value in given.items() if name != "retries" or value is not None},
    }


async def remove(session: AsyncSession, scope: Scope) -> None:
    await session.delete(await get(session, scope))


async def set_member(session: AsyncSession, scope: Scope, name: str, role: Role) -> User:
    user = await _user(session, name)
    known = await repository.member(session, scope.workspace_id, user.id)
    if known is None:
        session.add(Member(workspace_id=scope.workspace_id, user_id=user.id, role=role))
    else:
        if role is not Role.ADMIN:
            await _refuse_orphaning(session, scope, known)
        known.role = role
    await session.flush()
    return user


async def remove_member(session: AsyncSession, scope: Scope, name: str) -> None:
    user = await _user(session, name)
    known = await repository.member(session, scope.workspace_id, user.id)
    if known is None:
        raise NotFound(f"{name} is not a member of {scope.workspace}.", hint="Its members are listed beside it.")
    await _refuse_orphaning(session, scope, known)
    await repository.remove_member(session, scope.workspace_id, user.id)


def told(workspace: Workspace, role: Role) -> WorkspaceTold:
    return WorkspaceTold(
        id=workspace.id,
        name=workspace.name,
        description=workspace.description,
        quotas=quotas_of(workspace),
        defaults=workspace.defaults,
        created_at=workspace.created_at,
        role=role,
    )


def quotas_of(workspace: Workspace) -> Quotas:
    return Quotas(runs=workspace.most_runs, cores=workspace.most_cores, memory_mb=workspace.most_memory_mb)


def _columns(quotas: Quotas) -> dict[str, int]:
    return {"most_runs": quotas.runs, "most_cores": quotas.cores, "most_memory_mb": quotas.memory_mb}


def _refuse_unless_platform_admin(scope: Scope) -> None:
    if not scope.actor.administers:
        raise Forbidden(
            f"{scope.actor.name} may not change quotas: it takes the role of a platform admin.",
            hint="Ask a platform admin.",
        )


async def _refuse_orphaning(session: AsyncSession, scope: Scope, leaving: Member) -> None:
    if leaving.role == Role.ADMIN and not await repository.other_admins(session, scope.workspace_id, leaving.user_id):
        raise Conflict(f"They are the only admin of {scope.workspace}.", hint="Make another member admin first.")


async def _user(session: AsyncSession, name: str) -> User:
    user = await users.by_name(session, name)
    if user is None:
        raise NotFound(f"There is no user {name!r}.", hint="A platform admin can create one.")
    return user
