"""What can be asked about lineage, and where others tell of theirs."""

from typing import Annotated, Any

from fastapi import Depends, Query, Request

from boathouse.control.access.actor import Scope
from boathouse.control.access.dependencies import Caller, RunnerOfWorkspace, ViewerOfWorkspace, scope_of
from boathouse.control.access.roles import Role
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Note, Noted, Work, WorkRoute
from boathouse.control.jobs import service as jobs
from boathouse.control.lineage import events, repository, service
from boathouse.control.lineage.openlineage import RunEvent, events_of
from boathouse.control.lineage.schemas import Graph, JobLineage, Told
from boathouse.control.lineage.service import Way
from boathouse.control.runs import service as runs
from boathouse.control.workspaces import repository as workspaces
from boathouse.kit.errors import InvalidInput

router = api_router("lineage", WorkRoute)
IN = "/workspaces/{workspace}"
Depth = Annotated[int, Query(ge=1, le=10, description="How many jobs away.")]


async def _of_token(actor: Caller, work: Work, request: Request) -> Scope:
    """The one workspace that the token opens: senders of OpenLineage know only one address."""
    name = await workspaces.name_of(work, actor.only_workspace) if actor.only_workspace else None
    if name is None:
        raise InvalidInput(
            "For which workspace this is, is not said.",
            hint="Use a token for one workspace, or send it to /api/v1/workspaces/NAME/lineage.",
        )
    return await scope_of(request, actor, name, Role.RUNNER)


RunnerByToken = Annotated[Scope, Depends(_of_token)]


@router.get(IN + "/datasets/{name}/lineage", name="dataset.lineage")
async def of_dataset(work: Work, scope: ViewerOfWorkspace, name: str, way: Way = Way.BOTH, depth: Depth = 3) -> Graph:
    """Which jobs read and write it, and what those read and write. The name may be one that nobody registered."""
    return await service.graph(work, scope, name, way, depth)


@router.get(IN + "/lineage", name="lineage.get")
async def of_anything(
    work: Work,
    scope: ViewerOfWorkspace,
    dataset: Annotated[str, Query(min_length=1, max_length=300)],
    way: Way = Way.BOTH,
    depth: Depth = 3,
) -> Graph:
    """The same for any name, such as s3://bucket/directory, which cannot stand in a path."""
    return await service.graph(work, scope, dataset, way, depth)


@router.get(IN + "/jobs/{name}/lineage", name="job.lineage")
async def of_job(work: Work, scope: ViewerOfWorkspace, name: str) -> JobLineage:
    job, _ = await jobs.get(work, scope, name)
    return await service.of_job(work, scope, job.name)


@router.get(IN + "/runs/{run_id}/openlineage", name="run.openlineage")
async def of_run(work: Work, scope: ViewerOfWorkspace, run_id: str) -> list[dict[str, Any]]:
    """The run as events of OpenLineage, as far as it has come."""
    run = await runs.get(work, scope, run_id)
    return events_of(run, scope.workspace, await repository.uses(work, scope.workspace_id, run.id))


@router.post("/lineage", name="lineage.tell", status_code=201)
async def tell(work: Work, scope: RunnerByToken, event: RunEvent, note: Noted) -> Told:
    """An event of OpenLineage, where its HTTP transport sends it. Sent again, it changes nothing."""
    return await _taken(work, scope, event, note)


@router.post(IN + "/lineage", name="lineage.tell-workspace", status_code=201)
async def tell_workspace(work: Work, scope: RunnerOfWorkspace, event: RunEvent, note: Noted) -> Told:
    """The same, for whoever has a token for more than one workspace."""
    return await _taken(work, scope, event, note)


async def _taken(work: Work, scope: Scope, event: RunEvent, note: Note) -> Told:
    note.target = f"job {event.job.namespace} {event.job.name}".replace("\0", "\ufffd")
    note.details = {"run": str(event.run.runId), "type": event.eventType}
    return await events.take(work, scope, event)
