"""What can be asked about pipelines."""

from typing import Annotated

from fastapi import Query

from boathouse.control.access.dependencies import ViewerOfWorkspace
from boathouse.control.datasets.endpoints import Reachable
from boathouse.control.http.paging import Cursor, Limit, Page
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Work, WorkRoute
from boathouse.control.pipelines import repository, service
from boathouse.control.pipelines.desks import Desks, desk
from boathouse.control.pipelines.schemas import Figures, PipelineKind, PipelineTold, Standing

router = api_router("pipelines", WorkRoute)
ALL = "/workspaces/{workspace}/pipelines"
ONE = ALL + "/{name}"


@router.get(ALL, name="pipeline.list")
async def find(
    work: Work,
    scope: ViewerOfWorkspace,
    text: Annotated[str | None, Query(max_length=60, description="Only those whose name holds this.")] = None,
    *,
    kind: Annotated[PipelineKind | None, Query(description="Only those that load files, or follow a stream.")] = None,
    cursor: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Page[PipelineTold]:
    """By name, each with what its last runs did."""
    found = await repository.find(work, scope, kind=kind, text=text, after=cursor, limit=limit + 1)
    items = await service.all_told(work, scope, found[:limit])
    return Page(items=items, next=items[-1].job if len(found) > limit else None)


@router.get(ONE, name="pipeline.get")
async def get(work: Work, scope: ViewerOfWorkspace, name: str) -> PipelineTold:
    return (await service.all_told(work, scope, [await service.get(work, scope, name)]))[0]


@router.get(ONE + "/history", name="pipeline.history")
async def history(
    work: Work, scope: ViewerOfWorkspace, name: str, *, cursor: Cursor = None, limit: Limit = 100
) -> Page[Figures]:
    """What each run did, the newest first."""
    await service.get(work, scope, name)
    found = await repository.history(work, scope, name, before=cursor, limit=limit + 1)
    items = [service.figures(row) for row in found[:limit]]
    return Page(items=items, next=items[-1].run_id if len(found) > limit else None)


@router.get(ONE + "/standing", name="pipeline.standing")
async def standing(work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, desks: Desks, name: str) -> Standing:
    """How its table and its rejects stand in the lake."""
    where = await desk(work, scope, catalogs, desks, name)
    return await service.beside(lambda: service.standing(catalogs, where), where.table)
