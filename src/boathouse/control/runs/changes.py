"""The only place where a run's state changes. Each caller holds the run's row, and says with which fence it comes."""

from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.jobs.kinds import STREAMS
from boathouse.control.jobs.schemas import Retries
from boathouse.control.notifications import events
from boathouse.control.runs import repository
from boathouse.control.runs.models import ERROR_LENGTH, Run, RunAttempt
from boathouse.control.runs.states import ACTIVE, ENDED, WAYS, State
from boathouse.kit.errors import Conflict

# A worker that is lost is not the run's fault; one run that loses worker after worker is.
MOST_TAKEOVERS = 3
# What does not end by itself fails and loses workers now and then, as long as it lives: it starts afresh after so long.
RAN_WELL = timedelta(minutes=10)


class LeaseLost(Conflict):
    """Somebody else has the run by now, or nobody may."""


def move(run: Run, state: State, at: datetime) -> None:
    if state not in WAYS[run.state]:
        raise Conflict(f"The run is {run.state}, so it cannot become {state}.", hint="Look at it again.")
    run.state = state
    if state in ENDED:
        run.ended_at = at
    if state not in ACTIVE:
        run.worker, run.lease_until = None, None


async def held(session: AsyncSession, run_id: str, worker: str, attempt: int) -> Run:
    """The run, locked, if this worker still has it under this attempt."""
    run = await repository.locked(session, run_id)
    if run is None or run.state not in ACTIVE or run.worker != worker or run.attempt != attempt:
        raise LeaseLost(f"The run {run_id} is no longer with {worker}.", hint="What it did since then does not count.")
    return run


def claimed(session: AsyncSession, run: Run, worker: str, at: datetime, lease: timedelta) -> None:
    move(run, State.STARTING, at)
    run.attempt += 1
    run.worker, run.lease_until = worker, at + lease
    # From its first attempt on: what it took is all of them.
    run.started_at, run.ended_at, run.progress = run.started_at or at, None, None
    if run.deadline_at is None:
        run.deadline_at = deadline(run, at)
    session.add(RunAttempt(run_id=run.id, number=run.attempt, worker=worker, state=State.STARTING, claimed_at=at))


async def begun(session: AsyncSession, run: Run, at: datetime) -> None:
    move(run, State.RUNNING, at)
    await _attempt_is(session, run, state=State.RUNNING, started_at=at)
    await events.run_began(session, run, at)


async def succeeded(session: AsyncSession, run: Run, at: datetime) -> None:
    run.error = None
    await _attempt_is(session, run, state=State.SUCCEEDED, ended_at=at)
    await _end(session, run, State.SUCCEEDED, at)


async def failed(session: AsyncSession, run: Run, at: datetime, error: str, state: State = State.FAILED) -> None:
    """An attempt failed or took too long: the run is tried again if its rules allow, and ends if not."""
    run.error = error[:ERROR_LENGTH]
    await _forgive(session, run, at)
    run.failures += 1
    await _attempt_is(session, run, state=state, ended_at=at, error=run.error)
    retries = _retries(run)
    if run.stop_by is not None:
        await _end_stopped(session, run, at)
    elif run.failures <= retries.count:
        _again(run, at, timedelta(seconds=retries.delay(run.failures)))
    else:
        await _end(session, run, state, at)


async def cancelled(session: AsyncSession, run: Run, at: datetime) -> None:
    if run.state in ACTIVE:
        await _attempt_is(session, run, state=State.CANCELLED, ended_at=at, error=_stopped(run))
    await _end_stopped(session, run, at)


async def taken_back(
    session: AsyncSession, run: Run, at: datetime, why: str, *, lost: bool, delay: timedelta = timedelta()
) -> None:
    """Its worker is gone, or gives it back: somebody else may have it at once, or after the delay."""
    await _forgive(session, run, at)
    await _attempt_is(session, run, state=State.FAILED, ended_at=at, error=why)
    run.takeovers += lost
    if run.stop_by is not None:
        await _end_stopped(session, run, at)
    elif run.takeovers > MOST_TAKEOVERS:
        run.error = f"Given up after {run.takeovers} attempts: {why}"
        await _end(session, run, State.FAILED, at)
    else:
        run.error = why
        _again(run, at, delay)


def asked_for_again(run: Run, at: datetime) -> None:
    """Somebody wants another attempt at a run that ended without success."""
    move(run, State.PENDING, at)
    run.failures, run.takeovers = 0, 0
    run.stop_by, run.error, run.started_at, run.ended_at = None, None, None, None
    run.result_gone_at, run.log_gone_at = None, None
    run.available_at = at
    if run.scheduled_for is None:
        # Counted anew from when it starts again. What the schedule asks for does not change.
        run.deadline_at, run.deadline_missed = None, False


def _retries(run: Run) -> Retries:
    try:
        return Retries.model_validate(run.rules["retries"])
    except ValidationError:
        # Rules of another version of Boathouse: an end without another try is better than none.
        return Retries(count=0)


def deadline(run: Run, since: datetime) -> datetime | None:
    seconds = run.rules.get("deadline_seconds")
    return None if seconds is None else since + timedelta(seconds=seconds)


async def _end(session: AsyncSession, run: Run, state: State, at: datetime) -> None:
    """For good, or until somebody asks for it again; who wants to know is told in the same transaction."""
    move(run, state, at)
    await events.run_ended(session, run, at)


async def _end_stopped(session: AsyncSession, run: Run, at: datetime) -> None:
    """Whatever became of its attempt: nobody asks why that one ended."""
    run.error = _stopped(run)
    await _end(session, run, State.CANCELLED, at)


def _stopped(run: Run) -> str:
    return f"Stopped by {run.stop_by}."


def _again(run: Run, at: datetime, delay: timedelta) -> None:
    move(run, State.PENDING, at)
    run.available_at = at + delay


async def _forgive(session: AsyncSession, run: Run, at: datetime) -> None:
    """What went wrong before an attempt that went well for long, of a run that is meant to go on for ever."""
    attempt = await repository.attempt(session, run)
    if run.kind not in STREAMS or attempt is None or attempt.started_at is None:
        return
    if at - attempt.started_at >= RAN_WELL:
        run.failures, run.takeovers = 0, 0


async def _attempt_is(session: AsyncSession, run: Run, **told: Any) -> None:
    attempt = await repository.attempt(session, run)
    if attempt is None:
        raise Conflict(f"The run {run.id} has no attempt {run.attempt}.", hint="Look at it again.")
    for name, value in told.items():
        setattr(attempt, name, value)
    await session.flush()
