"""Runs in the database."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Exists, Row, RowMapping, ScalarSelect, Select, and_, bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from boathouse.control.access.actor import Scope
from boathouse.control.database.base import table_of
from boathouse.control.jobs import repository as jobs
from boathouse.control.jobs.kinds import STREAMS
from boathouse.control.jobs.models import Job
from boathouse.control.runs import listed
from boathouse.control.runs.models import Run, RunAttempt, is_active, is_under_way
from boathouse.control.runs.schemas import AttemptTold, RunInShort, RunTold
from boathouse.control.runs.states import State
from boathouse.control.workspaces.models import Workspace

_Other = aliased(Run)
_RUNS, _ATTEMPTS, _JOBS = table_of(Run), table_of(RunAttempt), table_of(Job)
_OLDER = _RUNS.alias("older")
# A stream that lives for months has had thousands, of which nobody looks at the old ones.
_MOST_ATTEMPTS = 50
TOLD = tuple(RunTold.model_fields)
# What is told of Spark's stages and jobs is kept with the progress.
ATTEMPT_TOLD = tuple(name for name in AttemptTold.model_fields if name not in {"stages", "spark_jobs"})
# No task of a flow. Not by `flow_id`: SQLite would go through all that have none along the index of tasks.
_IS_NO_TASK = Run.task.is_(None)
_IS_UNDER_WAY = and_(_IS_NO_TASK, is_under_way(Run.state))
# Of all jobs and workspaces, along the index of what is under way.
_IS_ACTIVE = and_(is_active(Run.state), is_under_way(Run.state))
_BY_ID = select(Run).where(Run.workspace_id == bindparam("workspace"), Run.id == bindparam("id"))
_ATTEMPTS_TOLD = (
    select(*(_ATTEMPTS.c[name] for name in ATTEMPT_TOLD))
    .where(_ATTEMPTS.c.run_id == bindparam("run"))
    .order_by(_ATTEMPTS.c.number.desc())
    .limit(_MOST_ATTEMPTS)
)


@dataclass(frozen=True)
class Wanted:
    job: str | None = None
    states: Sequence[State] | None = None
    """Any of them."""
    requested_by: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class Beside:
    """What is under way beside a run that waits."""

    of_job: int
    runs: int
    """Of its workspace, and what those have."""
    cores: int
    memory_mb: int


async def find(
    session: AsyncSession, scope: Scope, wanted: Wanted, *, before: str | None, limit: int
) -> Sequence[Row[Any]]:
    """The newest first, with the columns of `listed`; tasks and queries are found elsewhere.

    One query, along an index, however many there are.
    """
    given = {name: value for name, value in (*vars(wanted).items(), ("before", before)) if value is not None}
    statement = _found(frozenset(given), session.get_bind().dialect.name)
    return (await session.execute(statement, {**given, "workspace": scope.workspace_id, "most": limit})).all()


@cache
def _found(given: frozenset[str], dialect: str) -> Select[Any, *tuple[Any, ...]]:
    """Of columns and not of objects: a list is many rows that nobody changes."""
    conditions = {
        "job": _RUNS.c.job == bindparam("job"),
        "states": _RUNS.c.state.in_(bindparam("states", expanding=True)),
        "requested_by": _RUNS.c.requested_by == bindparam("requested_by"),
        "since": _RUNS.c.created_at >= bindparam("since"),
        "until": _RUNS.c.created_at < bindparam("until"),
        "before": _RUNS.c.id < bindparam("before"),
    }
    found = (
        select(*listed.columns(dialect))
        .where(_RUNS.c.workspace_id == bindparam("workspace"), _RUNS.c.is_listed)
        .where(*(conditions[name] for name in sorted(given)))
        .order_by(_RUNS.c.id.desc())
        .limit(bindparam("most"))
    )
    return listed.documents(found, dialect)


async def of_each_job(
    session: AsyncSession, scope: Scope, *, after: str | None, job: str | None, jobs: int, most: int
) -> Sequence[RowMapping]:
    """The newest few runs of each of some jobs, by the job's name; of a job without runs one row without a run.

    One query that costs the same however long the history is: for each job one step along an index finds the oldest
    run that is wanted, and the rest is read from there on.
    """
    given = {"after": after, "only": job}
    given = {name: value for name, value in given.items() if value is not None}
    values = {**given, "workspace": scope.workspace_id, "jobs": jobs, "skipped": most - 1}
    return (await session.execute(_of_each_job(frozenset(given)), values)).mappings().all()


@cache
def _of_each_job(given: frozenset[str]) -> Select[Any]:
    conditions = {"after": _JOBS.c.name > bindparam("after"), "only": _JOBS.c.name == bindparam("only")}
    oldest = (
        select(_OLDER.c.id)
        .where(_OLDER.c.workspace_id == _JOBS.c.workspace_id, _OLDER.c.job == _JOBS.c.name, _OLDER.c.is_listed)
        .order_by(_OLDER.c.id.desc())
        .limit(1)
        .offset(bindparam("skipped"))
        .correlate(_JOBS)
        .scalar_subquery()
    )
    wanted = (
        select(_JOBS.c.workspace_id, _JOBS.c.name, func.coalesce(oldest, "").label("oldest"))
        .where(_JOBS.c.workspace_id == bindparam("workspace"), *(conditions[name] for name in sorted(given)))
        .order_by(_JOBS.c.name)
        .limit(bindparam("jobs"))
        .cte("wanted")
    )
    of_job = (_RUNS.c.workspace_id == wanted.c.workspace_id) & (_RUNS.c.job == wanted.c.name)
    return (
        select(wanted.c.name.label("of_job"), *(_RUNS.c[name] for name in RunInShort.model_fields))
        .select_from(wanted.outerjoin(_RUNS, of_job & (_RUNS.c.id >= wanted.c.oldest) & _RUNS.c.is_listed))
        .order_by(wanted.c.name, _RUNS.c.id.desc())
    )


async def by_id(session: AsyncSession, scope: Scope, run_id: str, *, lock: bool = False) -> Run | None:
    found = {"workspace": scope.workspace_id, "id": run_id}
    return await session.scalar(_BY_ID.with_for_update() if lock else _BY_ID, found)


async def by_key(session: AsyncSession, scope: Scope, key: str) -> Run | None:
    return await session.scalar(select(Run).where(Run.workspace_id == scope.workspace_id, Run.key == key))


async def jobs_of(session: AsyncSession, scope: Scope, run_ids: Collection[str]) -> dict[str, str]:
    """The names of their jobs, of those runs that are in this workspace. A query is its asker's own, and left out."""
    query = select(Run.id, Run.job).where(Run.workspace_id == scope.workspace_id, Run.id.in_(run_ids))
    query = query.where(Run.job_id.is_not(None))
    return {row.id: row.job for row in await session.execute(query)}


async def locked(session: AsyncSession, run_id: str) -> Run | None:
    """For a change: whoever else would change it waits."""
    return await session.scalar(
        select(Run).where(Run.id == run_id).with_for_update().execution_options(populate_existing=True)
    )


async def attempts(session: AsyncSession, run_ids: Collection[str]) -> list[RunAttempt]:
    query = select(RunAttempt).where(RunAttempt.run_id.in_(run_ids)).order_by(RunAttempt.run_id, RunAttempt.number)
    return list((await session.scalars(query)).all())


async def attempts_told(session: AsyncSession, run_id: str) -> Sequence[Row[Any]]:
    """The newest, in their order, as `ATTEMPT_TOLD` names their columns: without their timelines, which may be long."""
    return (await session.execute(_ATTEMPTS_TOLD, {"run": run_id})).all()[::-1]


async def attempt(session: AsyncSession, run: Run, number: int | None = None) -> RunAttempt | None:
    """The latest, unless another is named."""
    return await session.get(RunAttempt, (run.id, number or run.attempt))


async def tasks(session: AsyncSession, flow_id: str) -> list[Run]:
    return list((await session.scalars(select(Run).where(Run.flow_id == flow_id).order_by(Run.id))).all())


async def under_way(session: AsyncSession, job_id: str) -> list[Run]:
    """Runs of a job that are not over, the tasks of flows aside."""
    query = select(Run).where(Run.job_id == job_id, _IS_UNDER_WAY)
    return list((await session.scalars(query.order_by(Run.id).with_for_update())).all())


async def hold_those_of_due_jobs(session: AsyncSession, at: datetime) -> None:
    """Runs under way of jobs whose time has come: nobody changes them until the change ends."""
    due = select(Job.id).where(jobs.is_due(at))
    query = select(Run.id).where(Run.job_id.in_(due), _IS_UNDER_WAY)
    await session.execute(query.order_by(Run.id).with_for_update())


async def scheduled(session: AsyncSession, job_id: str, times: Collection[datetime]) -> set[datetime]:
    """Those of the times that the job has a run for."""
    query = select(Run.scheduled_for).where(Run.job_id == job_id, Run.scheduled_for.in_(times))
    return {time for time in await session.scalars(query) if time is not None}


async def next_claimable(session: AsyncSession, at: datetime, without_process: Collection[str]) -> Run | None:
    """The oldest run that may begin: its time has come, and its job and its workspace have room for it."""
    query = (
        _ready(at)
        .where(Run.kind.not_in(without_process))
        .join(Workspace, Workspace.id == Run.workspace_id)
        .where(
            _in_workspace(func.count(), without_process) < Workspace.most_runs,
            _in_workspace(func.coalesce(func.sum(_Other.cores), 0), without_process) + Run.cores
            <= Workspace.most_cores,
            _in_workspace(func.coalesce(func.sum(_Other.memory_mb), 0), without_process) + Run.memory_mb
            <= Workspace.most_memory_mb,
        )
    )
    return await session.scalar(query.order_by(Run.id).limit(1).with_for_update(of=Run))


async def beside(session: AsyncSession, run: Run, without_process: Collection[str]) -> Beside:
    """What `next_claimable` compares with what is allowed."""
    query = select(
        _of_job(),
        _in_workspace(func.count(), without_process),
        _in_workspace(func.coalesce(func.sum(_Other.cores), 0), without_process),
        _in_workspace(func.coalesce(func.sum(_Other.memory_mb), 0), without_process),
    ).where(Run.id == run.id)
    return Beside(*(await session.execute(query)).one())


async def active(session: AsyncSession, scope: Scope) -> int:
    """How many runs of the workspace are under way."""
    query = select(func.count()).select_from(Run)
    return await session.scalar(query.where(Run.workspace_id == scope.workspace_id, is_active(Run.state))) or 0


async def ready_flows(session: AsyncSession, at: datetime, without_process: Collection[str]) -> list[Run]:
    """Flows that may begin."""
    query = _ready(at).where(Run.kind.in_(without_process))
    return list((await session.scalars(query.order_by(Run.id).limit(100).with_for_update())).all())


async def running_flows(session: AsyncSession, without_process: Collection[str]) -> list[str]:
    query = select(Run.id).where(_IS_ACTIVE, Run.kind.in_(without_process))
    return list((await session.scalars(query.order_by(Run.id))).all())


async def lost(session: AsyncSession, at: datetime, besides: Collection[str]) -> list[Run]:
    """Runs whose lease has run out, besides some by their ids."""
    query = select(Run).where(_IS_ACTIVE, Run.lease_until < at, Run.id.not_in(besides))
    return list((await session.scalars(query.order_by(Run.id).limit(100).with_for_update())).all())


async def waiting(session: AsyncSession, at: datetime, without_process: Collection[str]) -> tuple[int, datetime | None]:
    """How many wait whose time has come, and since when the oldest could have begun."""
    found = select(func.count(), func.min(Run.available_at)).where(*_waiting(at, without_process))
    row = (await session.execute(found)).one()
    return row[0], row[1]


def _waiting(at: datetime, without_process: Collection[str]) -> tuple[ColumnElement[bool], ...]:
    return *_is_pending(at), Run.kind.not_in(without_process)


def _is_pending(at: datetime) -> tuple[ColumnElement[bool], ...]:
    """Its time has come."""
    return Run.state == State.PENDING, Run.available_at <= at, is_under_way(Run.state)


async def any_waiting(session: AsyncSession, at: datetime, without_process: Collection[str]) -> bool:
    query = select(Run.id).where(*_waiting(at, without_process)).limit(1)
    return await session.scalar(query) is not None


async def any_overdue(session: AsyncSession, at: datetime) -> bool:
    return await session.scalar(_overdue(at).with_only_columns(Run.id).limit(1)) is not None


async def overdue(session: AsyncSession, at: datetime) -> list[Run]:
    """Runs that should be over, and nobody was told. One that somebody is changing just now is found the next time."""
    query = _overdue(at).order_by(Run.deadline_at).limit(100).with_for_update(skip_locked=True)
    return list((await session.scalars(query)).all())


async def to_be_stopped(session: AsyncSession, worker: str) -> list[str]:
    """Of the worker's own."""
    query = select(Run.id).where(_IS_ACTIVE, Run.worker == worker, Run.stop_by.is_not(None))
    return list((await session.scalars(query)).all())


def _overdue(at: datetime) -> Select[Run]:
    """Tasks are their flow's business."""
    return select(Run).where(_IS_UNDER_WAY, Run.deadline_at < at, Run.deadline_missed.is_(False))


def _of_job() -> ScalarSelect[int]:
    return (
        select(func.count())
        .select_from(_Other)
        .where(_Other.job_id == Run.job_id, _Other.task.is_(None), is_active(_Other.state))
        # A stream and a replay of what it rejected are at work side by side.
        .where(_Other.kind.in_(STREAMS) == Run.kind.in_(STREAMS))
        .correlate(Run)
        .scalar_subquery()
    )


def _ready(at: datetime) -> Select[Run]:
    return select(Run).where(
        *_is_pending(at),
        _of_flow_under_way() | (_IS_NO_TASK & (_of_job() < Run.most_at_once)),
    )


def _of_flow_under_way() -> Exists:
    """Tasks count with their flow. While one that is tried again waits for room, so do they."""
    return select(_Other.id).where(_Other.id == Run.flow_id, is_active(_Other.state)).correlate(Run).exists()


def _in_workspace(what: ColumnElement[int], without_process: Collection[str]) -> ScalarSelect[int]:
    return (
        select(what)
        .select_from(_Other)
        .where(_Other.workspace_id == Run.workspace_id, is_active(_Other.state), _Other.kind.not_in(without_process))
        .correlate(Run)
        .scalar_subquery()
    )
