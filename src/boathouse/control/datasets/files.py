"""The files of a table's current snapshot, from its manifests: by pages, and by size."""

from collections.abc import Iterator
from statistics import median
from typing import Any

import obstore

from boathouse.control.datasets.table_schemas import FileTold, SizeClass, Sizes
from boathouse.control.datasets.tables import LiveTable
from boathouse.control.runs.results import plain
from boathouse.kit.errors import InvalidInput
from boathouse.kit.manifests import LiveFile, Manifest, read_files, read_manifest_list
from boathouse.kit.objects import canonical_url, storage_errors
from boathouse.kit.partition_values import readable, transforms

Json = dict[str, Any]
_CONTENTS = {0: "data", 1: "position deletes", 2: "equality deletes"}
_TARGET = "write.target-file-size-bytes"
# Iceberg's own, where a table does not say.
_USUAL_TARGET = 512 * 1024 * 1024
# Of the target. Iceberg's own compaction takes what is below three quarters; opening a file costs as much as reading a few MB.
SMALL = 1 / 8
# Some seconds of reading. A table with more is told by these.
MOST_COUNTED = 200_000
_MIB = 1024 * 1024
_BOUNDS = (0, _MIB, 8 * _MIB, 32 * _MIB, 64 * _MIB, 128 * _MIB, 256 * _MIB, 512 * _MIB, 1024 * _MIB)


def page(live: LiveTable, cursor: str | None, limit: int) -> tuple[list[FileTold], str | None]:
    """Of one snapshot from the first page to the last, whatever is written meanwhile."""
    snapshot_id, offset = _parsed(cursor) if cursor else (live.metadata.get("current-snapshot-id"), 0)
    snapshot = _snapshot(live, snapshot_id)
    if snapshot is None:
        return [], None
    by_name = transforms(live.metadata)
    found: list[FileTold] = []
    for position, file in _from(live, snapshot, offset):
        if len(found) == limit:
            return found, f"{snapshot['snapshot-id']}.{position}"
        found.append(_told(file, by_name))
    return found, None


def sizes(live: LiveTable) -> Sizes:
    snapshot = _snapshot(live, live.metadata.get("current-snapshot-id"))
    found: list[int] = []
    complete = True
    for _, file in _from(live, snapshot, 0) if snapshot else ():
        if file.content != 0:
            continue
        if len(found) == MOST_COUNTED:
            complete = False
            break
        found.append(file.bytes)
    below = small_below(live.metadata)
    small = sum(size < below for size in found)
    return Sizes(
        files=len(found),
        bytes=sum(found),
        median=int(median(found)) if found else None,
        small_below=below,
        small_files=small,
        small_share=small / len(found) if found else None,
        classes=_classes(found),
        complete=complete,
    )


def small_below(metadata: Json) -> int:
    try:
        target = int((metadata.get("properties") or {}).get(_TARGET, _USUAL_TARGET))
    except ValueError:
        target = _USUAL_TARGET
    return int(target * SMALL)


def _classes(found: list[int]) -> list[SizeClass]:
    ends = [*_BOUNDS[1:], None]
    members = [
        [size for size in found if size >= start and (end is None or size < end)]
        for start, end in zip(_BOUNDS, ends, strict=True)
    ]
    return [
        SizeClass(at_least=start, below=end, files=len(inside), bytes=sum(inside))
        for start, end, inside in zip(_BOUNDS, ends, members, strict=True)
    ]


def _from(live: LiveTable, snapshot: Json, offset: int) -> Iterator[tuple[int, LiveFile]]:
    """Files from a position on. Manifests that lie before it are not read, if they say how many files they have."""
    position = 0
    for manifest in _manifests(live, snapshot):
        if manifest.files is not None and position + manifest.files <= offset:
            position += manifest.files
            continue
        for file in read_files(manifest, _content(live, manifest.path)):
            if position >= offset:
                yield position, file
            position += 1


def _manifests(live: LiveTable, snapshot: Json) -> list[Manifest]:
    if "manifest-list" not in snapshot:
        # As the first writers of Iceberg did.
        return [Manifest(str(path), 0, None) for path in snapshot.get("manifests", [])]
    location = str(snapshot["manifest-list"])
    return read_manifest_list(location, _content(live, location))


def _content(live: LiveTable, location: str) -> bytes:
    place, _, name = canonical_url(location).rpartition("/")
    store = live.source.store(place, live.loaded)
    with storage_errors(location):
        return bytes(obstore.get(store, name).bytes())


def _snapshot(live: LiveTable, snapshot_id: Any) -> Json | None:
    if snapshot_id is None or snapshot_id == -1:
        return None
    for snapshot in live.metadata.get("snapshots") or []:
        if snapshot["snapshot-id"] == snapshot_id:
            return snapshot
    raise InvalidInput("The snapshot whose files are listed is no longer there.", hint="Begin again, without a cursor.")


def _parsed(cursor: str) -> tuple[int, int]:
    snapshot_id, _, offset = cursor.partition(".")
    if not (snapshot_id.isascii() and snapshot_id.isdigit() and offset.isascii() and offset.isdigit()):
        raise InvalidInput("The cursor is not one of a list of files.", hint="Take `next` as it is.")
    return int(snapshot_id), int(offset)


def _told(file: LiveFile, by_name: dict[str, str]) -> FileTold:
    return FileTold(
        content=_CONTENTS.get(file.content, str(file.content)),
        path=file.path,
        format=file.format,
        rows=file.records,
        bytes=file.bytes,
        partition={name: plain(value) for name, value in (readable(file.partition, by_name) or {}).items()},
    )
