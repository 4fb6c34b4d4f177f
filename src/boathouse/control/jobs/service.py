"""What can be done with jobs."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Row
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.database.base import now
from boathouse.control.jobs import repository
from boathouse.control.jobs.connections import is_to_be_vouched_for, refuse_unless_connected
from boathouse.control.jobs.kinds import checked
from boathouse.control.jobs.kinds.flow import Flow, tasks_of
from boathouse.control.jobs.models import Job, JobVersion
from boathouse.control.jobs.pinning import refuse_unless_jobs_are_there
from boathouse.control.jobs.repository import JobAndVersion
from boathouse.control.jobs.schemas import Applied, Definition, Difference, JobTold, NewJob, VersionTold
from boathouse.control.jobs.stored import NotUnderstood, definition_in, stand_in, understood
from boathouse.kit.errors import Conflict, InvalidInput, NotFound
from boathouse.kit.ids import new_uuid

_LEFT_OUT = object()


async def create(session: AsyncSession, scope: Scope, wanted: NewJob) -> JobTold:
    definition = checked(Definition.model_validate(wanted.model_dump(exclude={"name"})))
    job = Job(id=new_uuid(), workspace_id=scope.workspace_id, name=wanted.name, version=0, paused=False)
    session.add(job)
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(
            f"There is a job {wanted.name!r} already.", hint="Choose another name, or send a new version of it."
        ) from None
    return told(await _add_version(session, scope, job, definition))


async def apply(
    session: AsyncSession, scope: Scope, name: str, wanted: Definition, *, base: int | None = None
) -> Applied:
    """Make the job so, whether it was there or not. What it is already makes no new version."""
    definition = checked(wanted)
    found = await repository.by_name(session, scope, name)
    _refuse_if_overtaken(found, name, base)
    if found is None:
        job = await create(session, scope, NewJob(name=name, **definition.model_dump()))
        return Applied(job=job, changed=True)
    job, version = found
    same = _as_kept(version) == _kept(definition)
    if same and not await is_to_be_vouched_for(session, scope, version, definition):
        return Applied(job=told(found), changed=False)
    return Applied(job=told(await _add_version(session, scope, job, definition, version)), changed=True)


def _refuse_if_overtaken(found: JobAndVersion | None, name: str, base: int | None) -> None:
    if base is not None and (found is None or found[0].version != base):
        meanwhile = f"it is at version {found[0].version} by now" if found else "it was removed meanwhile"
        raise Conflict(
            f"The version {base} of {name} was changed, and {meanwhile}.",
            hint="Look at what is different, and make your change on top of it.",
        )


async def compare(session: AsyncSession, scope: Scope, name: str, wanted: Definition) -> list[Difference]:
    """What `apply` would change."""
    found = await repository.by_name(session, scope, name)
    return differences(_as_kept(found[1]) if found else {}, _kept(checked(wanted)))


async def get(session: AsyncSession, scope: Scope, name: str) -> JobAndVersion:
    found = await repository.by_name(session, scope, name)
    if found is None:
        raise NotFound(f"There is no job {name!r} in {scope.workspace}.", hint="Its jobs are listed there.")
    return found


async def version(session: AsyncSession, scope: Scope, name: str, number: int) -> JobVersion:
    job, _ = await get(session, scope, name)
    found = await repository.version(session, job.id, number)
    if found is None:
        raise NotFound(f"The job {name} has no version {number}.", hint=f"It has 1 to {job.version}.")
    return found


async def roll_back(session: AsyncSession, scope: Scope, name: str, number: int) -> Applied:
    """An old version comes back as a new one, so that the history stays as it was."""
    old = await version(session, scope, name, number)
    return await apply(session, scope, name, definition_of(old, name))


async def set_paused(session: AsyncSession, scope: Scope, name: str, *, paused: bool) -> JobTold:
    job, current = await get(session, scope, name)
    definition = definition_of(current, name)
    if paused and definition.schedule is None:
        raise InvalidInput(
            f"{name} has no schedule that could rest.", hint="It runs only when somebody, or a flow, starts it."
        )
    if job.paused != paused:
        # One that did not rest keeps a time that nobody was there for yet.
        job.paused = paused
        _plan(job, definition)
    await session.flush()
    return told((job, current))


async def remove(session: AsyncSession, scope: Scope, name: str) -> None:
    job, _ = await get(session, scope, name)
    await _refuse_if_a_task(session, scope, name)
    await session.delete(job)
    await session.flush()


async def _refuse_if_a_task(session: AsyncSession, scope: Scope, name: str) -> None:
    for flow, version in await repository.of_kind(session, scope, Flow.name):
        if flow.name == name:
            # No task of itself, whatever else is wrong with it.
            continue
        if any(task.job == name for task in tasks_of(version.definition["spec"], flow.name).values()):
            raise Conflict(
                f"{name} is a task of the flow {flow.name}.", hint="Take it out of the flow, or remove that first."
            )


def definition_of(version: JobVersion, name: str = "the job") -> Definition:
    return definition_in(version.definition, f"{name} (version {version.number})")


def definition_told(version: JobVersion, name: str = "the job") -> Definition:
    """To look at, not to carry out."""
    try:
        return definition_of(version, name)
    except NotUnderstood as error:
        return stand_in(version.definition, error)


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Difference]:
    """Every value that differs, by its path."""
    return list(_differing("", before, after))


def told(found: JobAndVersion) -> JobTold:
    job, version = found
    kept = {name: getattr(job, name) for name in repository.TOLD if name != "definition"}
    return JobTold(**kept, definition=definition_told(version, job.name))


def row_told(job: Row[Any]) -> JobTold:
    row = dict(zip(repository.TOLD, job, strict=True))
    try:
        with understood(f"The definition of {row['name']} (version {row['version']})"):
            return JobTold.model_validate(row)
    except NotUnderstood as error:
        return JobTold.model_validate({**row, "definition": stand_in(row["definition"], error)})


def version_told(version: JobVersion) -> VersionTold:
    return VersionTold(
        number=version.number, made_by=version.made_by, made_at=version.made_at, definition=definition_told(version)
    )


async def _add_version(
    session: AsyncSession, scope: Scope, job: Job, definition: Definition, before: JobVersion | None = None
) -> JobAndVersion:
    await refuse_unless_connected(session, scope, definition)
    await refuse_unless_jobs_are_there(session, scope.workspace_id, definition)
    job.version += 1
    job.updated_at = now()
    # Else a time that nobody was there for yet would be forgotten.
    if before is None or _has_other_times(before, definition):
        _plan(job, definition)
    version = JobVersion(
        job_id=job.id,
        number=job.version,
        definition=_kept(definition),
        made_by=scope.actor.name,
        by_platform_admin=scope.actor.administers,
        made_at=now(),
    )
    session.add(version)
    await session.flush()
    return job, version


def _plan(job: Job, definition: Definition) -> None:
    """Times before now are nobody's: the schedule begins, or goes on, here."""
    rests = job.paused or definition.schedule is None
    job.due_at = None if rests or definition.schedule is None else definition.schedule.next_after(now())


def _has_other_times(before: JobVersion, definition: Definition) -> bool:
    """What becomes of those that were missed is no time."""
    schedules = _as_kept(before).get("schedule"), _kept(definition)["schedule"]
    return any(one.path != "catch_up" for one in _differing("", *schedules))


def _kept(definition: Definition) -> dict[str, Any]:
    return definition.model_dump(mode="json")


def _as_kept(version: JobVersion) -> dict[str, Any]:
    """As it would be kept today: what there was not when it was written is no difference. If it is not understood, as it is."""
    try:
        return _kept(definition_of(version))
    except NotUnderstood:
        return version.definition


def _differing(path: str, before: Any, after: Any) -> Iterator[Difference]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        names: list[str] = sorted({*before, *after})  # pyright: ignore[reportUnknownArgumentType]
        for name in names:
            inner = before.get(name, _LEFT_OUT), after.get(name, _LEFT_OUT)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            yield from _differing(f"{path}.{name}" if path else name, *inner)
    elif before != after:
        yield Difference(
            path=path,
            **{side: value for side, value in (("before", before), ("after", after)) if value is not _LEFT_OUT},
        )
