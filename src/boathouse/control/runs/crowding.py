"""What a new run means for those of the same job that are not over."""

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.jobs.kinds import STREAMS
from boathouse.control.jobs.schemas import Concurrency, Crowding
from boathouse.control.runs import changes, repository
from boathouse.control.runs.clock import database_time
from boathouse.control.runs.flows import cancel_waiting
from boathouse.control.runs.models import Run
from boathouse.control.runs.states import State
from boathouse.kit.errors import Conflict


async def make_room(
    session: AsyncSession, run: Run, concurrency: Concurrency, otherwise: Crowding | None = None
) -> None:
    """As the job says, or else as is wanted for this run."""
    otherwise = otherwise or concurrency.otherwise
    if otherwise is Crowding.QUEUE and run.kind in STREAMS:
        # To wait for what does not end is to begin when somebody stops it, which is not why they did.
        otherwise = Crowding.SKIP
    if otherwise is Crowding.QUEUE:
        return
    others = await _others(session, run)
    if len(others) < concurrency.most:
        return
    at = await database_time(session)
    if otherwise is Crowding.SKIP:
        run.error = f"Left out: {len(others)} of this job's runs are under way, and the job allows {concurrency.most}."
        changes.move(run, State.CANCELLED, at)
        return
    # The oldest go, so many that this one has room.
    for other in others[: len(others) - concurrency.most + 1]:
        other.stop_by = f"a newer run, {run.id}"
        if other.state is State.PENDING:
            await cancel_waiting(session, other, at)


async def refuse_behind_another(session: AsyncSession, run: Run) -> None:
    """Of a stream that is tried again: behind another it would begin when somebody stops that, as a new one would."""
    if run.kind not in STREAMS:
        return
    others = await _others(session, run)
    if len(others) >= run.most_at_once:
        raise Conflict(
            f"Another run of {run.job} is under way, {others[0].id}, which does not end by itself.",
            hint="Stop that one first, or let it go on: it does the same.",
        )


async def _others(session: AsyncSession, run: Run) -> list[Run]:
    return [one for one in await repository.under_way(session, run.job_id or "") if _in_the_way(one, run)]


def _in_the_way(other: Run, run: Run) -> bool:
    """A stream and a replay of what it rejected are at work side by side."""
    return (other.kind in STREAMS) == (run.kind in STREAMS)
