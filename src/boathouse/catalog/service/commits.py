"""How every change reaches the store: planned, committed at one moment, planned again if others were faster."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from boathouse.catalog.errors import CommitContended, TooLarge
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.files import MetadataFiles
from boathouse.catalog.service.repeats import Repeats, Ticket
from boathouse.catalog.store import Comparison, Store, Write
from boathouse.catalog.telemetry.metrics import RETRIES
from boathouse.catalog.telemetry.outcomes import observed_commit
from boathouse.kit.errors import Unavailable

# Every lost race means that somebody else's commit went through; past this many the client may as well wait longer.
_ATTEMPTS = 12
_FIRST_PAUSE_SECONDS = 0.002


@dataclass(frozen=True)
class Plan:
    """What is to be written if nothing changed meanwhile, and what the caller is then told."""

    answer: Answer
    comparisons: tuple[Comparison, ...] = ()
    writes: tuple[Write, ...] = ()
    files: tuple[str, ...] = ()
    """Metadata files written for this plan: of no use to anybody if it is rejected."""
    outdated: tuple[str, ...] = ()
    """Metadata files that are of no use to anybody once it is applied."""


class Commits:
    def __init__(self, store: Store, files: MetadataFiles, repeats: Repeats) -> None:
        self._store = store
        self._files = files
        self._repeats = repeats

    async def carry_out(self, plan: Callable[[], Awaitable[Plan]], ticket: Ticket | None) -> Answer:
        """Plan and commit until it is applied. What the plan raises is the end of it."""
        with observed_commit():
            return await self._carried_out(plan, ticket)

    async def _carried_out(self, plan: Callable[[], Awaitable[Plan]], ticket: Ticket | None) -> Answer:
        for attempt in range(_ATTEMPTS):
            planned = await plan()
            if await self._commit(planned, ticket):
                await self._files.delete(planned.outdated)
                return planned.answer
            await self._files.delete(planned.files)
            RETRIES.inc()
            if ticket is not None:
                ticket, earlier = await self._repeats.again(ticket)
                if earlier is not None:
                    return earlier
            await asyncio.sleep(_FIRST_PAUSE_SECONDS * 2**attempt * random.random())  # noqa: S311 - spreads rivals, guards nothing
        raise CommitContended(f"Cannot commit: the catalog changed under each of {_ATTEMPTS} attempts. Retry later.")

    async def _commit(self, plan: Plan, ticket: Ticket | None) -> bool:
        comparisons, writes = list(plan.comparisons), list(plan.writes)
        if ticket is not None:
            comparisons.append(ticket.unused())
            writes.append(ticket.record(plan.answer))
        if not writes and len(comparisons) < 2:
            return True  # what one read found was so at one moment; of several only the store can tell
        try:
            return await self._store.commit(comparisons, writes)
        except (Unavailable, TooLarge):
            await self._files.delete(plan.files)
            raise
