"""A run's log, or how far it has come, as server-sent events until the run is over.

Who was cut off says where in the log it was, and goes on there.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database import Database
from boathouse.control.runs import logs
from boathouse.control.runs.logs import Position
from boathouse.control.runs.models import Run
from boathouse.control.runs.service import is_over
from boathouse.kit.errors import BoathouseError

_PAUSE = 0.25
# Proxies take a connection for dead that is silent for a minute.
_SILENCE = 15.0
# Then the caller comes again.
_LONGEST = 600.0
# Who is disabled or taken out of the workspace meanwhile sees no more than this of it.
_ASKED_AGAIN = 15.0
MaySee = Callable[[AsyncSession], Awaitable[bool]]
"""Whether who listens may still."""


@dataclass(frozen=True)
class Listener:
    may_see: MaySee
    ends: Callable[[], bool]
    """Whether the server is about to stop."""


def log_events(database: Database, run_id: str, after: Position, listener: Listener) -> AsyncIterator[bytes]:
    """`line` events as lines come, `state` when that changes, and `end`."""
    return _events(_Log(database, run_id, after), listener)


def progress_events(database: Database, run_id: str, listener: Listener) -> AsyncIterator[bytes]:
    """`progress` events whenever that has changed, `state` when that does, and `end`."""
    return _events(_Progress(database, run_id), listener)


async def _events(stream: "_Stream", listener: Listener) -> AsyncIterator[bytes]:
    silent, asked = 0.0, monotonic()
    for _ in range(int(_LONGEST / _PAUSE)):
        if listener.ends() or stream.is_over:
            return
        if monotonic() - asked >= _ASKED_AGAIN:
            asked = monotonic()
            if not await stream.is_open_to(listener.may_see):
                return
        found = await stream.look()
        for event in found:
            yield event
        silent = 0.0 if found else silent + _PAUSE
        if silent >= _SILENCE:
            silent = 0.0
            yield b": still here\n\n"
        if not stream.has_more:
            await asyncio.sleep(_PAUSE)


class _Stream(ABC):
    """How far somebody who watches has come."""

    def __init__(self, database: Database, run_id: str) -> None:
        self._database = database
        self._run_id = run_id
        self._state: str | None = None
        self.has_more = False
        self.is_over = False

    async def is_open_to(self, may_see: MaySee) -> bool:
        try:
            async with self._database.reading() as session:
                return await may_see(session)
        except BoathouseError:
            # The database is away: whoever still wants it comes again.
            return False

    async def look(self) -> list[bytes]:
        """What is new, as events."""
        try:
            async with self._database.reading() as session:
                run = await session.get(Run, self._run_id)
                found = [] if run is None else await self._news(session, run)
        except BoathouseError:
            run, found = None, list[bytes]()
        if run is None:
            # The job was removed, or the database is away: whoever still wants it comes again.
            self.is_over = True
            return []
        return [*self._state_of(run), *found, *self._end_of(run)]

    @abstractmethod
    async def _news(self, session: AsyncSession, run: Run) -> list[bytes]: ...

    def _state_of(self, run: Run) -> list[bytes]:
        if run.state == self._state:
            return []
        self._state = run.state
        return [_event("state", {"state": run.state, "attempt": run.attempt, "error": run.error})]

    def _end_of(self, run: Run) -> list[bytes]:
        if self.has_more or not is_over(run):
            return []
        self.is_over = True
        return [_event("end", {"state": run.state, "error": run.error})]


class _Log(_Stream):
    def __init__(self, database: Database, run_id: str, after: Position) -> None:
        super().__init__(database, run_id)
        self._after = after

    async def _news(self, session: AsyncSession, run: Run) -> list[bytes]:
        found = await logs.chunks(session, run.id, self._after)
        self.has_more = bool(found)
        events: list[bytes] = []
        for chunk in found:
            self._after = logs.position_of(chunk)
            lines = [_event("line", line.model_dump(mode="json")) for line in logs.lines_of(chunk)]
            # With the last of them, so that whoever was cut off within them gets all of them again.
            events += [*lines[:-1], f"id: {self._after}\n".encode() + lines[-1]]
        return events


class _Progress(_Stream):
    _told: dict[str, Any] | None = None

    async def _news(self, session: AsyncSession, run: Run) -> list[bytes]:
        del session
        if run.progress is None or run.progress == self._told:
            return []
        self._told = run.progress
        return [_event("progress", run.progress)]


def _event(name: str, data: dict[str, object]) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + orjson.dumps(data) + b"\n\n"
