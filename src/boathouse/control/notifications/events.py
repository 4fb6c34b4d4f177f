"""What is worth telling, written down in the transaction of the change that it tells of: both are there, or neither."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any
from uuid import UUID, uuid5

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.jobs import repository as jobs
from boathouse.control.jobs.models import Job
from boathouse.control.jobs.stream_status import RaisedAlert
from boathouse.control.lineage import repository as lineage
from boathouse.control.lineage.openlineage import events_of
from boathouse.control.notifications import repository
from boathouse.control.notifications.models import Delivery, Event, NotificationRule, Outcome
from boathouse.control.runs.models import Run
from boathouse.control.runs.states import State
from boathouse.control.workspaces.models import Workspace
from boathouse.kit.ids import new_uuid

Rules = Sequence[NotificationRule]
"""Those of a workspace that are enabled: read once for all that a change has to tell."""
NO_ROOM = "as many runs of the job as it allows were under way"
# Of an id, the part before what is chance in it alone.
_MOMENT = len("01234567-89ab-7cde-")
_RUN_FIELDS = ("id", "state", "error", "attempt", "trigger", "requested_by", "scheduled_for", "started_at", "ended_at")


async def run_began(session: AsyncSession, run: Run, at: datetime) -> None:
    """For the first time: that it is tried again is nobody's business yet."""
    if run.attempt == 1:
        await _tell_lineage(session, run, at, await repository.enabled_in(session, run.workspace_id))


async def run_ended(session: AsyncSession, run: Run, at: datetime) -> None:
    """Of a job's own run. A flow's tasks are the flow's business, and of a query whoever asked is told."""
    rules = await repository.enabled_in(session, run.workspace_id)
    await _tell_lineage(session, run, at, rules)
    if run.job_id is None or run.flow_id is not None:
        return
    if run.deadline_at is not None and at > run.deadline_at:
        await _deadline_missed(session, run, at, rules)
    if run.state is State.SUCCEEDED:
        if await jobs.set_failing(session, run.job_id, failing=False):
            await _tell_of_run(session, Event.RUN_RECOVERED, run, at, rules)
    elif run.state in {State.FAILED, State.TIMED_OUT}:
        await jobs.set_failing(session, run.job_id, failing=True)
        await _tell_of_run(session, Event.RUN_FAILED, run, at, rules)


async def deadline_missed(session: AsyncSession, run: Run, at: datetime) -> None:
    """Of a run that is under way yet."""
    await _deadline_missed(session, run, at, await repository.enabled_in(session, run.workspace_id))


async def stream_alert(session: AsyncSession, run: Run, at: datetime, raised: RaisedAlert) -> None:
    """Of a streaming run that goes on, and falls short of what was promised. Said again, it is nothing new."""
    rules = await repository.enabled_in(session, run.workspace_id)
    told = {"alert": raised.alert.model_dump(mode="json")}
    await _tell_of_run(session, Event.STREAM_ALERT, run, at, rules, once=raised.id, **told)


async def schedule_missed(
    session: AsyncSession, job: Job, at: datetime, *, late: Sequence[datetime], left_out: Mapping[datetime, str]
) -> None:
    """Of times that nobody was there for, and of those that were left out, with why: one event for all of them."""
    if not late and not left_out:
        return
    reasons = ["no worker was there in time"] if late else []
    # Each once, in their order.
    reasons += dict.fromkeys(left_out.values())
    times = [_moment(time) for time in sorted({*late, *left_out})]
    schedule = {"missed": times, "reason": ", and ".join(reasons)}
    told = {"schedule": schedule}
    rules = await repository.enabled_in(session, job.workspace_id)
    await _tell(session, Event.SCHEDULE_MISSED, at, rules, job=job.name, told=told)


async def _deadline_missed(session: AsyncSession, run: Run, at: datetime, rules: Rules) -> None:
    """Once for each run, whoever notices."""
    if not run.deadline_missed:
        run.deadline_missed = True
        await _tell_of_run(session, Event.DEADLINE_MISSED, run, at, rules, deadline_at=_moment(run.deadline_at))


async def _tell_of_run(
    session: AsyncSession, event: Event, run: Run, at: datetime, rules: Rules, *, once: str | None = None, **more: Any
) -> None:
    told = {"run": {name: _plain(getattr(run, name)) for name in _RUN_FIELDS}, **more}
    await _tell(session, event, at, rules, job=run.job, told=told, run_id=run.id, once=once)


async def _tell(
    session: AsyncSession,
    event: Event,
    at: datetime,
    rules: Rules,
    *,
    job: str,
    told: dict[str, Any],
    run_id: str | None = None,
    once: str | None = None,
) -> None:
    concerned = _concerned(rules, event, job)
    if not concerned:
        return
    workspace = await session.get_one(Workspace, concerned[0].workspace_id)
    for rule in concerned:
        data = {"workspace": workspace.name, "notification": rule.name, "job": job, **told}
        body = {"type": event, "timestamp": _moment(at), "data": data}
        delivery = _delivery(rule, event, at, job=job, run_id=run_id, body=body)
        if once is not None:
            delivery.id = _id_of(once, rule)
            # Whoever says the same holds the run's row, so nobody adds it in between.
            if await session.get(Delivery, delivery.id) is not None:
                continue
        session.add(delivery)
    await session.flush()


async def _tell_lineage(session: AsyncSession, run: Run, at: datetime, rules: Rules) -> None:
    """The latest that there is to tell, of tasks and queries too: of them a receiver makes its graph."""
    concerned = _concerned(rules, Event.LINEAGE, run.job)
    if not concerned:
        return
    workspace = await session.get_one(Workspace, run.workspace_id)
    told = events_of(run, workspace.name, await lineage.uses(session, run.workspace_id, run.id), to_all=True)
    if told:
        for rule in concerned:
            session.add(_delivery(rule, Event.LINEAGE, at, job=run.job, run_id=run.id, body=told[-1]))
    await session.flush()


def _concerned(rules: Rules, event: Event, job: str) -> Rules:
    return [rule for rule in rules if _concerns(rule, event, job)]


def _delivery(
    rule: NotificationRule, event: Event, at: datetime, *, job: str, run_id: str | None, body: dict[str, Any]
) -> Delivery:
    return Delivery(
        id=new_uuid(),
        rule_id=rule.id,
        event=event,
        job=job,
        run_id=run_id,
        body=body,
        state=Outcome.WAITING,
        tries=0,
        try_at=at,
    )


def _id_of(event: str, rule: NotificationRule) -> str:
    """The same for the same event and rule, and in the order of the events: its first half is their moment."""
    return event[:_MOMENT] + str(uuid5(UUID(event), rule.id))[_MOMENT:]


def _concerns(rule: NotificationRule, event: Event, job: str) -> bool:
    return event in rule.events and (not rule.jobs or any(fnmatchcase(job, pattern) for pattern in rule.jobs))


def _plain(value: Any) -> Any:
    return _moment(value) if isinstance(value, datetime) else value


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="milliseconds")
