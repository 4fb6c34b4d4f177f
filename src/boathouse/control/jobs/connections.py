"""The connections that jobs and queries name, looked for before anything is made of them."""

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.connections import repository
from boathouse.control.jobs import repository as jobs
from boathouse.control.jobs.kinds import kind_named
from boathouse.control.jobs.schemas import Definition
from boathouse.kit.errors import Conflict


async def refuse_unless_connected(session: AsyncSession, scope: Scope, definition: Definition) -> None:
    """InvalidInput if it names a connection that is not in the workspace or is of another kind."""
    for needed in kind_named(definition.kind).needs(definition.spec):
        needed.found(await repository.by_name(session, scope, needed.name))


async def refuse_if_needed(session: AsyncSession, scope: Scope, connection: str) -> None:
    """Before it is removed. Only what jobs are now counts: an older version that comes back is checked then."""
    for job, version in await jobs.all_of(session, scope):
        definition = Definition.model_validate(version.definition)
        if any(needed.name == connection for needed in kind_named(definition.kind).needs(definition.spec)):
            raise Conflict(
                f"The job {job.name} needs the connection {connection}.",
                hint="Have the job do without it, or remove that first.",
            )
