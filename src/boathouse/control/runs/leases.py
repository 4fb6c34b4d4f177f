"""What a worker does to runs: claim, beat, write, end. Each in a transaction of its own, and never without the fence."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database import Database
from boathouse.control.jobs import repository as jobs
from boathouse.control.jobs.kinds import KINDS
from boathouse.control.jobs.kinds.flow import task_definition, tasks_of
from boathouse.control.jobs.schemas import Definition
from boathouse.control.jobs.stored import NotUnderstood, definition_in
from boathouse.control.jobs.stream_status import RaisedAlert
from boathouse.control.jobs.touched import NOTHING_TOUCHED, Touched
from boathouse.control.lineage.recording import record
from boathouse.control.notifications import events
from boathouse.control.runs import changes, repository
from boathouse.control.runs.changes import LeaseLost, held
from boathouse.control.runs.clock import alone, database_time
from boathouse.control.runs.machine_clock import machine_time
from boathouse.control.runs.models import LogChunk, Run
from boathouse.control.runs.schemas import ONE_BY_ONE
from boathouse.control.runs.states import State
from boathouse.control.workspaces.models import Workspace

WITHOUT_PROCESS = tuple(kind.name for kind in KINDS.values() if not kind.has_process)
Line = tuple[int, str, str]
"""Milliseconds since 1970, stream, text."""


@dataclass(frozen=True)
class Claim:
    """A run that a worker has, as it was when it got it."""

    run_id: str
    attempt: int
    worker: str
    workspace_id: str
    workspace: str
    """Its name."""
    job: str
    flow: str | None
    """The run whose task it is, and that task's name."""
    task: str | None
    definition: Definition
    by_platform_admin: bool
    """Whether one wrote that, and so may have it handed secrets that are shared."""
    values: Mapping[str, Any]
    timeout_seconds: int | None
    scheduled_for: datetime | None
    asked_at: float
    """By the machine's clock, before the database began to count the lease."""


@dataclass(frozen=True)
class Leases:
    database: Database
    worker: str
    length: timedelta = timedelta(seconds=30)

    async def claim(self) -> Claim | None:
        """The next run that may begin."""
        asked_at = machine_time()
        # Four times a second, and mostly in vain: whoever only looks keeps nobody from writing.
        async with self.database.reading() as session:
            if not await repository.any_waiting(session, await database_time(session), WITHOUT_PROCESS):
                return None
        async with self.database.changing() as session:
            await alone(session)
            at = await database_time(session)
            run = await repository.next_claimable(session, at, WITHOUT_PROCESS)
            if run is None:
                return None
            changes.claimed(session, run, self.worker, at, self.length)
            await session.flush()
            try:
                return await self._claim(session, run, asked_at)
            except NotUnderstood as error:
                # It ends here: it would stay the first in the row, and nobody would get to any other.
                await changes.failed(session, run, at, f"{error} {error.hint}")
                return None

    async def begin(self, claim: Claim) -> None:
        async with self.database.changing() as session:
            run = await held(session, claim.run_id, self.worker, claim.attempt)
            if run.state is State.RUNNING:
                # Said before, and it was the answer that got lost.
                return
            await changes.begun(session, run, await database_time(session))

    async def beat(
        self,
        claim: Claim,
        *,
        log: Sequence[Line] = (),
        number: int = 0,
        progress: Mapping[str, Any] | None = None,
        timeline: Sequence[Any] | None = None,
        alerts: Sequence[RaisedAlert] = (),
        touched: Touched = NOTHING_TOUCHED,
    ) -> None:
        """Still here; and what came meanwhile. LeaseLost if somebody else has it."""
        async with self.database.changing() as session:
            run = await held(session, claim.run_id, self.worker, claim.attempt)
            at = await database_time(session)
            run.lease_until = at + self.length
            for alert in alerts:
                await events.stream_alert(session, run, at, alert)
            if touched:
                await record(session, run, touched, at)
            if log:
                # Not only added: it may be there already, if it was the answer that got lost.
                await session.merge(
                    LogChunk(run_id=run.id, attempt=claim.attempt, number=number, lines=[list(line) for line in log])
                )
            if progress is not None:
                run.progress = {name: value for name, value in progress.items() if name not in ONE_BY_ONE}
                attempt = await repository.attempt(session, run)
                if attempt is not None:
                    attempt.progress, attempt.timeline = dict(progress), list(timeline or ())

    async def succeed(
        self,
        claim: Claim,
        result: Mapping[str, Any] | None,
        touched: Touched = NOTHING_TOUCHED,
        *,
        report: Mapping[str, Any] | None = None,
    ) -> None:
        async with self.database.changing() as session:
            run = await held(session, claim.run_id, self.worker, claim.attempt)
            run.result = None if result is None else dict(result)
            if report is not None:
                run.report = dict(report)
            at = await database_time(session)
            if touched:
                # Before its end is told, and with it what it touched.
                await record(session, run, touched, at)
            await changes.succeeded(session, run, at)

    async def fail(self, claim: Claim, error: str, state: State = State.FAILED) -> None:
        async with self.database.changing() as session:
            run = await held(session, claim.run_id, self.worker, claim.attempt)
            at = await database_time(session)
            if run.stop_by is not None:
                await changes.cancelled(session, run, at)
            else:
                await changes.failed(session, run, at, error, state)

    async def hand_back(self, claim: Claim, why: str, *, lost: bool = False, delay: timedelta = timedelta()) -> None:
        """For whoever may have it after the delay; as lost if this worker has not kept its lease."""
        async with self.database.changing() as session:
            run = await held(session, claim.run_id, self.worker, claim.attempt)
            await changes.taken_back(session, run, await database_time(session), why, lost=lost, delay=delay)

    async def stops(self) -> set[str]:
        """Which of this worker's runs somebody wants stopped."""
        async with self.database.reading() as session:
            return set(await repository.to_be_stopped(session, self.worker))

    async def take_back_lost(self, at_work: Collection[str] = ()) -> int:
        """Free the runs whose worker no longer beats; how many there were.

        Not those that are at work here: a machine that slept finds their leases over, and their next beat renews them.
        """
        async with self.database.changing() as session:
            await alone(session)
            at = await database_time(session)
            runs = await repository.lost(session, at, at_work)
            for run in runs:
                await changes.taken_back(session, run, at, f"Its worker {run.worker} was lost.", lost=True)
            return len(runs)

    async def _claim(self, session: AsyncSession, run: Run, asked_at: float) -> Claim:
        return Claim(
            run_id=run.id,
            attempt=run.attempt,
            worker=self.worker,
            workspace_id=run.workspace_id,
            workspace=(await session.get_one(Workspace, run.workspace_id)).name,
            job=run.job,
            flow=run.flow_id,
            task=run.task,
            definition=await _definition(session, run),
            by_platform_admin=run.by_platform_admin,
            values=run.values,
            timeout_seconds=run.rules["timeout_seconds"],
            scheduled_for=await _scheduled_for(session, run),
            asked_at=asked_at,
        )


async def _scheduled_for(session: AsyncSession, run: Run) -> datetime | None:
    """Of a task its flow's: the schedule is that one's."""
    return run.scheduled_for if run.flow_id is None else (await session.get_one(Run, run.flow_id)).scheduled_for


async def _definition(session: AsyncSession, run: Run) -> Definition:
    if run.definition is not None:
        return definition_in(run.definition, run.job or "the query")
    version = await jobs.version(session, run.job_id or "", run.version)
    if version is None:
        raise LeaseLost(f"The version {run.version} of {run.job} is gone.", hint="Its job was removed.")
    definition = definition_in(version.definition, f"{run.job} (version {run.version})")
    return definition if run.task is None else task_definition(definition, tasks_of(definition.spec)[run.task])
