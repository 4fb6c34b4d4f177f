"""The worker: looks for work, carries it out, and keeps flows and schedules going. Several may run."""

import asyncio
import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import structlog

from boathouse.control.database.base import now
from boathouse.control.notifications.courier import Courier
from boathouse.control.runs.leases import Leases
from boathouse.control.worker import metrics, scratch
from boathouse.control.worker.attempt import Ending, WorkersAttempt
from boathouse.control.worker.chores import Chore, chores_of
from boathouse.control.worker.connecting import SecretSources
from boathouse.control.worker.runners import Runners
from boathouse.control.workers.service import Presence
from boathouse.kit.errors import BoathouseError, WorkFailed

_log = structlog.get_logger()
_PAUSE = 0.25
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
    def __init__(self, leases: Leases, options: WorkerOptions, courier: Courier | None = None) -> None:
        self._leases = leases
        self._options = options
        self._courier = courier
        self._runners = Runners(most=options.slots)
        self._at_work: dict[asyncio.Task[None], WorkersAttempt] = {}
        self._stopping = asyncio.Event()
        self._started = monotonic()
        self._presence = Presence(
            leases.database, leases.worker, socket.gethostname(), os.getpid(), options.slots, started_at=now()
        )
        self._chores = (Chore(self._stop_unwanted), *chores_of(leases, self._presence, self._runs_at_work))
        metrics.SLOTS.set(options.slots)
        metrics.RUNNING.set_function(lambda: len(self._at_work))
        metrics.SPARE.set_function(lambda: self._runners.spare)

    def stop(self) -> None:
        self._stopping.set()

    async def work(self) -> None:
        """Until it is told to stop, and then until nothing of it is under way."""
        _log.info("worker.ready", worker=self._leases.worker, slots=self._options.slots, swept=scratch.sweep())
        beside = [asyncio.create_task(self._do_chores())]
        beside += [asyncio.create_task(self._courier.work())] if self._courier is not None else []
        try:
            while not self._stopping.is_set():
                _refuse_to_go_on_without(beside)
                if not await self._look():
                    await self._pause()
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            await self._drain()
            await self._runners.close()
            with suppress(BoathouseError):  # it is forgotten in an hour then
                await self._presence.leave()
        _log.info("worker.ended", worker=self._leases.worker)

    async def _look(self) -> bool:
        """Take up one run, if there is room for it; whether there was one."""
        self._forget_ended()
        if len(self._at_work) >= self._options.slots:
            return False
        if monotonic() - self._started > _WARM_AFTER or not self._runners.can_give:
            await self._runners.tend()
        if not self._runners.can_give:
            return False
        try:
            claim = await self._leases.claim()
        except BoathouseError as error:
            _log.warning("worker.cannot-claim", reason=str(error))
            return False
        except Exception:  # noqa: BLE001 - what is under way here must not end because a claim broke
            _log.exception("worker.claim-broke")
            return False
        if claim is None:
            return False
        metrics.CLAIMED.inc()
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
            done = [await chore.done() for chore in self._chores]
            if all(done) and self._options.sign_of_life is not None:
                self._options.sign_of_life.touch()
            await asyncio.sleep(_CHORES_EVERY if not self._at_work else _PAUSE * 2)

    def _runs_at_work(self) -> list[str]:
        return [attempt.claim.run_id for task, attempt in self._at_work.items() if not task.done()]

    async def _stop_unwanted(self) -> None:
        if not self._at_work:
            return
        unwanted = await self._leases.stops()
        for attempt in self._at_work.values():
            if attempt.claim.run_id in unwanted:
                attempt.end(Ending.STOP)

    async def _drain(self) -> None:
        if self._at_work:
            await asyncio.wait(self._at_work, timeout=self._options.drain_seconds)
        for attempt in self._at_work.values():
            attempt.end(Ending.SHUTDOWN)
        if self._at_work:
            await asyncio.wait(self._at_work)
        self._forget_ended()


def _refuse_to_go_on_without(beside: Sequence[asyncio.Task[None]]) -> None:
    """Raise why one of these ended: a worker that only carries out runs looks well, and schedules and flows stand still."""
    for task in beside:
        if task.done():
            task.result()
            raise WorkFailed("What a worker does beside its runs has ended by itself.", hint="Start it again.")
