"""Jobs that are tasks of a flow, as they are when a run of it is asked for: whatever becomes of them, the run stays the same."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.jobs import repository
from boathouse.control.jobs.kinds import kind_named
from boathouse.control.jobs.kinds.flow import Task, refuse_endless, task_definition, tasks_of
from boathouse.control.jobs.models import JobVersion
from boathouse.control.jobs.parameters import filled, settled
from boathouse.control.jobs.schemas import Definition
from boathouse.control.jobs.stored import definition_in
from boathouse.kit.errors import BoathouseError, InvalidInput


class PinnedTask(BaseModel):
    """A task as a run of the flow carries it out."""

    name: str
    after: list[str]
    definition: Definition
    values: dict[str, Any]
    job: str | None = None
    """If it is one."""
    version: int | None = None
    by_platform_admin: bool = False
    """Of a job, whether one made that version."""


class PinnedFlow(BaseModel):
    """What a run of a flow keeps of it, if tasks of it are jobs."""

    tasks: list[PinnedTask]


async def pinned(
    session: AsyncSession, workspace_id: str, flow: Definition, values: Mapping[str, Any]
) -> PinnedFlow | None:
    """None for what has no jobs as tasks; InvalidInput if one of them is missing, a flow, or given wrong values."""
    if not any(task.job for task in _tasks(flow)):
        return None
    return PinnedFlow(tasks=[await _pinned(session, workspace_id, flow, task, values) for task in _tasks(flow)])


def in_place(flow: Definition, values: Mapping[str, Any]) -> PinnedFlow:
    """A flow that says all of it itself."""
    return PinnedFlow(tasks=[_in_place(flow, task, values) for task in _tasks(flow)])


async def refuse_unless_jobs_are_there(session: AsyncSession, workspace_id: str, definition: Definition) -> None:
    """When a flow is made. Its values are known only when it runs."""
    for task in _tasks(definition):
        if task.job is not None:
            await _job(session, workspace_id, task)


async def _pinned(
    session: AsyncSession, workspace_id: str, flow: Definition, task: Task, values: Mapping[str, Any]
) -> PinnedTask:
    if task.job is None:
        return _in_place(flow, task, values)
    definition, version = await _job(session, workspace_id, task)
    try:
        own = settled(definition.parameters, filled(task.values or {}, values))
    except BoathouseError as error:
        raise InvalidInput(f"The task {task.name} cannot begin: {error}", hint=error.hint) from error
    return PinnedTask(
        name=task.name,
        after=task.after,
        definition=definition,
        values=own,
        job=task.job,
        version=version.number,
        by_platform_admin=version.by_platform_admin,
    )


def _in_place(flow: Definition, task: Task, values: Mapping[str, Any]) -> PinnedTask:
    definition = task_definition(flow, task)
    return PinnedTask(name=task.name, after=task.after, definition=definition, values=dict(values))


async def _job(session: AsyncSession, workspace_id: str, task: Task) -> tuple[Definition, JobVersion]:
    found = await repository.of_workspace(session, workspace_id, task.job or "")
    if found is None:
        raise InvalidInput(
            f"The task {task.name} is the job {task.job!r}, which is not in the workspace.",
            hint="Make that job first, or correct its name.",
        )
    definition = definition_in(found[1].definition, f"the job {task.job}")
    if not kind_named(definition.kind).has_process:
        raise InvalidInput(
            f"The task {task.name} is the job {task.job!r}, which is itself a flow.",
            hint="Put the tasks of that flow into this one: a flow holds no flows.",
        )
    refuse_endless(task.name, definition.kind, definition.spec)
    return definition, found[1]


def _tasks(definition: Definition) -> list[Task]:
    return list(tasks_of(definition.spec).values()) if definition.kind == "flow" else []
