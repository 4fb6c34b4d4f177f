"""Which snapshots a scan is about."""

from collections.abc import Iterator
from dataclasses import replace

from boathouse.catalog.errors import IllegalArgument, Unsupported, Validation
from boathouse.catalog.metadata import Json
from boathouse.catalog.metadata.fields import by_id
from boathouse.catalog.metadata.form import current_schema
from boathouse.catalog.planning.requests import ScanRequest


def pinned(request: ScanRequest, metadata: Json) -> ScanRequest:
    """The request with its snapshot chosen, so that it means the same later; main's latest if it names none."""
    if request.incremental:
        appended(request, metadata)
        return request
    if request.snapshot_id is None:
        main = metadata["refs"].get("main", {}).get("snapshot-id", metadata.get("current-snapshot-id"))
        return replace(request, snapshot_id=None if main in {None, -1} else main)
    snapshot(metadata, request.snapshot_id)
    return request


def scanned(request: ScanRequest, metadata: Json) -> list[Json]:
    """The snapshots whose manifests the scan reads."""
    if request.incremental:
        return appended(request, metadata)
    return [] if request.snapshot_id is None else [snapshot(metadata, request.snapshot_id)]


def appended(request: ScanRequest, metadata: Json) -> list[Json]:
    """The snapshots of an incremental scan that added rows and nothing else, the oldest first."""
    history: list[Json] = []
    for one in _history(metadata, request.end_snapshot_id):
        if one["snapshot-id"] == request.start_snapshot_id:
            break
        history.append(one)
    else:
        if request.start_snapshot_id is not None and not _parted(history, request.start_snapshot_id):
            raise Validation(
                f"Starting snapshot (exclusive) {request.start_snapshot_id} is not a parent ancestor of end snapshot "
                f"{request.end_snapshot_id}"
            )
    # The first version of the format has snapshots without a summary: nobody knows what they did.
    return [one for one in reversed(history) if (one.get("summary") or {}).get("operation") == "append"]


def schema_of(request: ScanRequest, metadata: Json) -> Json:
    """The schema that names are looked up in: the table's own, or the one the snapshot was written with."""
    named = request.end_snapshot_id if request.incremental else request.snapshot_id
    if not request.use_snapshot_schema or named is None:
        return current_schema(metadata)
    schema_id = snapshot(metadata, named).get("schema-id")
    found = None if schema_id is None else by_id(metadata["schemas"], "schema-id", schema_id)
    return found or current_schema(metadata)


def snapshot(metadata: Json, snapshot_id: int) -> Json:
    found = by_id(metadata["snapshots"], "snapshot-id", snapshot_id)
    if found is None:
        raise IllegalArgument(f"Cannot find snapshot with ID {snapshot_id}")
    if found.get("key-id") is not None:
        raise Unsupported(f"Cannot plan a scan of snapshot {snapshot_id}: its manifest list is encrypted")
    return found


def _history(metadata: Json, last: int | None) -> Iterator[Json]:
    by_number = {one["snapshot-id"]: one for one in metadata["snapshots"]}
    found = snapshot(metadata, last) if last is not None else None
    while found is not None:
        yield found
        # Taken out once seen, so that a circle of parents ends.
        found = by_number.pop(found.get("parent-snapshot-id"), None)


def _parted(history: list[Json], start: int) -> bool:
    """Whether the start is the parent of the oldest snapshot that is left: it may be expired itself."""
    return bool(history) and history[-1].get("parent-snapshot-id") == start
