"""Flows: each task becomes a run once those before it have succeeded. No worker has a flow; any of them moves it on."""

from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database import Database
from boathouse.control.jobs import repository as jobs
from boathouse.control.jobs.pinning import PinnedTask
from boathouse.control.jobs.stored import definition_in
from boathouse.control.runs import changes, repository
from boathouse.control.runs.clock import alone, database_time
from boathouse.control.runs.leases import WITHOUT_PROCESS
from boathouse.control.runs.models import Run, Trigger
from boathouse.control.runs.states import ACTIVE, ENDED, State
from boathouse.control.runs.waiting import flow_of, waiting_run
from boathouse.control.workspaces.models import Workspace
from boathouse.kit.errors import InvalidInput, Unavailable

_log = structlog.get_logger()
# A flow has no worker that could be lost.
_NOBODY = "none"
_NEVER = timedelta(days=36_500)


async def move_on(database: Database) -> int:
    """Begin flows, make runs of tasks whose turn it is, and end flows that are done; how many are under way."""
    async with database.changing() as session:
        await alone(session)
        at = await database_time(session)
        for flow in await repository.ready_flows(session, at, WITHOUT_PROCESS):
            # One at a time, for each that begins takes room.
            if flow.id in {one.id for one in await repository.ready_flows(session, at, WITHOUT_PROCESS)}:
                changes.claimed(session, flow, _NOBODY, at, _NEVER)
                await session.flush()
                await changes.begun(session, flow, at)
        flows = await repository.running_flows(session, WITHOUT_PROCESS)
    # Each by itself: whoever else wants to change something waits for one of them, and not for all.
    for flow_id in flows:
        await _move_apart(database, flow_id)
    return len(flows)


async def cancel_waiting(session: AsyncSession, run: Run, at: datetime) -> None:
    """A run that nobody has begun. Of a flow that is tried again tasks wait too, and no next move would end them."""
    await _stop_all(session, run, await repository.tasks(session, run.id), at, "the flow")
    await changes.cancelled(session, run, at)


async def _move_apart(database: Database, flow_id: str) -> None:
    try:
        async with _held(database, flow_id) as (session, flow):
            if flow is not None:
                await _move(session, flow, await database_time(session))
    except Unavailable:
        raise
    except InvalidInput as error:
        # Nothing that passes by itself: what it is made of is not understood here, or names what there is not.
        await _give_up(database, flow_id, f"{error} {error.hint or ''}".strip())
    except Exception:  # noqa: BLE001 - one flow that cannot be moved on must not keep all others from it
        _log.exception("flow.broke", run=flow_id)


@asynccontextmanager
async def _held(database: Database, flow_id: str) -> AsyncGenerator[tuple[AsyncSession, Run | None]]:
    """The flow for a change; None if somebody ended it meanwhile."""
    async with database.changing() as session:
        await alone(session)
        flow = await repository.locked(session, flow_id)
        yield session, flow if flow is not None and flow.state in ACTIVE else None


async def _move(session: AsyncSession, flow: Run, at: datetime) -> None:
    version = await jobs.version(session, flow.job_id or "", flow.version)
    stored = version.definition if version else {}
    pinned = flow_of(flow, definition_in(stored, f"{flow.job} (version {flow.version})"))
    tasks = {task.name: task for task in pinned.tasks}
    runs = {run.task or "": run for run in await repository.tasks(session, flow.id)}
    if flow.stop_by is None and not _too_late(flow, at):
        workspace = await session.get_one(Workspace, flow.workspace_id)
        for task in _whose_turn_it_is(tasks, runs):
            runs[task.name] = _task_run(flow, task, workspace)
            session.add(runs[task.name])
        await session.flush()
    else:
        await _stop_all(session, flow, runs.values(), at, "the flow's timeout")
    if all(run.state in ENDED for run in runs.values()):
        await _end(session, flow, tasks, runs, at)


def _whose_turn_it_is(tasks: Mapping[str, PinnedTask], runs: Mapping[str, Run]) -> list[PinnedTask]:
    succeeded = {name for name, run in runs.items() if run.state is State.SUCCEEDED}
    return [task for task in tasks.values() if task.name not in runs and succeeded.issuperset(task.after)]


def _task_run(flow: Run, task: PinnedTask, workspace: Workspace) -> Run:
    run = waiting_run(workspace, task.definition, task.values)
    # It goes with the flow, whatever becomes of the job that it is.
    run.job_id, run.job, run.version = flow.job_id, task.job or flow.job, task.version or flow.version
    run.definition = None if task.job is None else task.definition.model_dump(mode="json")
    run.by_platform_admin = flow.by_platform_admin if task.job is None else task.by_platform_admin
    run.trigger, run.requested_by = Trigger.FLOW, flow.requested_by
    run.flow_id, run.task, run.is_listed = flow.id, task.name, False
    return run


async def _give_up(database: Database, flow_id: str, why: str) -> None:
    """Once what is under way of it has stopped."""
    async with _held(database, flow_id) as (session, flow):
        if flow is None:
            return
        at = await database_time(session)
        runs = await repository.tasks(session, flow_id)
        await _stop_all(session, flow, runs, at, "the flow, which cannot go on")
        if all(run.state in ENDED for run in runs):
            await changes.failed(session, flow, at, why)


async def _stop_all(session: AsyncSession, flow: Run, runs: Collection[Run], at: datetime, otherwise: str) -> None:
    """By whoever stopped the flow, or otherwise by what is said."""
    for run in runs:
        if run.state in ENDED:
            continue
        found = await repository.locked(session, run.id)
        if found is not None and found.state not in ENDED:
            found.stop_by = found.stop_by or flow.stop_by or otherwise
            if found.state is State.PENDING:
                await changes.cancelled(session, found, at)


async def _end(
    session: AsyncSession, flow: Run, tasks: Mapping[str, PinnedTask], runs: Mapping[str, Run], at: datetime
) -> None:
    """Nothing of it is under way, and nothing more can begin."""
    if flow.stop_by is not None:
        await changes.cancelled(session, flow, at)
    elif len(runs) == len(tasks) and all(run.state is State.SUCCEEDED for run in runs.values()):
        await changes.succeeded(session, flow, at)
    elif _too_late(flow, at):
        await changes.failed(session, flow, at, f"It took longer than {_timeout(flow)} s.", State.TIMED_OUT)
    else:
        first = next(run for run in runs.values() if run.state is not State.SUCCEEDED)
        await changes.failed(session, flow, at, f"The task {first.task} {_became(first)}")


def _became(run: Run) -> str:
    return f"{'was cancelled' if run.state is State.CANCELLED else run.state}: {run.error or 'no reason was given'}"


def _timeout(flow: Run) -> int | None:
    return flow.rules["timeout_seconds"]


def _too_late(flow: Run, at: datetime) -> bool:
    seconds = _timeout(flow)
    return seconds is not None and flow.started_at is not None and at > flow.started_at + timedelta(seconds=seconds)
