"""What workers say of themselves, and what can be said of them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.metadata import version

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database import Database
from boathouse.control.runs.clock import database_time
from boathouse.control.runs.leases import WITHOUT_PROCESS
from boathouse.control.workers import repository
from boathouse.control.workers.models import WorkerSeen
from boathouse.control.workers.schemas import WorkersTold, WorkerTold

# Each time is a write, for which everybody on SQLite waits.
SEEN_EVERY = timedelta(seconds=10)
SILENT_AFTER = 4 * SEEN_EVERY
_FORGOTTEN_AFTER = timedelta(hours=1)


@dataclass(frozen=True)
class Presence:
    """A worker's own entry."""

    database: Database
    id: str
    host: str
    pid: int
    slots: int
    started_at: datetime

    async def show(self) -> None:
        """Still here."""
        async with self.database.changing() as session:
            seen = WorkerSeen(
                id=self.id,
                host=self.host[:255],
                pid=self.pid,
                slots=self.slots,
                version=version("boathouse")[:60],
                started_at=self.started_at,
                seen_at=await database_time(session),
            )
            await session.merge(seen)

    async def leave(self) -> None:
        async with self.database.changing() as session:
            await repository.forget(session, self.id)


async def forget_gone(session: AsyncSession) -> None:
    await repository.forget_silent(session, await database_time(session) - _FORGOTTEN_AFTER)


async def told(session: AsyncSession, *, in_full: bool) -> WorkersTold:
    at = await database_time(session)
    runs = await repository.runs_of_all(session, WITHOUT_PROCESS)
    found = [_told(one, at, runs.get(one.id, [])) for one in await repository.every(session)]
    there = [one for one in found if not one.is_silent]
    return WorkersTold(
        workers=len(there),
        slots=sum(one.slots for one in there),
        running=sum(map(len, runs.values())),
        items=found if in_full else None,
    )


def _told(worker: WorkerSeen, at: datetime, runs: list[str]) -> WorkerTold:
    names = WorkerTold.model_fields.keys() - {"is_silent", "runs"}
    silent = at - worker.seen_at > SILENT_AFTER
    return WorkerTold(**{name: getattr(worker, name) for name in names}, is_silent=silent, runs=runs)
