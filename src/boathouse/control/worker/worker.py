"""The worker: looks for work, carries it out, and keeps flows and schedules going. Several may run."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import structlog

from boathouse.control.database import Database
from boathouse.control.runs.flows import move_on
from boathouse.control.runs.leases import Leases
from boathouse.control.runs.schedule import start_due
from boathouse.control.worker.attempt import Ending, WorkersAttempt
from boathouse.control.worker.connecting import SecretSources
from boathouse.control.worker.runners import Runners
from boathouse.kit.errors import BoathouseError

_log = structlog.get_logger()
_PAUSE = 0.25
# What is for all workers to do needs to be done by one of them, and not each time.
_CHORES_EVERY = 1.0
# A lakehouse that is just starting has better use for its cores.
_WARM_AFTER = 15.0


@dataclass(frozen=True)
class WorkerOptions:
    results: str
    """Where results lie, as file:// or s3://."""
    slots: int = 4
    """Attempts at once."""
    drain_seconds: float = 10.0
    """How long attempts may go on once it is told to stop; then it hands them back."""
    sign_of_life: Path | None = None
    """A file to touch whenever it has reached its database, for whoever looks after it."""
    secrets: SecretSources = field(default_factory=SecretSources)
    """What connections' secrets are opened with."""


class Worker:
    def __init__(self, leases: Leases, options: WorkerOptions) -> None:
        self._leases = leases
        self._options = options
        self._runners = Runners()
        self._at_work: dict[asyncio.Task[None], WorkersAttempt] = {}
        self._stopping = asyncio.Event()
        self._started = monotonic()

    @property
    def database(self) -> Database:
        return self._leases.database

    def stop(self) -> None:
        self._stopping.set()

    async def work(self) -> None:
        """Until it is told to stop, and then until nothing of it is under way."""
        _log.info("worker.ready", worker=self._leases.worker, slots=self._options.slots)
        chores = asyncio.create_task(self._do_chores())
        try:
            while not self._stopping.is_set():
                if not await self._look():
                    await self._pause()
        finally:
            chores.cancel()
            await asyncio.gather(chores, return_exceptions=True)
            await self._drain()
            await self._runners.close()
        _log.info("worker.ended", worker=self._leases.worker)

    async def _look(self) -> bool:
        """Take up one run, if there is room for it; whether there was one."""
        self._forget_ended()
        if len(self._at_work) >= self._options.slots:
            return False
        if monotonic() - self._started > _WARM_AFTER:
            self._runners.warm_up()
        try:
            claim = await self._leases.claim()
        except BoathouseError as error:
            _log.warning("worker.cannot-claim", reason=str(error))
            return False
        if claim is None:
            return False
        attempt = WorkersAttempt(claim, self._leases, self._runners, self._options.results, self._options.secrets)
        self._at_work[asyncio.create_task(attempt.carry_out())] = attempt
        return True

    def _forget_ended(self) -> None:
        for task in [task for task in self._at_work if task.done()]:
            attempt = self._at_work.pop(task)
            if (error := task.exception()) is not None:
                _log.error("attempt.broke", run=attempt.claim.run_id, exc_info=error)

    async def _pause(self) -> None:
        waited = asyncio.create_task(self._stopping.wait())
        await asyncio.wait({waited, *self._at_work}, timeout=_PAUSE, return_when=asyncio.FIRST_COMPLETED)
        waited.cancel()

    async def _do_chores(self) -> None:
        while True:
            done = [await self._done(chore) for chore in self._chores]
            if all(done) and self._options.sign_of_life is not None:
                self._options.sign_of_life.touch()
            await asyncio.sleep(_CHORES_EVERY if not self._at_work else _PAUSE * 2)

    async def _done(self, chore: Callable[[], Awaitable[object]]) -> bool:
        try:
            await chore()
        except BoathouseError as error:
            _log.warning("worker.chore-failed", reason=str(error))
            return False
        return True

    @property
    def _chores(self) -> tuple[Callable[[], Awaitable[object]], ...]:
        return (self._stop_unwanted, self._leases.take_back_lost, self._start_due, self._move_flows)

    async def _stop_unwanted(self) -> None:
        if not self._at_work:
            return
        unwanted = await self._leases.stops()
        for attempt in self._at_work.values():
            if attempt.claim.run_id in unwanted:
                attempt.end(Ending.STOP)

    async def _start_due(self) -> None:
        await start_due(self.database)

    async def _move_flows(self) -> None:
        await move_on(self.database)

    async def _drain(self) -> None:
        if self._at_work:
            await asyncio.wait(self._at_work, timeout=self._options.drain_seconds)
        for attempt in self._at_work.values():
            attempt.end(Ending.SHUTDOWN)
        if self._at_work:
            await asyncio.wait(self._at_work)
        self._forget_ended()
