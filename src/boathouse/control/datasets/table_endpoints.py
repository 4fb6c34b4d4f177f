"""What can be asked about a dataset's table: read from its catalog and its manifests, at the moment. And the way back."""

from typing import Annotated

from fastapi import Query

from boathouse.control.access.dependencies import EditorOfWorkspace, ViewerOfWorkspace
from boathouse.control.datasets import compared, described, files, health, partitions, service
from boathouse.control.datasets.endpoints import ONE, Reachable
from boathouse.control.datasets.files import FileOrder, WantedFiles
from boathouse.control.datasets.partitions import PartitionOrder
from boathouse.control.datasets.roll_back import roll_back
from boathouse.control.datasets.table_schemas import (
    FileTold,
    Health,
    Partitions,
    RolledBack,
    RunOfSnapshot,
    SchemaTold,
    Sizes,
    SnapshotDiff,
    SnapshotId,
    SnapshotTold,
    TableRollBack,
    TableTold,
)
from boathouse.control.datasets.tables import live_table
from boathouse.control.http.paging import Cursor, Limit, Page
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import FetchRoute, Keeping, Noted, Work, WorkRoute
from boathouse.control.runs import repository as runs

router = api_router("datasets", WorkRoute)
changing = api_router("datasets", FetchRoute)
Text = Annotated[str | None, Query(max_length=300, description="Somewhere in its name.")]


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
    items = await live.read(lambda one: described.snapshots(one, found, wrote))
    return Page(items=items, next=after)


@router.get(ONE + "/snapshots/diff", name="dataset.compare")
async def compare(
    work: Work,
    scope: ViewerOfWorkspace,
    catalogs: Reachable,
    name: str,
    *,
    before: Annotated[SnapshotId, Query()],
    after: Annotated[SnapshotId, Query()],
) -> SnapshotDiff:
    """What is different in one snapshot from another: counts, files and columns."""
    live = await live_table(work, scope, catalogs, name, with_files=True)
    return await live.read(lambda one: compared.compared(one, int(before), int(after)))


@router.get(ONE + "/files", name="dataset.files")
async def list_files(
    work: Work,
    scope: ViewerOfWorkspace,
    catalogs: Reachable,
    name: str,
    *,
    snapshot: Annotated[SnapshotId | None, Query(description="The current one, if left out.")] = None,
    order: Annotated[FileOrder | None, Query(description="As the manifests have them, if left out.")] = None,
    text: Text = None,
    partition: Annotated[str | None, Query(max_length=1000, description="A `label` of the partitions.")] = None,
    small: Annotated[bool, Query(description="Only data files smaller than an eighth of the target.")] = False,
    cursor: Cursor = None,
    limit: Limit = 100,
) -> Page[FileTold]:
    """Of a snapshot, and then of the one that the first page was of. In an order, or narrowed, of the first 200,000."""
    live = await live_table(work, scope, catalogs, name, with_files=True)
    wanted = WantedFiles(int(snapshot) if snapshot else None, order, text, partition, small)
    items, after = await live.read(lambda one: files.page(one, wanted, cursor, limit))
    return Page(items=items, next=after)


@router.get(ONE + "/partitions", name="dataset.partitions")
async def list_partitions(
    work: Work,
    scope: ViewerOfWorkspace,
    catalogs: Reachable,
    name: str,
    *,
    order: PartitionOrder = PartitionOrder.BYTES_DOWN,
    text: Text = None,
    cursor: Annotated[int, Query(ge=0, le=10_000_000, description="`next` of the page before.")] = 0,
    limit: Limit = 100,
) -> Partitions:
    """How many files, rows and bytes each partition of the current snapshot has."""
    live = await live_table(work, scope, catalogs, name, with_files=True)
    return await live.read(lambda one: partitions.partitions(one, order, text, cursor, limit))


@router.get(ONE + "/sizes", name="dataset.sizes")
async def sizes(work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, name: str) -> Sizes:
    """How large its data files are."""
    live = await live_table(work, scope, catalogs, name, with_files=True)
    return await live.read(files.sizes)


@router.get(ONE + "/health", name="dataset.health")
async def how_it_is(work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, name: str) -> Health:
    live = await live_table(work, scope, catalogs, name, with_files=True)
    return await live.read(lambda one: health.health(described.table(one), files.sizes(one)))


@changing.post(ONE + "/roll-back", name="dataset.roll-back")
async def go_back(
    work: Work,
    scope: EditorOfWorkspace,
    catalogs: Reachable,
    name: str,
    *,
    wanted: TableRollBack,
    note: Noted,
    keeping: Keeping,
) -> RolledBack:
    """Make an older snapshot the current one again. The newer ones stay, until they are expired."""
    note.target, note.details = f"dataset {name}", wanted.model_dump(exclude_none=True)
    live = await live_table(work, scope, catalogs, name)
    done = await roll_back(live, wanted)
    note.details = done.model_dump()
    async with keeping() as session:
        await service.note_snapshot(session, scope, name, live.metadata, int(done.snapshot_id))
    return done
