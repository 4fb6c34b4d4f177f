"""Workers in the database."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.runs.models import Run, is_active, is_under_way
from boathouse.control.workers.models import WorkerSeen

_MOST = 1000


async def every(session: AsyncSession) -> list[WorkerSeen]:
    """The oldest first."""
    query = select(WorkerSeen).order_by(WorkerSeen.started_at, WorkerSeen.id).limit(_MOST)
    return list((await session.scalars(query)).all())


async def any_since(session: AsyncSession, at: datetime) -> bool:
    """Whether one was heard of since then."""
    return await session.scalar(select(WorkerSeen.id).where(WorkerSeen.seen_at >= at).limit(1)) is not None


async def runs_of_all(session: AsyncSession, without_process: Collection[str]) -> dict[str, list[str]]:
    """The ids of the runs that each worker has."""
    active = is_active(Run.state), is_under_way(Run.state)
    query = select(Run.worker, Run.id).where(*active, Run.kind.not_in(without_process))
    found: defaultdict[str, list[str]] = defaultdict(list)
    for worker, run_id in await session.execute(query.order_by(Run.id)):
        found[worker or ""].append(run_id)
    return found


async def forget(session: AsyncSession, worker_id: str) -> None:
    await session.execute(delete(WorkerSeen).where(WorkerSeen.id == worker_id))


async def forget_silent(session: AsyncSession, before: datetime) -> None:
    await session.execute(delete(WorkerSeen).where(WorkerSeen.seen_at < before))
