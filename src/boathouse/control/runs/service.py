"""What people can do with runs."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.access.roles import Role
from boathouse.control.jobs import service as jobs
from boathouse.control.jobs.kinds import kind_named
from boathouse.control.jobs.models import Job
from boathouse.control.jobs.parameters import settled
from boathouse.control.jobs.pinning import pinned
from boathouse.control.jobs.stored import NotUnderstood
from boathouse.control.runs import changes, forgetting, repository
from boathouse.control.runs.clock import alone, database_time
from boathouse.control.runs.crowding import make_room, refuse_behind_another
from boathouse.control.runs.flows import cancel_waiting
from boathouse.control.runs.listed import outside
from boathouse.control.runs.models import Run, Trigger
from boathouse.control.runs.reasons import refuse_what_never_fits, why_it_waits
from boathouse.control.runs.schemas import (
    ONE_BY_ONE,
    SPARK_JOBS,
    STAGES,
    AttemptTold,
    JobsRuns,
    NewRun,
    RunInFull,
    RunInShort,
    RunTold,
    SparkJobTold,
    StageTold,
    TaskTold,
)
from boathouse.control.runs.states import ACTIVE, ENDED, MAY_BE_TRIED_AGAIN, State
from boathouse.control.runs.waiting import flow_of, keep_pinned, run_of_job
from boathouse.control.workspaces.models import Workspace
from boathouse.kit.errors import Conflict, InvalidInput, NotFound


async def submit(session: AsyncSession, scope: Scope, name: str, wanted: NewRun) -> tuple[Run, bool]:
    """A run of the job, and whether it is new."""
    await alone(session)
    job, version = await jobs.get(session, scope, name)
    # Before anything else: what was asked for once is known, whatever the job has become since.
    if wanted.key is not None and (known := await repository.by_key(session, scope, wanted.key)):
        await _refuse_unless_same(session, scope, known, job, wanted)
        return known, False
    if wanted.version is not None:
        version = await jobs.version(session, scope, name, wanted.version)
    definition = jobs.definition_of(version)
    values = settled(definition.parameters, wanted.values)
    workspace = await session.get_one(Workspace, scope.workspace_id)
    run = run_of_job(job, version, definition, values, workspace)
    keep_pinned(run, await pinned(session, scope.workspace_id, definition, values))
    refuse_what_never_fits(run, definition, workspace)
    run.trigger, run.requested_by, run.key = Trigger.REQUEST, scope.actor.name, wanted.key
    await make_room(session, run, definition.concurrency, wanted.otherwise)
    session.add(run)
    await session.flush()
    return run, True


async def get(session: AsyncSession, scope: Scope, run_id: str, *, lock: bool = False) -> Run:
    """A query is its asker's own: to others it is not there, unless they administer the workspace."""
    run = await repository.by_id(session, scope, run_id, lock=lock)
    if run is None or not may_see(scope, run):
        raise NotFound(f"There is no run {run_id!r} in {scope.workspace}.", hint="Its runs are listed there.")
    return run


def may_see(scope: Scope, run: Run) -> bool:
    return run.trigger is not Trigger.QUERY or run.requested_by == scope.actor.name or scope.role is Role.ADMIN


async def stop(session: AsyncSession, scope: Scope, run_id: str) -> Run:
    """One that nobody has yet is cancelled at once; a worker is told, and stops it."""
    run = await get(session, scope, run_id, lock=True)
    if run.state in ENDED:
        raise Conflict(f"The run is {run.state} already.", hint="There is nothing left to stop.")
    run.stop_by = run.stop_by or scope.actor.name
    if run.state is State.PENDING:
        await cancel_waiting(session, run, await database_time(session))
    await session.flush()
    return run


async def again(session: AsyncSession, scope: Scope, run_id: str) -> Run:
    """Another attempt in the same run. Of a flow only what did not succeed is done again."""
    # As when one is asked for: of two streams the second finds the first.
    await alone(session)
    run = await get(session, scope, run_id, lock=True)
    if run.state not in MAY_BE_TRIED_AGAIN:
        why = "It has succeeded" if run.state is State.SUCCEEDED else f"It is {run.state}"
        raise Conflict(f"{why}, so there is nothing to repair.", hint="Start a new run of the job instead.")
    if run.flow_id is not None:
        raise Conflict("This run is a task of a flow.", hint=f"Repair the flow's run {run.flow_id}.")
    await refuse_behind_another(session, run)
    if run.job_id is not None and run.definition is None:
        # One that was left out because its jobs were not there has none yet.
        definition = jobs.definition_of(await jobs.version(session, scope, run.job, run.version))
        keep_pinned(run, await pinned(session, scope.workspace_id, definition, run.values))
    at = await database_time(session)
    changes.asked_for_again(run, at)
    for task in await repository.tasks(session, run.id):
        if task.state in MAY_BE_TRIED_AGAIN:
            changes.asked_for_again(task, at)
    await session.flush()
    return run


async def in_full(session: AsyncSession, scope: Scope, run: Run) -> RunInFull:
    attempts = await repository.attempts_told(session, run.id)
    return RunInFull(
        **_outside({name: getattr(run, name) for name in repository.TOLD}),
        waits_for=await why_it_waits(session, run),
        attempts=[_attempt_told(attempt) for attempt in attempts],
        tasks=await _tasks_told(session, scope, run),
    )


def told(run: Run) -> RunTold:
    return RunTold(**_outside({name: getattr(run, name) for name in repository.TOLD}))


def _outside(run: dict[str, Any]) -> dict[str, Any]:
    return {**run, "result": outside(run["result"])}


def in_short(rows: Sequence[Mapping[Any, Any]]) -> list[JobsRuns]:
    """Rows that come job by job."""
    return [
        JobsRuns(job=job, runs=[RunInShort.model_validate(row) for row in of_job if row["id"] is not None])
        for job, of_job in groupby(rows, key=lambda row: row["of_job"])
    ]


def is_over(run: Run) -> bool:
    return run.state in ENDED


async def refuse_if_under_way(session: AsyncSession, scope: Scope, name: str) -> None:
    """Before a job is removed, and its runs with it."""
    job, _ = await jobs.get(session, scope, name)
    under_way = await repository.under_way(session, job.id)
    if any(run.state in ACTIVE for run in under_way):
        raise Conflict(f"A run of {name} is under way.", hint="Stop it first, or wait for its end.")


async def discard_results(session: AsyncSession, scope: Scope, name: str) -> None:
    """Of a job that is about to be removed, and its runs with it."""
    job, _ = await jobs.get(session, scope, name)
    await forgetting.discard_of_job(session, job.id)


async def discard_all_results(session: AsyncSession, scope: Scope) -> None:
    """Of a workspace that is about to be removed."""
    await forgetting.discard_of_workspace(session, scope.workspace_id)


async def refuse_if_any_under_way(session: AsyncSession, scope: Scope) -> None:
    """Before a workspace is removed, and everything in it. Nobody begins one meanwhile."""
    await alone(session)
    if count := await repository.active(session, scope):
        under_way = "A run is" if count == 1 else f"{count} runs are"
        raise Conflict(
            f"{under_way} under way in {scope.workspace}.", hint="Stop what runs there first, or wait for its end."
        )


async def _tasks_told(session: AsyncSession, scope: Scope, run: Run) -> list[TaskTold]:
    if kind_named(run.kind).has_process:
        return []
    try:
        definition = jobs.definition_of(await jobs.version(session, scope, run.job, run.version))
        tasks = flow_of(run, definition).tasks
    except NotUnderstood:
        # The run itself says so, in its error.
        return []
    done = {task.task: task for task in await repository.tasks(session, run.id)}
    # In order, so that the latest is what stays.
    attempts = {
        one.run_id: one.progress or {}
        for one in await repository.attempts(session, [task.id for task in done.values()])
    }
    return [
        TaskTold(
            name=task.name,
            kind=task.definition.kind,
            job=task.job,
            after=task.after,
            run=told(done[task.name]) if task.name in done else None,
            stages=_stages(attempts.get(done[task.name].id, {})) if task.name in done else [],
        )
        for task in tasks
    ]


def _attempt_told(attempt: Row[Any]) -> AttemptTold:
    """Its stages and jobs are kept with its progress."""
    told = dict(zip(repository.ATTEMPT_TOLD, attempt, strict=True))
    kept = told.pop("progress") or {}
    progress = {name: value for name, value in kept.items() if name not in ONE_BY_ONE}
    jobs = [SparkJobTold.model_validate(job) for job in kept.get(SPARK_JOBS, [])]
    return AttemptTold(**told, progress=progress or None, stages=_stages(kept), spark_jobs=jobs)


def _stages(progress: Mapping[str, Any]) -> list[StageTold]:
    return [StageTold.model_validate(stage) for stage in progress.get(STAGES, [])]


async def _refuse_unless_same(session: AsyncSession, scope: Scope, known: Run, job: Job, wanted: NewRun) -> None:
    is_same_version = wanted.version in {None, known.version}
    if known.job_id != job.id or not is_same_version or not await _would_be(session, scope, known, wanted.values):
        raise Conflict(
            f"The key {known.key!r} was used for another run, {known.id}.", hint="Take a new key for a new run."
        )


async def _would_be(session: AsyncSession, scope: Scope, known: Run, wanted: Mapping[str, Any]) -> bool:
    """Whether these values are the run's, by the version of the job that it is a run of."""
    definition = jobs.definition_of(await jobs.version(session, scope, known.job, known.version))
    try:
        return known.values == settled(definition.parameters, wanted)
    except InvalidInput:
        return False
