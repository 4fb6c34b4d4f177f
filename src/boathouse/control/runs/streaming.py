"""A run's log as server-sent events, until the run is over. Who was cut off says where it was and goes on there."""

import asyncio
from collections.abc import AsyncIterator, Callable

import orjson

from boathouse.control.database import Database
from boathouse.control.runs import logs
from boathouse.control.runs.logs import Position
from boathouse.control.runs.models import Run
from boathouse.control.runs.service import is_over
from boathouse.kit.errors import BoathouseError

_PAUSE = 0.25
# Proxies take a connection for dead that is silent for a minute.
_SILENCE = 15.0
# Then the caller comes again, and is asked again who they are.
_LONGEST = 600.0


async def events(database: Database, run_id: str, after: Position, ends: Callable[[], bool]) -> AsyncIterator[bytes]:
    """`line` events as lines come, `state` when that changes, and `end`."""
    stream = _Stream(database, run_id, after)
    silent = 0.0
    for _ in range(int(_LONGEST / _PAUSE)):
        if ends() or stream.is_over:
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


class _Stream:
    """How far somebody who watches has come."""

    def __init__(self, database: Database, run_id: str, after: Position) -> None:
        self._database = database
        self._run_id = run_id
        self._after = after
        self._state: str | None = None
        self.has_more = False
        self.is_over = False

    async def look(self) -> list[bytes]:
        """What is new, as events."""
        try:
            async with self._database.reading() as session:
                run = await session.get(Run, self._run_id)
                found = await logs.chunks(session, self._run_id, self._after)
        except BoathouseError:
            run, found = None, list[logs.Chunk]()
        self.has_more = bool(found)
        if run is None:
            # The job was removed, or the database is away: whoever still wants it comes again.
            self.is_over = True
            return []
        return [*self._state_of(run), *self._lines_of(found), *self._end_of(run)]

    def _state_of(self, run: Run) -> list[bytes]:
        if run.state == self._state:
            return []
        self._state = run.state
        return [_event("state", {"state": run.state, "attempt": run.attempt, "error": run.error})]

    def _lines_of(self, found: list[logs.Chunk]) -> list[bytes]:
        events: list[bytes] = []
        for chunk in found:
            self._after = logs.position_of(chunk)
            lines = [_event("line", line.model_dump(mode="json")) for line in logs.lines_of(chunk)]
            # With the last of them, so that whoever was cut off within them gets all of them again.
            events += [*lines[:-1], f"id: {self._after}\n".encode() + lines[-1]]
        return events

    def _end_of(self, run: Run) -> list[bytes]:
        if self.has_more or not is_over(run):
            return []
        self.is_over = True
        return [_event("end", {"state": run.state, "error": run.error})]


def _event(name: str, data: dict[str, object]) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + orjson.dumps(data) + b"\n\n"
