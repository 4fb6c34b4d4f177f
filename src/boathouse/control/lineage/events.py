"""What an event of others means here. Events may come twice and in any order: the outcome is the same."""

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.lineage import repository
from boathouse.control.lineage.models import JOB_LENGTH, NAMESPACE_LENGTH, Direction, LineageRun
from boathouse.control.lineage.openlineage import EventType, RunEvent, dataset_name
from boathouse.control.lineage.recording import Teller, Use, bounded, keep_edges, tell
from boathouse.control.lineage.schemas import Told
from boathouse.control.runs import repository as runs
from boathouse.kit.errors import Conflict

_LAST = frozenset({EventType.COMPLETE, EventType.FAIL, EventType.ABORT})


async def take(session: AsyncSession, scope: Scope, event: RunEvent) -> Told:
    """Gathered over all events of a run; once it is complete, its job has read and written what it told of."""
    teller = Teller(
        workspace_id=scope.workspace_id,
        job_id=None,
        namespace=bounded(event.job.namespace, NAMESPACE_LENGTH),
        job=bounded(event.job.name, JOB_LENGTH),
        run_id=str(event.run.runId),
    )
    if await runs.by_id(session, scope, teller.run_id) is not None:
        raise Conflict(
            f"The run {teller.run_id} is one of {scope.workspace}'s own, which tells its lineage itself.",
            hint="Send it under an id of your own; the facet `parent` may name this one.",
        )
    await tell(session, teller, event.eventType, _uses(event, scope.workspace), event.eventTime)
    known = await repository.run(session, scope.workspace_id, teller.run_id)
    if known is None or (known.namespace, known.job) != (teller.namespace, teller.job):
        raise Conflict(f"The run {teller.run_id} is another job's.", hint="Each run has an id of its own.")
    _move(known, event)
    uses = [(use.direction, use.dataset) for use in await repository.uses(session, scope.workspace_id, teller.run_id)]
    if known.state == EventType.COMPLETE:
        await keep_edges(session, teller, uses, known.at)
    await session.flush()
    return Told(run=teller.run_id, datasets=len({dataset for _, dataset in uses}))


def _move(known: LineageRun, event: RunEvent) -> None:
    """An end is the end, whatever comes late."""
    if event.eventType in _LAST or (known.state not in _LAST and event.eventTime >= known.at):
        known.state, known.at = event.eventType.value, event.eventTime


def _uses(event: RunEvent, workspace: str) -> list[Use]:
    sides = ((Direction.READS, event.inputs), (Direction.WRITES, event.outputs))
    return [(side, bounded(dataset_name(one, workspace))) for side, given in sides for one in given or ()]
