"""What can be asked about datasets as they are kept here. What is read from their tables is in `table_endpoints`."""

from typing import Annotated

from fastapi import Depends, Query, Request, Response

from boathouse.control.access.dependencies import EditorOfWorkspace, ViewerOfWorkspace
from boathouse.control.datasets import repository, service, sync
from boathouse.control.datasets.catalogs import Catalogs
from boathouse.control.datasets.schemas import DatasetChange, DatasetTold, Groups, NewDataset, Synced, SyncWanted
from boathouse.control.datasets.walk import walk
from boathouse.control.http.paging import Limit, Page
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import FetchRoute, Keeping, Noted, Work, WorkRoute

router = api_router("datasets", WorkRoute)
fetching = api_router("datasets", FetchRoute)
ALL = "/workspaces/{workspace}/datasets"
ONE = ALL + "/{name}"
# A dataset's name is longer than other cursors.
Name = Annotated[str | None, Query(max_length=300, description="`next` of the page before.")]


async def _catalogs(request: Request) -> Catalogs:
    return request.app.state.catalogs


Reachable = Annotated[Catalogs, Depends(_catalogs)]


@router.get(ALL, name="dataset.list")
async def find(
    work: Work,
    scope: ViewerOfWorkspace,
    text: Annotated[
        str | None, Query(max_length=200, description="Words in the name, owner, description, tags or columns.")
    ] = None,
    *,
    tag: Annotated[str | None, Query(max_length=50)] = None,
    owner: Annotated[str | None, Query(max_length=100)] = None,
    gone: Annotated[bool | None, Query(description="Only those that are gone, or only those that are not.")] = None,
    namespace: Annotated[str | None, Query(max_length=300, description="Such as sales, with sales.eu in it.")] = None,
    cursor: Name = None,
    limit: Limit = 100,
) -> Page[DatasetTold]:
    """By name."""
    wanted = repository.Wanted(service.words_in(text), tag, owner, gone, namespace)
    found = await repository.find(work, scope, wanted, after=cursor, limit=limit + 1)
    items = [service.told(one) for one in found[:limit]]
    return Page(items=items, next=items[-1].name if len(found) > limit else None)


@router.get("/workspaces/{workspace}/dataset-groups", name="dataset.groups")
async def groups(work: Work, scope: ViewerOfWorkspace) -> Groups:
    """How many datasets are in which namespace, and under which tag."""
    return await service.groups(work, scope)


@router.post(ALL, name="dataset.register", status_code=201)
async def register(work: Work, scope: EditorOfWorkspace, wanted: NewDataset, note: Noted) -> DatasetTold:
    note.target, note.details = f"dataset {wanted.name}", {"format": wanted.format, "connection": wanted.connection}
    return await service.register(work, scope, wanted)


@router.get(ONE, name="dataset.get")
async def get(work: Work, scope: ViewerOfWorkspace, name: str) -> DatasetTold:
    return service.told(await service.get(work, scope, name))


@router.patch(ONE, name="dataset.change")
async def change(work: Work, scope: EditorOfWorkspace, name: str, wanted: DatasetChange, note: Noted) -> DatasetTold:
    note.target, note.details = f"dataset {name}", {"fields": sorted(wanted.model_fields_set)}
    return await service.change(work, scope, name, wanted)


@router.delete(ONE, name="dataset.remove", status_code=204)
async def remove(work: Work, scope: EditorOfWorkspace, name: str, note: Noted) -> Response:
    """Forget it. Its table stays, and a sync would find it again."""
    note.target = f"dataset {name}"
    await service.remove(work, scope, name)
    return Response(status_code=204)


@fetching.post(ALL + "/sync", name="dataset.sync")
async def bring_up_to_date(
    work: Work, scope: EditorOfWorkspace, catalogs: Reachable, wanted: SyncWanted, note: Noted, *, keeping: Keeping
) -> Synced:
    """Add the tables that a catalog has, and mark those that it no longer has. What people wrote stays."""
    note.target = f"connection {wanted.connection}" if wanted.connection else "the lakehouse's catalog"
    name = wanted.connection
    connection = None if name is None else await service.catalog_connection(work, scope, name)
    # The catalog may take its time, in which others can use our connection to the database.
    await work.close()
    source = await catalogs.behind(connection) if connection else catalogs.lake_for(scope)
    walked = await walk(source)
    async with keeping() as session:
        origin = sync.Origin(connection.id if connection else None)
        synced = await sync.keep(session, scope, origin, walked)
        note.details = synced.model_dump(exclude={"left_out"})
    return synced
