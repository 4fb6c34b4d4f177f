"""Why a run that waits has not begun, in words: whoever asked for it cannot see the others it waits for."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.jobs.kinds import kind_named
from boathouse.control.jobs.schemas import Definition
from boathouse.control.runs import repository
from boathouse.control.runs.clock import database_time
from boathouse.control.runs.leases import WITHOUT_PROCESS
from boathouse.control.runs.models import Run
from boathouse.control.runs.states import ACTIVE, State
from boathouse.control.runs.waiting import flow_of
from boathouse.control.workers import repository as workers
from boathouse.control.workers.service import SILENT_AFTER
from boathouse.control.workspaces.models import Workspace
from boathouse.kit.errors import Conflict


def refuse_what_never_fits(run: Run, definition: Definition, workspace: Workspace) -> None:
    """Of a flow, what its tasks take."""
    tasks = [] if kind_named(run.kind).has_process else flow_of(run, definition).tasks
    taken = [("It", run.cores, run.memory_mb)]
    taken += [(f"Its task {one.name}", *_resources(one.definition)) for one in tasks]
    for who, cores, memory_mb in taken:
        if (why := _never(who, cores, memory_mb, workspace)) is not None:
            raise Conflict(
                f"{why} It could never begin.",
                hint="Let it take less (`resources`), or ask a platform admin to raise the workspace's quotas.",
            )


def _resources(definition: Definition) -> tuple[int, int]:
    return definition.resources.cores, definition.resources.memory_mb


async def why_it_waits(session: AsyncSession, run: Run) -> str | None:
    """None for a run that does not wait."""
    if run.state is not State.PENDING:
        return None
    at = await database_time(session)
    if run.available_at > at:
        return f"Its next try begins at {run.available_at:%Y-%m-%d %H:%M:%SZ}."
    workspace = await session.get_one(Workspace, run.workspace_id)
    if (why := _never("It", run.cores, run.memory_mb, workspace)) is not None:
        return f"{why} It never begins, unless a platform admin raises that."
    others = await repository.beside(session, run, WITHOUT_PROCESS)
    if (why := await _held_back(session, run, others)) is not None:
        return why
    if not kind_named(run.kind).has_process:
        return await _no_worker(session, at) or "It begins with a worker's next look."
    return _full(run, workspace, others) or await _no_worker(session, at) or "It waits for a worker that is free."


async def _held_back(session: AsyncSession, run: Run, others: repository.Beside) -> str | None:
    """By its flow, which counts among its job's runs as a whole; or by those runs."""
    if run.flow_id is not None:
        flow = await session.get_one(Run, run.flow_id)
        return None if flow.state in ACTIVE else "The flow whose task it is has not begun."
    if others.of_job >= run.most_at_once:
        return f"Runs of {run.job or 'its kind'} under way: {others.of_job}, as many as the job allows at once."
    return None


def _never(who: str, cores: int, memory_mb: int, workspace: Workspace) -> str | None:
    if cores > workspace.most_cores:
        return f"{who} takes {cores:,} cores, and {workspace.name} allows {workspace.most_cores:,} at once."
    if memory_mb > workspace.most_memory_mb:
        return f"{who} takes {memory_mb:,} MB, and {workspace.name} allows {workspace.most_memory_mb:,} at once."
    return None


def _full(run: Run, workspace: Workspace, others: repository.Beside) -> str | None:
    if others.runs >= workspace.most_runs:
        return f"Runs of {workspace.name} under way: {others.runs}, as many as it allows at once."
    for what, used, more, most in (
        ("cores", others.cores, run.cores, workspace.most_cores),
        ("MB of memory", others.memory_mb, run.memory_mb, workspace.most_memory_mb),
    ):
        if used + more > most:
            return f"It takes {more:,} {what}, and of the {most:,} of {workspace.name} others have {used:,}."
    return None


async def _no_worker(session: AsyncSession, at: datetime) -> str | None:
    if not await workers.any_since(session, at - SILENT_AFTER):
        return "No worker is running: `boathouse up` starts one, `boathouse worker` another."
    return None
