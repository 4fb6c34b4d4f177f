"""The connections that jobs and queries name, looked for before anything is made of them."""

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.connections import repository
from boathouse.control.jobs.kinds import kind_named
from boathouse.control.jobs.schemas import Definition


async def refuse_unless_connected(session: AsyncSession, scope: Scope, definition: Definition) -> None:
    """InvalidInput if it names a connection that is not in the workspace or is of another kind."""
    for needed in kind_named(definition.kind).needs(definition.spec):
        needed.found(await repository.by_name(session, scope, needed.name))
