"""The processes at hand. One is always ready before it is needed, for starting one takes seconds."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

import structlog

from boathouse.control.worker import scratch
from boathouse.control.worker.process import CannotStart, RunnerProcess

_log = structlog.get_logger()
# Those that a queue has kept busy wait so long for more of it; each takes a hundred megabytes.
_KEPT_SECONDS = 30.0
# After one could not be started, twice as long each time: what is short comes back within seconds, or when somebody sees to it.
_FIRST_REST, _LONGEST_REST = 1.0, 60.0


@dataclass(frozen=True)
class _Idle:
    runner: RunnerProcess
    since: float


class Runners:
    def __init__(self, most: int = 1, kept_seconds: float = _KEPT_SECONDS) -> None:
        self._most = most
        self._kept_seconds = kept_seconds
        self._idle: list[_Idle] = []
        self._warming: asyncio.Task[None] | None = None
        self._rest = 0.0
        self._rests_until = 0.0

    @property
    def can_give(self) -> bool:
        """Whether one is at hand, or the last could be started: else a run would only be handed back again."""
        return bool(self._idle) or self._rest == 0.0

    @property
    def spare(self) -> int:
        return len(self._idle)

    async def tend(self) -> None:
        """See that one is ready, in the background, and that no more are kept than of use."""
        self._idle = [idle for idle in self._idle if idle.runner.is_alive]
        is_warming = self._warming is not None and not self._warming.done()
        if not self._idle and not is_warming and monotonic() >= self._rests_until:
            self._warming = asyncio.create_task(self._add())
        # The last are taken first, so the first have waited longest.
        while len(self._idle) > 1 and monotonic() - self._idle[0].since > self._kept_seconds:
            await self._idle.pop(0).runner.kill()

    async def take(self) -> RunnerProcess:
        """One that is ready. CannotStart if there can be none."""
        while self._idle:
            runner = self._idle.pop().runner
            if runner.is_alive:
                return runner
        return await self._start()

    async def give_back(self, runner: RunnerProcess, *, whole: bool) -> None:
        """After an attempt: kept if that ended by itself, else ended."""
        if whole and len(self._idle) < self._most:
            self._idle.append(_Idle(runner, monotonic()))
        else:
            await runner.kill()
            # It had no time to remove what it worked with, secrets among it.
            await asyncio.to_thread(scratch.sweep)

    async def close(self) -> None:
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        for idle in self._idle:
            await idle.runner.kill()
        self._idle.clear()

    async def _add(self) -> None:
        # Not in one line: which list it is must be looked up after the wait.
        with suppress(CannotStart):  # it was logged, and is tried again after a rest
            runner = await self._start()
            self._idle.append(_Idle(runner, monotonic()))

    async def _start(self) -> RunnerProcess:
        try:
            runner = await _started()
        except CannotStart as error:
            # Of several at once the first is enough.
            if monotonic() >= self._rests_until:
                self._rest = min(self._rest * 2 or _FIRST_REST, _LONGEST_REST)
                self._rests_until = monotonic() + self._rest
                _log.warning("worker.cannot-start-process", reason=str(error), rests_seconds=self._rest)
            raise
        self._rest = self._rests_until = 0.0
        return runner


async def _started() -> RunnerProcess:
    try:
        runner = await RunnerProcess.start()
    except OSError as error:
        raise CannotStart(str(error)) from error
    try:
        await runner.ready()
    except BaseException:
        await runner.kill()
        raise
    return runner
