"""The processes at hand. One is always ready before it is needed, for starting one takes seconds."""

import asyncio
from dataclasses import dataclass
from time import monotonic

from boathouse.control.worker import scratch
from boathouse.control.worker.process import RunnerProcess

# Those that a queue has kept busy wait so long for more of it; each takes a hundred megabytes.
_KEPT_SECONDS = 30.0


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

    @property
    def spare(self) -> int:
        return len(self._idle)

    async def tend(self) -> None:
        """See that one is ready, in the background, and that no more are kept than of use."""
        self._idle = [idle for idle in self._idle if idle.runner.is_alive]
        if not self._idle and (self._warming is None or self._warming.done()):
            self._warming = asyncio.create_task(self._add())
        # The last are taken first, so the first have waited longest.
        while len(self._idle) > 1 and monotonic() - self._idle[0].since > self._kept_seconds:
            await self._idle.pop(0).runner.kill()

    async def take(self) -> RunnerProcess:
        """One that is ready."""
        while self._idle:
            runner = self._idle.pop().runner
            if runner.is_alive:
                return runner
        return await _started()

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
        runner = await _started()
        self._idle.append(_Idle(runner, monotonic()))


async def _started() -> RunnerProcess:
    runner = await RunnerProcess.start()
    try:
        await runner.ready()
    except BaseException:
        await runner.kill()
        raise
    return runner
