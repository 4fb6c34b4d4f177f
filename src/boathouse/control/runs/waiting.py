"""A run as it is before anybody has it."""

from collections.abc import Mapping
from typing import Any

from boathouse.control.database.base import now
from boathouse.control.jobs.kinds import kind_named
from boathouse.control.jobs.models import Job, JobVersion
from boathouse.control.jobs.pinning import PinnedFlow, in_place
from boathouse.control.jobs.schemas import Definition
from boathouse.control.jobs.stored import understood
from boathouse.control.runs.models import Run
from boathouse.control.runs.rules import rules_of
from boathouse.control.runs.states import State
from boathouse.control.workspaces.models import Workspace
from boathouse.kit.ids import new_uuid


def waiting_run(workspace: Workspace, definition: Definition, values: Mapping[str, Any]) -> Run:
    """Whose it is, and who asked for it, is for the caller to say."""
    has_process = kind_named(definition.kind).has_process
    return Run(
        id=new_uuid(),
        created_at=now(),
        workspace_id=workspace.id,
        job="",
        version=0,
        by_platform_admin=False,
        kind=definition.kind,
        values=dict(values),
        is_listed=True,
        rules=rules_of(definition, workspace),
        most_at_once=definition.concurrency.most,
        # A flow is only its tasks, and those count.
        cores=definition.resources.cores if has_process else 0,
        memory_mb=definition.resources.memory_mb if has_process else 0,
        state=State.PENDING,
        attempt=0,
        failures=0,
        takeovers=0,
        deadline_missed=False,
        available_at=now(),
    )


def run_of_job(
    job: Job, version: JobVersion, definition: Definition, values: Mapping[str, Any], workspace: Workspace
) -> Run:
    run = waiting_run(workspace, definition, values)
    run.job_id, run.job, run.version = job.id, job.name, version.number
    run.by_platform_admin = version.by_platform_admin
    return run


def keep_pinned(flow: Run, pinned: PinnedFlow | None) -> None:
    flow.definition = None if pinned is None else pinned.model_dump(mode="json")


def flow_of(run: Run, definition: Definition) -> PinnedFlow:
    """What a flow's run carries out: as it was pinned, or as the job's version says it."""
    with understood(f"What the flow {run.job} is made of"):
        return in_place(definition, run.values) if run.definition is None else PinnedFlow.model_validate(run.definition)
