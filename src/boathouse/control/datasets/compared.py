"""What is different between two snapshots of a table: counts, files and columns."""

from typing import Any

from boathouse.control.datasets.described import column_changes
from boathouse.control.datasets.files import told_files
from boathouse.control.datasets.reading import MOST_COUNTED, files_in, manifests_of, snapshot_of
from boathouse.control.datasets.table_schemas import ColumnChange, ColumnTold, CountChange, FilesChanged, SnapshotDiff
from boathouse.control.datasets.tables import LiveTable
from boathouse.kit import table_metadata as meta
from boathouse.kit.manifests import LiveFile, Manifest

Json = dict[str, Any]
# More than anybody reads through; the counts are of all.
MOST_TOLD = 200
_COUNTS = {
    "rows": "total-records",
    "files": "total-data-files",
    "bytes": "total-files-size",
    "delete_files": "total-delete-files",
}


def compared(live: LiveTable, before_id: int, after_id: int) -> SnapshotDiff:
    before, after = (snapshot_of(live, one) for one in (before_id, after_id))
    old, new, complete = _different(live, before, after)
    return SnapshotDiff(
        before=str(before_id),
        after=str(after_id),
        before_at=meta.instant(before["timestamp-ms"]),
        after_at=meta.instant(after["timestamp-ms"]),
        counts={name: _count(before, after, key) for name, key in _COUNTS.items()},
        added=_changed(live, [new[path] for path in new if path not in old]),
        removed=_changed(live, [old[path] for path in old if path not in new]),
        columns=_columns(live, before, after),
        complete=complete,
    )


def _different(live: LiveTable, before: Json, after: Json) -> tuple[dict[str, LiveFile], dict[str, LiveFile], bool]:
    """The files of the manifests that only one of them has: what they share is not read."""
    ours, theirs = ({one.path: one for one in manifests_of(live, snapshot)} for snapshot in (before, after))
    old, whole = _files(live, [ours[path] for path in ours if path not in theirs])
    new, all_of_it = _files(live, [theirs[path] for path in theirs if path not in ours])
    return old, new, whole and all_of_it


def _files(live: LiveTable, manifests: list[Manifest]) -> tuple[dict[str, LiveFile], bool]:
    found: dict[str, LiveFile] = {}
    for _, files in files_in(live, manifests):
        found |= {file.path: file for file in files}
        if len(found) > MOST_COUNTED:
            return found, False
    return found, True


def _changed(live: LiveTable, files: list[LiveFile]) -> FilesChanged:
    files.sort(key=lambda file: file.path)
    return FilesChanged(
        files=len(files),
        rows=sum(file.records for file in files if file.content == 0),
        bytes=sum(file.bytes for file in files),
        first=told_files(live, files[:MOST_TOLD]),
    )


def _count(before: Json, after: Json, key: str) -> CountChange:
    old, new = ((snapshot.get("summary") or {}).get(key) for snapshot in (before, after))
    return CountChange(before=None if old is None else int(old), after=None if new is None else int(new))


def _columns(live: LiveTable, before: Json, after: Json) -> list[ColumnChange]:
    schemas = {schema.get("schema-id", 0): schema for schema in live.metadata["schemas"]}
    ids = [snapshot.get("schema-id") for snapshot in (before, after)]
    if None in ids or not all(one in schemas for one in ids):
        return []
    old, new = ([ColumnTold(**column) for column in meta.columns_of(schemas[one])] for one in ids)
    return column_changes(old, new)
