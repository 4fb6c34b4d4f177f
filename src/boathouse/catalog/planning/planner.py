"""The plan of a scan: the files of its snapshots that may hold what it asks for, in parts of a bounded size.

Runs in a thread of its own: it reads files, and works through thousands of their records.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from boathouse.catalog.metadata import Json
from boathouse.catalog.planning.columns import Columns, types_by_id
from boathouse.catalog.planning.deletes import DeleteIndex
from boathouse.catalog.planning.expressions import to_json
from boathouse.catalog.planning.files import FileEntry, Manifest
from boathouse.catalog.planning.filters import read_filter
from boathouse.catalog.planning.manifests import read_entries, read_manifest_list
from boathouse.catalog.planning.pruning import Pruning
from boathouse.catalog.planning.rendering import FileTask, scan_tasks
from boathouse.catalog.planning.requests import ScanRequest
from boathouse.catalog.planning.snapshots import scanned, schema_of
from boathouse.catalog.planning.tokens import Unit

# Where a manifest list does not tell, as long as writers make a manifest.
_USUAL_LENGTH = 8 * 1024 * 1024
_USUAL_FILES = 5_000


@dataclass(frozen=True)
class Limits:
    """What is planned in one answer. What is more is handed out as tasks, each within the same limits."""

    bytes: int = 8 * 1024 * 1024
    """Of manifests: as long as writers make one."""
    files: int = 10_000
    """In the answer: about half a kilobyte each."""
    snapshots: int = 20
    """Whose manifest lists are read. More of them are planned one by one."""


@dataclass(frozen=True)
class Part:
    unit: Unit
    bytes: int
    files: int
    rows: int | None


class Planner:
    """For one scan of a table at one version."""

    def __init__(
        self, metadata: Json, request: ScanRequest, read: Callable[[str], bytes], limits: Limits | None = None
    ) -> None:
        """`read` gives the content of a file of the table."""
        columns = Columns(schema_of(request, metadata), case_sensitive=request.case_sensitive)
        found = True if request.filter is None else read_filter(request.filter, columns)
        self._pruning = Pruning.of(found, metadata["partition-specs"], types_by_id(metadata))
        self._statistics = frozenset(column.id for name in request.statistics if (column := columns.find(name)))
        self._snapshots = {one["snapshot-id"]: one for one in scanned(request, metadata)}
        self._request = request
        self._read = read
        self._limits = limits or Limits()
        self._lists: dict[int, list[Manifest]] = {}

    @property
    def filter(self) -> bool | Json:
        return to_json(self._pruning.filter)

    def whole(self) -> tuple[Json, list[Unit]]:
        """All tasks, or none of them but the units in which they are to be asked for."""
        if len(self._snapshots) > self._limits.snapshots:
            return {}, [Unit(snapshot_id) for snapshot_id in self._snapshots]
        parts = self._enough([part for snapshot_id in self._snapshots for part in self._parts(snapshot_id)])
        small = sum(part.bytes for part in parts) <= self._limits.bytes
        if len(parts) <= 1 or (small and sum(part.files for part in parts) <= self._limits.files):
            return self._rendered(chain.from_iterable(self._tasks(part.unit) for part in parts)), []
        return {}, [part.unit for part in parts]

    def unit(self, unit: Unit) -> Json | None:
        """The tasks of one unit; None if it is no part of the scan."""
        return self._rendered(self._tasks(unit)) if unit.snapshot_id in self._snapshots else None

    def _rendered(self, tasks: Iterator[FileTask]) -> Json:
        return scan_tasks(tasks, self._pruning.specs, self._statistics)

    def _parts(self, snapshot_id: int) -> Iterator[Part]:
        """A snapshot's data manifests in runs, each as long as the limits let it be."""
        first, size, files, rows = 0, 0, 0, 0
        manifests = self._data_manifests(snapshot_id)
        for place, manifest in enumerate(manifests):
            if not self._pruning.keeps_manifest(manifest):
                continue
            more = manifest.live_files if manifest.live_files is not None else _USUAL_FILES
            length = manifest.length or _USUAL_LENGTH
            if size and (size + length > self._limits.bytes or files + more > self._limits.files):
                yield Part(Unit(snapshot_id, first, place), size, files, rows)
                first, size, files, rows = place, 0, 0, 0
            size, files, rows = size + length, files + more, rows + (manifest.live_rows or 0)
        if size:
            yield Part(Unit(snapshot_id, first, len(manifests)), size, files, rows)

    def _enough(self, parts: list[Part]) -> list[Part]:
        """As many as hold the rows that are asked for, where all rows count."""
        if self._request.least_rows is None or self._pruning.filter is not True or self._deleting():
            return parts
        kept: list[Part] = []
        rows = 0
        for part in parts:
            if kept and rows >= self._request.least_rows:
                break
            kept.append(part)
            rows += part.rows or 0
        return kept

    def _deleting(self) -> bool:
        return any(manifest.deletes for manifests in self._lists.values() for manifest in manifests)

    def _tasks(self, unit: Unit) -> Iterator[FileTask]:
        deletes = self._deletes(unit.snapshot_id)
        certain = 0
        for manifest in self._data_manifests(unit.snapshot_id)[unit.first : unit.last]:
            for entry in self._entries(manifest, unit.snapshot_id):
                applying = list(deletes.applying_to(entry))
                residual = self._pruning.residual(entry)
                yield FileTask(entry, applying, residual)
                certain += entry.record_count if residual is True and not applying else 0
                if self._request.least_rows is not None and certain >= self._request.least_rows:
                    return

    def _entries(self, manifest: Manifest, snapshot_id: int) -> Iterator[FileEntry]:
        if not self._pruning.keeps_manifest(manifest):
            return
        for entry in self._files(manifest):
            appended = entry.added and entry.snapshot_id == snapshot_id
            if (appended or not self._request.incremental) and self._pruning.keeps_file(entry):
                yield entry

    def _deletes(self, snapshot_id: int) -> DeleteIndex:
        """An incremental scan gives the rows that were added, whatever became of them."""
        manifests = [] if self._request.incremental else self._manifests(snapshot_id)
        deleting = (one for one in manifests if one.deletes and self._pruning.keeps_manifest(one))
        return DeleteIndex((entry for one in deleting for entry in self._files(one)), self._pruning.specs)

    def _files(self, manifest: Manifest) -> Iterator[FileEntry]:
        return read_entries(manifest, self._read(manifest.path), self._pruning.specs)

    def _data_manifests(self, snapshot_id: int) -> list[Manifest]:
        found = [manifest for manifest in self._manifests(snapshot_id) if not manifest.deletes]
        if self._request.incremental:
            return [manifest for manifest in found if manifest.added_snapshot_id == snapshot_id]
        return found

    def _manifests(self, snapshot_id: int) -> list[Manifest]:
        if snapshot_id not in self._lists:
            self._lists[snapshot_id] = self._listed(self._snapshots[snapshot_id])
        return self._lists[snapshot_id]

    def _listed(self, snapshot: Json) -> list[Manifest]:
        location = snapshot.get("manifest-list")
        if location is not None:
            return list(read_manifest_list(location, self._read(location)))
        # The first version of the format could name the manifests in the metadata itself.
        named: list[str] = snapshot.get("manifests") or []
        return [Manifest(path, 0, -1, added_snapshot_id=snapshot["snapshot-id"]) for path in named]
