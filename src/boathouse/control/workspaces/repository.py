"""Workspaces and members in the database."""

from dataclasses import dataclass

from sqlalchemy import and_, bindparam, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.roles import Role
from boathouse.control.database.base import table_of
from boathouse.control.users import repository as users
from boathouse.control.users.models import User
from boathouse.control.workspaces.models import Member, Workspace

_WORKSPACES, _MEMBERS = table_of(Workspace), table_of(Member)


@dataclass(frozen=True)
class Membership:
    workspace: Workspace
    role: Role | None
    """None for who is no member."""


@dataclass(frozen=True)
class Standing:
    """What a user is in a workspace."""

    workspace_id: str
    role: Role | None


# Asked with every request: see the tokens' own.
_STANDING = (
    select(_WORKSPACES.c.id, _MEMBERS.c.role)
    .select_from(
        _WORKSPACES.outerjoin(
            _MEMBERS, and_(_MEMBERS.c.workspace_id == _WORKSPACES.c.id, _MEMBERS.c.user_id == bindparam("user"))
        )
    )
    .where(_WORKSPACES.c.name == bindparam("name"))
)


async def standing(session: AsyncSession, name: str, user_id: str) -> Standing | None:
    """In the workspace of that name, if there is one."""
    row = (await session.execute(_STANDING, {"name": name, "user": user_id})).first()
    return None if row is None else Standing(*row)


async def name_of(session: AsyncSession, workspace_id: str) -> str | None:
    return await session.scalar(select(Workspace.name).where(Workspace.id == workspace_id))


async def visible(
    session: AsyncSession, user_id: str, *, everything: bool, only: str | None, after: str | None, limit: int
) -> list[Membership]:
    """Those the user is a member of, or all, by name."""
    mine = and_(Member.workspace_id == Workspace.id, Member.user_id == user_id)
    query = select(Workspace, Member.role).join(Member, mine, isouter=everything).order_by(Workspace.name).limit(limit)
    if only is not None:
        query = query.where(Workspace.id == only)
    if after is not None:
        query = query.where(Workspace.name > after)
    rows = (await session.execute(query)).all()
    return [Membership(row[0], row[1]) for row in rows]


async def members(session: AsyncSession, workspace_id: str) -> list[tuple[User, Role]]:
    query = (
        select(User, Member.role)
        .join(Member, Member.user_id == User.id)
        .where(Member.workspace_id == workspace_id)
        .order_by(User.name)
    )
    return [(row[0], row[1]) for row in (await session.execute(query)).all()]


async def candidates(session: AsyncSession, workspace_id: str, text: str, limit: int) -> list[User]:
    """Who could become a member of the workspace."""
    members = select(Member.user_id).where(Member.workspace_id == workspace_id)
    query = select(User).where(User.disabled_at.is_(None), User.id.not_in(members), users.has(text))
    return list((await session.scalars(query.order_by(User.name).limit(limit))).all())


async def member(session: AsyncSession, workspace_id: str, user_id: str) -> Member | None:
    return await session.get(Member, (workspace_id, user_id))


async def remove_member(session: AsyncSession, workspace_id: str, user_id: str) -> None:
    await session.execute(delete(Member).where(Member.workspace_id == workspace_id, Member.user_id == user_id))


async def other_admins(session: AsyncSession, workspace_id: str, user_id: str) -> int:
    """Beside that one. All are held until the change ends: else two who leave at the same moment would each count on the other."""
    admins = select(Member.user_id).where(Member.workspace_id == workspace_id, Member.role == Role.ADMIN)
    held = await session.scalars(admins.order_by(Member.user_id).with_for_update())
    return sum(found != user_id for found in held)
