"""What can be asked about a dataset's table: read from its catalog and its manifests, at the moment."""

from fastapi import APIRouter

from boathouse.control.access.dependencies import ViewerOfWorkspace
from boathouse.control.datasets import described, files, health
from boathouse.control.datasets.endpoints import ONE, Reachable
from boathouse.control.datasets.table_schemas import (
    FileTold,
    Health,
    RunOfSnapshot,
    SchemaTold,
    Sizes,
    SnapshotTold,
    TableTold,
)
from boathouse.control.datasets.tables import live_table
from boathouse.control.http.paging import Cursor, Limit, Page
from boathouse.control.http.work import Work, WorkRoute
from boathouse.control.runs import repository as runs

router = APIRouter(tags=["datasets"], route_class=WorkRoute)


@router.get(ONE + "/table", name="dataset.table")
async def table(work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, name: str) -> TableTold:
    live = await live_table(work, scope, catalogs, name)
    return await live.read(described.table)


@router.get(ONE + "/schemas", name="dataset.schemas")
async def schemas(work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, name: str) -> list[SchemaTold]:
    """Every schema it had, the newest first, and what each changed."""
    live = await live_table(work, scope, catalogs, name)
    return await live.read(described.schemas)


@router.get(ONE + "/snapshots", name="dataset.snapshots")
async def snapshots(
    work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, name: str, *, cursor: Cursor = None, limit: Limit = 100
) -> Page[SnapshotTold]:
    """The newest first, each with the run of this workspace that wrote it."""
    live = await live_table(work, scope, catalogs, name)
    found, after = await live.read(lambda one: described.snapshots_after(one, cursor, limit))
    wrote = {
        run_id: RunOfSnapshot(id=run_id, job=job)
        for run_id, job in (await runs.jobs_of(work, scope, described.run_ids(found))).items()
    }
    items = await live.read(lambda one: [described.snapshot(one, snapshot, wrote) for snapshot in found])
    return Page(items=items, next=after)


@router.get(ONE + "/files", name="dataset.files")
async def list_files(
    work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, name: str, *, cursor: Cursor = None, limit: Limit = 100
) -> Page[FileTold]:
    """Of the current snapshot, and then of the one that the first page was of."""
    live = await live_table(work, scope, catalogs, name, with_files=True)
    items, after = await live.read(lambda one: files.page(one, cursor, limit))
    return Page(items=items, next=after)


@router.get(ONE + "/sizes", name="dataset.sizes")
async def sizes(work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, name: str) -> Sizes:
    """How large its data files are."""
    live = await live_table(work, scope, catalogs, name, with_files=True)
    return await live.read(files.sizes)


@router.get(ONE + "/health", name="dataset.health")
async def how_it_is(work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, name: str) -> Health:
    live = await live_table(work, scope, catalogs, name, with_files=True)
    return await live.read(lambda one: health.health(described.table(one), files.sizes(one)))
