"""What somebody's groups make of them: said by the settings, and put in force at every login."""

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.roles import Role
from boathouse.control.identities import repository
from boathouse.control.identities.settings import OidcSettings
from boathouse.control.users import repository as users
from boathouse.control.users.models import User
from boathouse.control.workspaces import repository as workspaces
from boathouse.control.workspaces.models import Member


def role_by_workspace(groups: frozenset[str], settings: OidcSettings) -> dict[str, Role | None]:
    """For each workspace that the settings speak of, the highest that a group of theirs gives."""
    return {name: _highest(groups, by_group) for name, by_group in settings.workspaces.items()}


async def put_in_force(session: AsyncSession, user: User, groups: frozenset[str], settings: OidcSettings) -> None:
    """The provider decides where the settings speak of groups, and takes back as it gives; elsewhere nothing changes.

    Only the last platform admin stays one: somebody must be able to mend things.
    """
    if settings.admin_groups and (
        not is_taken_back(user, groups, settings) or await users.other_admins(session, user.id)
    ):
        user.is_platform_admin = not groups.isdisjoint(settings.admin_groups)
    wanted = role_by_workspace(groups, settings)
    for workspace in await repository.workspaces_named(session, wanted):
        await _set_role(session, workspace.id, user.id, wanted[workspace.name])
    await session.flush()


def is_taken_back(user: User, groups: frozenset[str], settings: OidcSettings) -> bool:
    """Whether they are platform admin, and by their groups should no longer be."""
    return user.is_platform_admin and bool(settings.admin_groups) and groups.isdisjoint(settings.admin_groups)


async def _set_role(session: AsyncSession, workspace_id: str, user_id: str, role: Role | None) -> None:
    known = await workspaces.member(session, workspace_id, user_id)
    if known is None and role is not None:
        session.add(Member(workspace_id=workspace_id, user_id=user_id, role=role))
    elif known is not None and role is None:
        await session.delete(known)
    elif known is not None and role is not None:
        known.role = role


def _highest(groups: frozenset[str], by_group: dict[str, Role]) -> Role | None:
    given = [role for group, role in by_group.items() if group in groups]
    return max(given, key=list(Role).index, default=None)
