"""One attempt at a run: its process, its log, its lease, and its end."""

import asyncio
import signal
from contextlib import suppress
from datetime import timedelta
from enum import StrEnum
from time import monotonic

import structlog

from boathouse.control.database.keepable import keepable
from boathouse.control.jobs.kinds import kind_named
from boathouse.control.jobs.kinds.kind import Kind
from boathouse.control.jobs.touched import NOTHING_TOUCHED
from boathouse.control.runs.changes import LeaseLost
from boathouse.control.runs.leases import Claim, Leases
from boathouse.control.runs.machine_clock import machine_time
from boathouse.control.runs.states import State
from boathouse.control.worker import metrics
from boathouse.control.worker.assignment import Assignment, Beat, Said
from boathouse.control.worker.connecting import SecretSources
from boathouse.control.worker.journal import Journal
from boathouse.control.worker.process import CannotStart, RunnerProcess
from boathouse.control.worker.runners import Runners
from boathouse.control.worker.streams import StreamWatch
from boathouse.kit.errors import BoathouseError, InvalidInput, Unavailable

_log = structlog.get_logger()
_FLUSH_EVERY = 0.2
# In each lease so often.
_BEATS = 6
# From a beat on, the process may go on for this part of the lease; the rest is for clocks and for dying.
_OF_LEASE = 2 / 3
# To stop in when asked to, beside what the kind's programs take.
_GRACE = 5.0
# Until another worker may have what this one could not start: two that both cannot must not pass it to and fro.
_BEFORE_ANOTHER = timedelta(seconds=1)
# To write down an end: what was refused because somebody changed the same at that moment goes well the next time.
_TRIES = 3


class Ending(StrEnum):
    """Why an attempt is ended from outside."""

    STOP = "stop"
    TIMEOUT = "timeout"
    SHUTDOWN = "shutdown"
    CANNOT_START = "cannot-start"
    """The worker has no process to carry it out in, which is not the run's fault."""
    SILENT = "silent"
    """Its process has ended itself, for no beat of the worker came in time."""
    LOST = "lost"


_CALLED = {
    Ending.STOP: "cancelled",
    Ending.TIMEOUT: "timed-out",
    Ending.SHUTDOWN: "handed-back",
    Ending.CANNOT_START: "handed-back",
    Ending.SILENT: "lost",
}


class WorkersAttempt:
    def __init__(
        self, claim: Claim, leases: Leases, runners: Runners, results: str, secrets: SecretSources | None = None
    ) -> None:
        self.claim = claim
        self._leases = leases
        self._runners = runners
        self._results = results
        self._secrets = secrets or SecretSources()
        self._journal = Journal()
        of = {"flow": claim.flow, "task": claim.task} if claim.flow else {}
        self._log = _log.bind(
            run=claim.run_id, attempt=claim.attempt, workspace=claim.workspace, job=claim.job or None, **of
        )
        self._stream = StreamWatch(claim.workspace, claim.job, claim.run_id, self._journal)
        self._touched_early = False
        self._ending: Ending | None = None
        self._beaten = 0.0
        # From before the claim, or the last beat that the database took: the lease is never over before this.
        self._until = self._may_go_on(claim.asked_at)
        self._late = False
        """Whether the last beat came when the process may have ended itself already."""
        self._started = monotonic()

    def end(self, why: Ending) -> None:
        """Ask it to end; the first reason counts."""
        if self._ending is None:
            self._ending = why

    async def carry_out(self) -> None:
        """To whatever end. Nothing it raises is lost: the lease runs out, and another worker finds the run."""
        self._log.info("attempt.begins", kind=self.claim.definition.kind)
        try:
            await self._begin()
            self._journal.say(f"Attempt {self.claim.attempt} on {self.claim.worker}")
            await self._flush()
            outcome = await self._persist(await self._outcome())
            called = self._called(outcome)
            metrics.ENDED.labels(called).inc()
            self._log.info("attempt.ended", outcome=called, code=outcome.code, error=outcome.error, ending=self._ending)
        except LeaseLost as error:
            metrics.ENDED.labels("lost").inc()
            self._log.warning("attempt.lost", reason=str(error))
        finally:
            self._stream.close()

    async def _begin(self) -> None:
        """However long the database is away; LeaseLost if another has it by then."""
        while True:
            try:
                return await self._leases.begin(self.claim)
            except Unavailable as error:
                self._log.warning("attempt.cannot-begin", reason=str(error))
            await asyncio.sleep(1)

    async def _outcome(self) -> Said:
        try:
            return await self._in_process()
        except InvalidInput as error:
            return self._unkept(error)
        except CannotStart as error:
            self.end(Ending.CANNOT_START)
            self._journal.say(f"{error} Another worker, or this one later, carries it out.")
            return Said(error=str(error), code=error.code)

    async def _in_process(self) -> Said:
        try:
            assignment = await self._assigned()
        except BoathouseError as error:
            self._journal.say(f"{error} {error.hint or ''}".strip())
            return Said(error=str(error), code=error.code)
        runner = await self._runner() if assignment is not None else None
        if assignment is None or runner is None:
            return Said(error="It was ended before its process had started.")
        heard = asyncio.create_task(self._listen(runner))
        beside = asyncio.create_task(self._overhear(runner))
        whole = False
        try:
            await runner.tell(Beat(until=self._until))
            await runner.tell(assignment)
            outcome = await self._attend(runner, heard)
            whole = runner.is_alive and self._ending is None and outcome.ended
            return outcome
        finally:
            await self._runners.give_back(runner, whole=whole)
            beside.cancel()
            heard.cancel()

    async def _assigned(self) -> Assignment | None:
        """What to do, as soon as the database can be asked; None if it is ended before. That is not the run's fault."""
        while self._ending is None:
            try:
                return await self._assignment()
            except Unavailable as error:
                self._log.warning("attempt.cannot-begin", reason=str(error))
            await asyncio.sleep(_FLUSH_EVERY)
            if self._timeout_is_over():
                self.end(Ending.TIMEOUT)
            await self._flush()
        return None

    async def _runner(self) -> RunnerProcess | None:
        """A process to carry it out. One that has to be started takes seconds, and beats go on meanwhile."""
        taken = asyncio.create_task(self._runners.take())
        while not taken.done() and self._ending is None:
            await asyncio.wait({taken}, timeout=_FLUSH_EVERY)
            if self._timeout_is_over():
                self.end(Ending.TIMEOUT)
            await self._flush()
        if self._ending is None:
            return taken.result()
        taken.cancel()
        with suppress(asyncio.CancelledError, CannotStart):
            await (await taken).kill()
        return None

    async def _attend(self, runner: RunnerProcess, heard: asyncio.Task[Said]) -> Said:
        """Write down what it says and beat, until it ends or has to."""
        while not heard.done():
            await asyncio.wait({heard}, timeout=_FLUSH_EVERY)
            if self._timeout_is_over():
                self.end(Ending.TIMEOUT)
            if self._ending is not None:
                return await self._interrupt(runner, heard)
            self._stream.look()
            await self._flush(runner)
        return await heard

    async def _interrupt(self, runner: RunnerProcess, heard: asyncio.Task[Said]) -> Said:
        if self._ending is not Ending.LOST:
            runner.interrupt()
            deadline = monotonic() + self._kind.grace + _GRACE
            while monotonic() < deadline and not self._is_lost():
                await asyncio.wait({heard}, timeout=_FLUSH_EVERY)
                if heard.done():
                    return await heard
                # What takes longer than the lease to stop must not lose it over that.
                await self._flush(runner)
        await runner.kill()
        return Said(error="It did not stop when asked to, and was killed.")

    async def _listen(self, runner: RunnerProcess) -> Said:
        """Until it says that it has ended, or is gone."""
        while (said := await runner.hear()) is not None:
            if said.log is not None:
                self._journal.add(said.log)
            if said.progress is not None:
                self._journal.moved(said.progress)
                self._stream.saw(said.progress)
            if said.result is not None:
                self._journal.result = said.result
            if said.report is not None:
                self._journal.report = said.report
            if said.touched is not None:
                self._journal.touched = said.touched
            if said.ended:
                return said
        code = await runner.kill()
        if code == -signal.SIGKILL and (self._late or machine_time() > self._until):
            self.end(Ending.SILENT)
        return Said(error=f"Its process ended by itself (exit code {code}).")

    async def _overhear(self, runner: RunnerProcess) -> None:
        async for text in runner.complaints():
            self._journal.overheard(text)

    async def _flush(self, runner: RunnerProcess | None = None) -> None:
        """Write down what is new, and beat if it is time."""
        if machine_time() - self._beaten < self._leases.length.total_seconds() / _BEATS and not self._journal.has_news:
            return
        try:
            await self._write()
        except LeaseLost:
            # Whatever it was to end for, there is nothing left to end well.
            self._ending = Ending.LOST
        except Unavailable as error:
            # The process ends itself when its time is over; until then the database may come back.
            metrics.BEATS_FAILED.inc()
            self._log.warning("attempt.cannot-write", reason=str(error))
        else:
            if runner is not None:
                await runner.tell(Beat(until=self._until))

    async def _write(self) -> None:
        journal, lines, alerts = self._journal, self._journal.next_lines(), list(self._journal.alerts)
        progress, until = journal.progress, self._may_go_on(machine_time())
        early = journal.touched if journal.touched and self._is_endless and not self._touched_early else NOTHING_TOUCHED
        await self._leases.beat(
            self.claim,
            log=lines,
            number=journal.number,
            progress=progress,
            timeline=journal.timeline,
            alerts=alerts,
            touched=early,
        )
        journal.written(len(lines), progress, len(alerts))
        self._touched_early = self._touched_early or bool(early)
        beaten = machine_time()
        self._late, self._beaten, self._until = beaten > self._until, beaten, until

    async def _persist(self, outcome: Said) -> Said:
        """The last lines and the end, however long the database is away; LeaseLost if another has it by then."""
        refused = 0
        while True:
            try:
                while self._journal.has_news:
                    await self._write()
                await self._write_end(outcome)
            except Unavailable:
                await asyncio.sleep(1)
            except LeaseLost:
                raise
            except Exception as error:
                # Whatever it is: to give up here is to have the program, which has ended, run again by another worker.
                refused += 1
                if refused > _TRIES:
                    raise
                if refused == _TRIES:
                    outcome = self._unkept(error)
                await asyncio.sleep(_FLUSH_EVERY)
            else:
                return outcome

    def _unkept(self, error: Exception) -> Said:
        """A plain failure in the place of what the database refuses."""
        expected = isinstance(error, BoathouseError)
        why = str(error) if expected else type(error).__name__
        self._log.error("attempt.cannot-keep", reason=why, exc_info=None if expected else error)
        self._journal.forget()
        return Said(error=keepable(f"What it said or did cannot be kept: {why}"))

    async def _write_end(self, outcome: Said) -> None:
        succeeded = outcome.ended and outcome.error is None
        if succeeded:
            await self._leases.succeed(
                self.claim, self._journal.result, self._journal.touched, report=self._journal.report
            )
        elif self._ending is Ending.SHUTDOWN:
            await self._leases.hand_back(self.claim, f"The worker {self.claim.worker} was stopped.")
        elif self._ending is Ending.CANNOT_START:
            await self._leases.hand_back(self.claim, outcome.error or "", delay=_BEFORE_ANOTHER)
        elif self._ending is Ending.SILENT:
            why = f"Its worker {self.claim.worker} could not renew its lease in time."
            await self._leases.hand_back(self.claim, why, lost=True)
        elif self._ending is Ending.TIMEOUT:
            seconds = self.claim.timeout_seconds
            await self._leases.fail(self.claim, f"It took longer than {seconds} s.", State.TIMED_OUT)
        else:
            await self._leases.fail(self.claim, outcome.error or "It ended without a word.")

    def _is_lost(self) -> bool:
        return self._ending is Ending.LOST

    @property
    def _kind(self) -> Kind:
        """Not looked up before it is needed: one that this worker does not know is for the run's process to refuse."""
        return kind_named(self.claim.definition.kind)

    @property
    def _is_endless(self) -> bool:
        return not self._kind.ends(self.claim.definition.spec)

    def _called(self, outcome: Said) -> str:
        if outcome.ended and outcome.error is None:
            return "succeeded"
        return _CALLED.get(self._ending, "failed") if self._ending else "failed"

    def _may_go_on(self, since: float) -> float:
        return since + self._leases.length.total_seconds() * _OF_LEASE

    def _timeout_is_over(self) -> bool:
        seconds = self.claim.timeout_seconds
        return seconds is not None and monotonic() - self._started > seconds

    async def _assignment(self) -> Assignment:
        claim = self.claim
        return Assignment(
            run_id=claim.run_id,
            attempt=claim.attempt,
            job=claim.job,
            workspace=claim.workspace,
            kind=claim.definition.kind,
            spec=claim.definition.spec,
            parameters=claim.definition.parameters,
            values=dict(claim.values),
            scheduled_for=claim.scheduled_for.isoformat() if claim.scheduled_for else None,
            results=self._results,
            result_path=f"{claim.workspace_id}/{claim.run_id}/{claim.attempt}.parquet",
            connections=await self._secrets.connections_for(self._leases.database, claim),
        )
