"""What is for all workers to do beside their runs. It needs to be done by one of them, and by none in the way of a run."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic

import structlog

from boathouse.control.database import Database
from boathouse.control.notifications import repository as notifications
from boathouse.control.runs import repository as runs
from boathouse.control.runs.clock import database_time
from boathouse.control.runs.deadlines import tell_missed
from boathouse.control.runs.flows import move_on
from boathouse.control.runs.leases import WITHOUT_PROCESS, Leases
from boathouse.control.runs.schedule import start_due
from boathouse.control.worker import metrics
from boathouse.control.workers.service import SEEN_EVERY, Presence, forget_gone
from boathouse.kit.errors import BoathouseError

_log = structlog.get_logger()
# What was told a month ago nobody looks up.
_DELIVERIES_KEPT = timedelta(days=30)


@dataclass
class Chore:
    do: Callable[[], Awaitable[object]]
    seconds: float = 0.0
    """At least so long between two times."""
    done_at: float | None = None

    async def done(self) -> bool:
        """If it is time. False if it failed, and then it is tried again at once."""
        if self.done_at is not None and monotonic() - self.done_at < self.seconds:
            return True
        try:
            await self.do()
        except BoathouseError as error:
            _log.warning("worker.chore-failed", reason=str(error))
            return False
        except Exception:  # noqa: BLE001 - one that breaks must not keep the others from being done, nor itself the next time
            _log.exception("worker.chore-broke")
            return False
        self.done_at = monotonic()
        return True


def chores_of(leases: Leases, presence: Presence, at_work: Callable[[], Collection[str]]) -> Sequence[Chore]:
    """With the ids of the runs that are at work here."""
    database = leases.database
    return (
        Chore(lambda: leases.take_back_lost(at_work())),
        Chore(lambda: start_due(database)),
        Chore(lambda: move_on(database)),
        Chore(lambda: tell_missed(database)),
        Chore(presence.show, SEEN_EVERY.total_seconds()),
        Chore(lambda: _measure(database), 5.0),
        Chore(lambda: _tidy(database), 3600.0),
    )


async def _measure(database: Database) -> None:
    async with database.reading() as session:
        at = await database_time(session)
        count, since = await runs.waiting(session, at, WITHOUT_PROCESS)
    metrics.QUEUE.set(count)
    metrics.OLDEST.set((at - since).total_seconds() if since is not None else 0)


async def _tidy(database: Database) -> None:
    async with database.changing() as session:
        await forget_gone(session)
        await notifications.forget_old(session, await database_time(session) - _DELIVERIES_KEPT)
