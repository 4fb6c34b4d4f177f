"""What of runs is no longer kept, in the database: rows, logs, and whole queries."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, delete, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database.base import Moment, now
from boathouse.control.queries.models import Query
from boathouse.control.runs.models import DiscardedResult, LogChunk, Run
from boathouse.control.runs.states import ENDED
from boathouse.kit.ids import first_uuid

_PLACE = Run.workspace_id + "/" + Run.id
# An attempt that was lost, or stopped in its last moment, may have left rows that no run tells of.
_BEGAN = Run.result_gone_at.is_(None) & (Run.attempt > 0)
_INSTEAD = "The log was removed: it was older than logs are kept."


@dataclass(frozen=True)
class OldRun:
    id: str
    place: str
    """Below which its rows are in storage."""
    attempt: int
    """The last that it had: there may be rows of each. One that comes later is not of the run that ended so long ago."""


async def with_result(session: AsyncSession, before: datetime, limit: int) -> list[OldRun]:
    """Runs that ended before then, the oldest first; also those that have none, so that they are not looked at again."""
    found = _ended(before).with_only_columns(Run.id, _PLACE, Run.attempt).where(Run.result_gone_at.is_(None))
    return [OldRun(row[0], row[1], row[2]) for row in await session.execute(found.limit(limit))]


async def result_is_gone(session: AsyncSession, runs: Collection[str], before: datetime) -> None:
    # One that was asked for again meanwhile has another result, or none yet.
    unchanged = (Run.id.in_(runs), Run.state.in_(ENDED), Run.ended_at < before)
    await session.execute(update(Run).where(*unchanged).values(result_gone_at=now()))


async def remove_logs(session: AsyncSession, before: datetime, limit: int) -> int:
    """Of the oldest; one line stays that says so. Of how many."""
    old = _ended(before).with_only_columns(Run.id).where(Run.log_gone_at.is_(None)).limit(limit)
    runs = list((await session.scalars(_for_one(old))).all())
    with_log = (await session.scalars(select(LogChunk.run_id).where(LogChunk.run_id.in_(runs)).distinct())).all()
    await session.execute(delete(LogChunk).where(LogChunk.run_id.in_(with_log)))
    line = [int(now().timestamp() * 1000), "system", _INSTEAD]
    session.add_all([LogChunk(run_id=run_id, attempt=1, number=0, lines=[line]) for run_id in with_log])
    await session.execute(update(Run).where(Run.id.in_(runs)).values(log_gone_at=now()))
    return len(runs)


async def remove_queries(session: AsyncSession, before: datetime, limit: int) -> int:
    """The oldest, each with its run and all that is of that; how many."""
    old = select(Query.run_id).join(Run, Run.id == Query.run_id).where(Query.id < first_uuid(before))
    old = old.where(Run.state.in_(ENDED)).order_by(Query.id).limit(limit)
    runs = list((await session.scalars(_for_one(old))).all())
    await _discard(session, Run.id.in_(runs))
    await session.execute(delete(Run).where(Run.id.in_(runs)))
    return len(runs)


async def discard_of_job(session: AsyncSession, job_id: str) -> None:
    """Before it is removed, in the same transaction: somebody will remove its runs' rows from storage."""
    await _discard(session, Run.job_id == job_id)


async def discard_of_workspace(session: AsyncSession, workspace_id: str) -> None:
    """All that lies there."""
    session.add(DiscardedResult(place=workspace_id, at=now()))


async def discarded(session: AsyncSession, limit: int) -> list[str]:
    """Places in storage from which nobody reads any more."""
    return list((await session.scalars(select(DiscardedResult.place).order_by(DiscardedResult.at).limit(limit))).all())


async def forget_discarded(session: AsyncSession, places: Collection[str]) -> None:
    await session.execute(delete(DiscardedResult).where(DiscardedResult.place.in_(places)))


async def _discard(session: AsyncSession, of: ColumnElement[bool]) -> None:
    places = select(_PLACE, literal(now(), Moment())).where(of, _BEGAN)
    await session.execute(insert(DiscardedResult).from_select(["place", "at"], places))


def _for_one(old: Select[str]) -> Select[str]:
    """Several workers may look at once: each takes what no other has."""
    return old.with_for_update(of=Run, skip_locked=True)


def _ended(before: datetime) -> Select[Run]:
    return select(Run).where(Run.ended_at < before, Run.state.in_(ENDED)).order_by(Run.ended_at)
