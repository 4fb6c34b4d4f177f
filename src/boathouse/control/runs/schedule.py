"""Runs of jobs whose time has come."""

from datetime import datetime

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database import Database
from boathouse.control.jobs import repository as jobs
from boathouse.control.jobs.models import Job, JobVersion
from boathouse.control.jobs.parameters import settled
from boathouse.control.jobs.pinning import pinned
from boathouse.control.jobs.schemas import Definition
from boathouse.control.notifications import events
from boathouse.control.runs import changes, repository
from boathouse.control.runs.clock import alone, database_time
from boathouse.control.runs.crowding import make_room
from boathouse.control.runs.models import ERROR_LENGTH, Run, Trigger
from boathouse.control.runs.reasons import refuse_what_never_fits
from boathouse.control.runs.states import State
from boathouse.control.runs.waiting import keep_pinned, run_of_job
from boathouse.control.workspaces.models import Workspace
from boathouse.kit.errors import Conflict, InvalidInput, Unavailable

_log = structlog.get_logger()
_AT_ONCE = 100


async def start_due(database: Database) -> int:
    """Make a run for each time that has come, once, whoever looks; how many were made."""
    async with database.changing() as session:
        await alone(session)
        at = await database_time(session)
        # Before their jobs: a run that ends holds itself, and then says of its job whether it fails.
        await repository.hold_those_of_due_jobs(session, at)
        return sum(
            [await _start_apart(database, session, *found, at) for found in await jobs.due(session, at, _AT_ONCE)]
        )


async def _start_apart(database: Database, session: AsyncSession, job: Job, version: JobVersion, at: datetime) -> int:
    name, workspace_id = job.name, job.workspace_id
    try:
        async with database.part(session):
            return await _start(session, job, version, at)
    except Unavailable:
        raise
    except Exception:  # noqa: BLE001 - one job that cannot be started must not keep all others from it
        _log.exception("schedule.broke", job=name, workspace=workspace_id)
        return 0


async def _start(session: AsyncSession, job: Job, version: JobVersion, at: datetime) -> int:
    definition = Definition.model_validate(version.definition)
    if definition.schedule is None or job.due_at is None:
        job.due_at = None
        return 0
    times, late = definition.schedule.due(job.due_at, at), definition.schedule.late(job.due_at, at)
    # A server whose clock is behind plans a changed job for times that are done.
    done = await repository.scheduled(session, job.id, {*times, *late})
    times, late = [time for time in times if time not in done], [time for time in late if time not in done]
    workspace = await session.get_one(Workspace, job.workspace_id)
    left_out: dict[datetime, str] = {}
    for time in times:
        run = run_of_job(job, version, definition, settled(definition.parameters, {}), workspace)
        run.trigger, run.requested_by, run.scheduled_for = Trigger.SCHEDULE, "schedule", time
        run.deadline_at = changes.deadline(run, time)
        refusal = await _refusal(session, run, definition, workspace, at)
        if refusal is None:
            await make_room(session, run, definition.concurrency)
        session.add(run)
        await session.flush()
        if run.state is State.CANCELLED:
            left_out[time] = f"it could not begin: {refusal}" if refusal else events.NO_ROOM
    await events.schedule_missed(session, job, at, late=late, left_out=left_out)
    job.due_at = definition.schedule.next_after(at)
    await session.flush()
    return len(times)


async def _refusal(
    session: AsyncSession, run: Run, definition: Definition, workspace: Workspace, at: datetime
) -> str | None:
    """A flow whose jobs are gone, or what takes more than there is, is left out and says so; other schedules go on."""
    try:
        keep_pinned(run, await pinned(session, run.workspace_id, definition, run.values))
        refuse_what_never_fits(run, definition, workspace)
    except (InvalidInput, Conflict) as error:
        run.error = f"Left out: {error}"[:ERROR_LENGTH]
        changes.move(run, State.CANCELLED, at)
        return str(error)
    return None
