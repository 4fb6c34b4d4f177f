"""What is no longer kept is removed: little at a time, beside the runs and never in their way. Several workers may do it.

Rows leave storage before the database says that they are gone: who dies in between leaves them to be removed again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from boathouse.control.database import Database
from boathouse.control.lineage import repository as lineage
from boathouse.control.runs import forgetting
from boathouse.control.runs.clock import database_time
from boathouse.control.runs.results import Results
from boathouse.kit.errors import BoathouseError
from boathouse.kit.settings import ControlSettings

_log = structlog.get_logger()
# So few that whoever else wants to write does not notice.
_AT_ONCE = 50
_PAUSE = 1.0
_REST = 600.0


@dataclass(frozen=True)
class Keeper:
    database: Database
    results: Results
    keep: ControlSettings

    async def work(self) -> None:
        """Until it is cancelled."""
        while True:
            more = await self.tidy()
            await asyncio.sleep(_PAUSE if more else _REST)

    async def tidy(self) -> int:
        """Remove a little of each; how much that was. Of what cannot be removed nothing else has to wait."""
        removed = await self._removed(self._discarded, timedelta())
        for days, remove in (
            (self.keep.keep_results_days, self._results),
            (self.keep.keep_logs_days, self._logs),
            (self.keep.keep_queries_days, self._queries),
            (self.keep.keep_lineage_days, self._lineage),
        ):
            if days:
                removed += await self._removed(remove, timedelta(days=days))
        return removed

    async def _removed(self, remove: Callable[[datetime], Awaitable[int]], age: timedelta) -> int:
        try:
            async with self.database.reading() as session:
                at = await database_time(session)
            return await remove(at - age)
        except BoathouseError as error:
            _log.warning("worker.retention-failed", what=remove.__name__.lstrip("_"), reason=str(error))
        except Exception:  # noqa: BLE001 - a look that broke must not be the last: nothing would be removed any more
            _log.exception("worker.retention-broke", what=remove.__name__.lstrip("_"))
        return 0

    async def _discarded(self, _: datetime) -> int:
        """What belonged to a job or workspace that is gone."""
        async with self.database.reading() as session:
            places = await forgetting.discarded(session, _AT_ONCE)
        if places:
            await self.results.remove(places)
            async with self.database.changing() as session:
                await forgetting.forget_discarded(session, places)
        return len(places)

    async def _results(self, before: datetime) -> int:
        async with self.database.reading() as session:
            runs = await forgetting.with_result(session, before, _AT_ONCE)
        if runs:
            await self.results.remove_attempts({run.place: run.attempt for run in runs if run.attempt})
            async with self.database.changing() as session:
                await forgetting.result_is_gone(session, [run.id for run in runs], before)
        return len(runs)

    async def _logs(self, before: datetime) -> int:
        async with self.database.changing() as session:
            return await forgetting.remove_logs(session, before, _AT_ONCE)

    async def _queries(self, before: datetime) -> int:
        async with self.database.changing() as session:
            return await forgetting.remove_queries(session, before, _AT_ONCE)

    async def _lineage(self, before: datetime) -> int:
        async with self.database.changing() as session:
            return await lineage.forget_old(session, before, _AT_ONCE)
