"""What a new run means for those of the same job that are not over."""

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.jobs.schemas import Concurrency, Crowding
from boathouse.control.runs import changes, repository
from boathouse.control.runs.clock import database_time
from boathouse.control.runs.models import Run
from boathouse.control.runs.states import State


async def make_room(session: AsyncSession, run: Run, concurrency: Concurrency) -> None:
    if concurrency.otherwise is Crowding.QUEUE:
        return
    others = await repository.under_way(session, run.job_id or "")
    if len(others) < concurrency.most:
        return
    at = await database_time(session)
    if concurrency.otherwise is Crowding.SKIP:
        run.error = f"Left out: {len(others)} of this job's runs are under way, and the job allows {concurrency.most}."
        changes.move(run, State.CANCELLED, at)
        return
    # The oldest go, so many that this one has room.
    for other in others[: len(others) - concurrency.most + 1]:
        other.stop_by = f"a newer run, {run.id}"
        if other.state is State.PENDING:
            await changes.cancelled(session, other, at)
