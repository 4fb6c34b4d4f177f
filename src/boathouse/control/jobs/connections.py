"""The connections that jobs and queries name, looked for before anything is made of them."""

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.connections import repository
from boathouse.control.jobs import repository as jobs
from boathouse.control.jobs.kinds import kind_named
from boathouse.control.jobs.models import JobVersion
from boathouse.control.jobs.schemas import Definition
from boathouse.control.jobs.stored import definition_in
from boathouse.kit.errors import Conflict, Forbidden


async def refuse_unless_connected(session: AsyncSession, scope: Scope, definition: Definition) -> None:
    """InvalidInput if it names a connection that is not in the workspace or is of another kind.

    A program is told the secrets, and so is whoever writes it: those that are shared are for platform admins to hand on.
    Who made the version is asked again when a run begins, for by then the connection may be another.
    """
    for needed in kind_named(definition.kind).needs(definition.spec):
        found = needed.found(await repository.by_name(session, scope, needed.name))
        if needed.tells_shared(found) and not scope.actor.administers:
            raise Forbidden(
                f"{scope.actor.name} may not give a program the connection {needed.name}: its secret is shared.",
                hint="A platform admin may. Or make a connection with a secret of the workspace.",
            )


async def is_to_be_vouched_for(
    session: AsyncSession, scope: Scope, version: JobVersion, definition: Definition
) -> bool:
    """Whether a platform admin who says the same again makes it theirs: nobody else's is handed what is shared."""
    if version.by_platform_admin or not scope.actor.administers:
        return False
    for needed in kind_named(definition.kind).needs(definition.spec):
        found = await repository.by_name(session, scope, needed.name)
        if found is not None and needed.tells_shared(found):
            return True
    return False


async def refuse_if_needed(session: AsyncSession, scope: Scope, connection: str) -> None:
    """Before it is removed. Only what jobs are now counts: an older version that comes back is checked then."""
    for job, version in await jobs.all_of(session, scope):
        definition = definition_in(version.definition, f"the job {job.name}")
        if any(needed.name == connection for needed in kind_named(definition.kind).needs(definition.spec)):
            raise Conflict(
                f"The job {job.name} needs the connection {connection}.",
                hint="Have the job do without it, or remove that first.",
            )
