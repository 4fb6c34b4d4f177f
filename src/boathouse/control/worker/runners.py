"""The processes at hand. One is always ready before it is needed, for starting one takes seconds."""

import asyncio

from boathouse.control.jobs.kinds import kind_named
from boathouse.control.worker.process import RunnerProcess

_IDLE = 1


class Runners:
    def __init__(self) -> None:
        self._idle: list[RunnerProcess] = []
        self._warming: asyncio.Task[None] | None = None

    @property
    def spare(self) -> int:
        return len(self._idle)

    def warm_up(self) -> None:
        """See that one is ready, in the background."""
        self._idle = [runner for runner in self._idle if runner.is_alive]
        if len(self._idle) < _IDLE and (self._warming is None or self._warming.done()):
            self._warming = asyncio.create_task(self._add())

    async def take(self) -> RunnerProcess:
        """One that is ready."""
        while self._idle:
            runner = self._idle.pop()
            if runner.is_alive:
                return runner
        return await _started()

    async def give_back(self, runner: RunnerProcess, kind: str, *, whole: bool) -> None:
        """After an attempt: kept if nothing of anybody's own ran in it, else ended."""
        if whole and kind_named(kind).leaves_nothing and len(self._idle) < _IDLE:
            self._idle.append(runner)
        else:
            await runner.kill()

    async def close(self) -> None:
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        for runner in self._idle:
            await runner.kill()
        self._idle.clear()

    async def _add(self) -> None:
        # Not in one line: which list it is must be looked up after the wait.
        runner = await _started()
        self._idle.append(runner)


async def _started() -> RunnerProcess:
    runner = await RunnerProcess.start()
    try:
        await runner.ready()
    except BaseException:
        await runner.kill()
        raise
    return runner
