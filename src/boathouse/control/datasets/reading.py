"""The live files of a snapshot, out of its manifests: fetched several at once, and kept for the next question."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import obstore

from boathouse.control.datasets.manifest_cache import Files
from boathouse.control.datasets.tables import LiveTable
from boathouse.kit.errors import InvalidInput
from boathouse.kit.manifests import LiveFile, Manifest, read_files, read_manifest_list
from boathouse.kit.objects import canonical_url, storage_errors

Json = dict[str, Any]
# Some seconds of reading. A table with more is told by these.
MOST_COUNTED = 200_000
# A table that is written to often has many small manifests, and fetching is mostly waiting.
_AT_ONCE = 16


def current_snapshot(live: LiveTable) -> Json | None:
    """None for a table to which nothing was written."""
    current: int | None = live.metadata.get("current-snapshot-id")
    return None if current is None or current == -1 else snapshot_of(live, current)


def snapshot_of(live: LiveTable, snapshot_id: int) -> Json:
    for snapshot in live.metadata.get("snapshots") or []:
        if snapshot["snapshot-id"] == snapshot_id:
            return snapshot
    raise InvalidInput(
        f"The snapshot {snapshot_id} is not there, or no longer.", hint="Choose one of those that are listed."
    )


def manifests_of(live: LiveTable, snapshot: Json) -> list[Manifest]:
    if "manifest-list" not in snapshot:
        # As the first writers of Iceberg did.
        return [Manifest(str(path), 0, None) for path in snapshot.get("manifests", [])]
    location = str(snapshot["manifest-list"])
    return read_manifest_list(location, _content(live, location))


def files_in(live: LiveTable, manifests: Sequence[Manifest]) -> Iterator[tuple[Manifest, Files]]:
    """Each with its live files, in this order. The first alone, then ever more at once: a page seldom needs a second."""
    start, at_once = 0, 1
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        while group := manifests[start : start + at_once]:
            yield from zip(group, pool.map(partial(_files, live), group), strict=True)
            start, at_once = start + at_once, min(2 * at_once, _AT_ONCE)


def first_files(live: LiveTable, snapshot: Json | None) -> tuple[list[tuple[Manifest, LiveFile]], bool]:
    """As many as are counted at once, and whether these are all."""
    found: list[tuple[Manifest, LiveFile]] = []
    for manifest, files in files_in(live, manifests_of(live, snapshot)) if snapshot else ():
        found += [(manifest, file) for file in files]
        if len(found) > MOST_COUNTED:
            return found[:MOST_COUNTED], False
    return found, True


def _files(live: LiveTable, manifest: Manifest) -> Files:
    key = (live.source.whose, manifest.path)
    kept = live.source.manifests.get(key)
    if kept is None:
        kept = tuple(read_files(manifest, _content(live, manifest.path)))
        live.source.manifests.keep(key, kept)
    return kept


def _content(live: LiveTable, location: str) -> bytes:
    place, _, name = canonical_url(location).rpartition("/")
    store = live.source.store(place, live.loaded)
    with storage_errors(location):
        return bytes(obstore.get(store, name).bytes())
