"""Runs in the database."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, ScalarSelect, Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from boathouse.control.access.actor import Scope
from boathouse.control.runs.models import Run, RunAttempt
from boathouse.control.runs.states import ACTIVE, State
from boathouse.control.workspaces.models import Workspace

_Other = aliased(Run)


@dataclass(frozen=True)
class Wanted:
    job: str | None = None
    state: State | None = None
    since: datetime | None = None


async def find(session: AsyncSession, scope: Scope, wanted: Wanted, *, before: str | None, limit: int) -> list[Run]:
    """The newest first; tasks and queries are found elsewhere. One query, along an index, however many there are."""
    query = select(Run).where(Run.workspace_id == scope.workspace_id, Run.is_listed)
    if wanted.job is not None:
        query = query.where(Run.job == wanted.job)
    if wanted.state is not None:
        query = query.where(Run.state == wanted.state)
    if wanted.since is not None:
        query = query.where(Run.created_at >= wanted.since)
    if before is not None:
        query = query.where(Run.id < before)
    return list((await session.scalars(query.order_by(Run.id.desc()).limit(limit))).all())


async def by_id(session: AsyncSession, scope: Scope, run_id: str, *, lock: bool = False) -> Run | None:
    query = select(Run).where(Run.workspace_id == scope.workspace_id, Run.id == run_id)
    return await session.scalar(query.with_for_update() if lock else query)


async def by_key(session: AsyncSession, scope: Scope, key: str) -> Run | None:
    return await session.scalar(select(Run).where(Run.workspace_id == scope.workspace_id, Run.key == key))


async def locked(session: AsyncSession, run_id: str) -> Run | None:
    """For a change: whoever else would change it waits."""
    return await session.scalar(
        select(Run).where(Run.id == run_id).with_for_update().execution_options(populate_existing=True)
    )


async def attempts(session: AsyncSession, run_ids: Collection[str]) -> list[RunAttempt]:
    query = select(RunAttempt).where(RunAttempt.run_id.in_(run_ids)).order_by(RunAttempt.run_id, RunAttempt.number)
    return list((await session.scalars(query)).all())


async def attempt(session: AsyncSession, run: Run) -> RunAttempt | None:
    """The latest."""
    return await session.get(RunAttempt, (run.id, run.attempt))


async def tasks(session: AsyncSession, flow_id: str) -> list[Run]:
    return list((await session.scalars(select(Run).where(Run.flow_id == flow_id).order_by(Run.id))).all())


async def under_way(session: AsyncSession, job_id: str) -> list[Run]:
    """Runs of a job that are not over, the tasks of flows aside."""
    query = select(Run).where(Run.job_id == job_id, Run.flow_id.is_(None), Run.state.in_({State.PENDING, *ACTIVE}))
    return list((await session.scalars(query.order_by(Run.id).with_for_update())).all())


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


async def ready_flows(session: AsyncSession, at: datetime, without_process: Collection[str]) -> list[Run]:
    """Flows that may begin."""
    query = _ready(at).where(Run.kind.in_(without_process))
    return list((await session.scalars(query.order_by(Run.id).limit(100).with_for_update())).all())


async def running_flows(session: AsyncSession, without_process: Collection[str]) -> list[Run]:
    query = select(Run).where(Run.state.in_(ACTIVE), Run.kind.in_(without_process))
    return list((await session.scalars(query.order_by(Run.id).with_for_update())).all())


async def lost(session: AsyncSession, at: datetime) -> list[Run]:
    """Runs whose lease has run out."""
    query = select(Run).where(Run.state.in_(ACTIVE), Run.lease_until < at)
    return list((await session.scalars(query.order_by(Run.id).limit(100).with_for_update())).all())


async def to_be_stopped(session: AsyncSession, worker: str) -> list[str]:
    """Of the worker's own."""
    query = select(Run.id).where(Run.state.in_(ACTIVE), Run.worker == worker, Run.stop_by.is_not(None))
    return list((await session.scalars(query)).all())


def _ready(at: datetime) -> Select[Run]:
    of_job = (
        select(func.count())
        .select_from(_Other)
        .where(_Other.job_id == Run.job_id, _Other.flow_id.is_(None), _Other.state.in_(ACTIVE))
        .correlate(Run)
        .scalar_subquery()
    )
    return select(Run).where(
        Run.state == State.PENDING,
        Run.available_at <= at,
        Run.flow_id.is_not(None) | (of_job < Run.most_at_once),
    )


def _in_workspace(what: ColumnElement[int], without_process: Collection[str]) -> ScalarSelect[int]:
    return (
        select(what)
        .select_from(_Other)
        .where(_Other.workspace_id == Run.workspace_id, _Other.state.in_(ACTIVE), _Other.kind.not_in(without_process))
        .correlate(Run)
        .scalar_subquery()
    )
