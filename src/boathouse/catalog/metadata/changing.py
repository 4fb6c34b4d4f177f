"""One commit's updates applied to a table's metadata, and the logs that follow from them."""

from collections.abc import Sequence

from boathouse.catalog.errors import Validation
from boathouse.catalog.metadata import partitioning, sorting
from boathouse.catalog.metadata.creation import DEFAULT_VERSION
from boathouse.catalog.metadata.draft import TableDraft
from boathouse.catalog.metadata.fields import Json, an_int
from boathouse.catalog.metadata.form import NO_SNAPSHOT, complete, current_schema
from boathouse.catalog.metadata.retention import next_log
from boathouse.catalog.metadata.updates import apply_updates


def change_table(base: Json, updates: Sequence[Json], *, base_location: str, now_ms: int) -> Json:
    """The metadata after the updates; `base` itself when they change nothing."""
    draft = TableDraft(base, now_ms=now_ms)
    apply_updates(draft, updates)
    if not draft.changed:
        return base
    draft.set("metadata-log", next_log(draft.get("properties", {}), base, base_location))
    return _finished(draft)


def create_table(updates: Sequence[Json], *, uuid: str, default_location: str, now_ms: int) -> Json:
    """The metadata of a table that a transaction creates: all of it is in its updates."""
    upgrade = next((update for update in updates if update.get("action") == "upgrade-format-version"), None)
    version = an_int(upgrade, "format-version") if upgrade else DEFAULT_VERSION
    draft = TableDraft({**_NOTHING, "format-version": version}, now_ms=now_ms)
    apply_updates(draft, updates)
    if not draft.get("schemas"):
        raise Validation("Cannot create a table without a schema: no schema has been added")
    missing = (("table-uuid", uuid), ("location", default_location), ("partition-specs", [partitioning.UNPARTITIONED]))
    for name, value in missing:
        if not draft.get(name):
            draft.set(name, value)
    if not draft.get("sort-orders"):
        draft.set("sort-orders", [sorting.UNSORTED])
    return _finished(draft)


def referenced_only(metadata: Json) -> Json:
    """The metadata with only those snapshots that a branch or tag points at."""
    referenced = {ref["snapshot-id"] for ref in metadata.get("refs", {}).values()}
    snapshots = [snapshot for snapshot in metadata.get("snapshots", ()) if snapshot["snapshot-id"] in referenced]
    return {**metadata, "snapshots": snapshots}


_CURRENT = (
    ("current-schema-id", "schemas", "schema-id", "schema"),
    ("default-spec-id", "partition-specs", "spec-id", "partition spec"),
    ("default-sort-order-id", "sort-orders", "order-id", "sort order"),
)
_TOGETHER = [name for current, entries, _, _ in _CURRENT for name in (current, entries)]
_NOTHING: Json = {
    "last-sequence-number": 0,
    "last-column-id": 0,
    "current-schema-id": 0,
    "schemas": [],
    "default-spec-id": 0,
    "partition-specs": [],
    "last-partition-id": partitioning.FIRST_FIELD_ID - 1,
    "default-sort-order-id": 0,
    "sort-orders": [],
    "properties": {},
    "current-snapshot-id": NO_SNAPSHOT,
}


def _finished(draft: TableDraft) -> Json:
    draft.set("last-updated-ms", draft.moment_ms())
    draft.set("snapshot-log", _snapshot_log(draft))
    # Most commits bring a snapshot or a property, and a schema of a thousand columns takes long to go through.
    if draft.touched(_TOGETHER):
        _check_whole(draft)
    return complete(draft.json())


def _check_whole(draft: TableDraft) -> None:
    """What is current must be there, and must fit together."""
    metadata = draft.json()
    for current, entries, name, what in _CURRENT:
        if all(entry[name] != metadata[current] for entry in metadata[entries]):
            raise Validation(f"Cannot find the {what} that is to be current: {metadata[current]}")
    schema = current_schema(metadata)
    spec = next(s for s in metadata["partition-specs"] if s["spec-id"] == metadata["default-spec-id"])
    partitioning.check_compatible(spec["fields"], schema)
    order = next(o for o in metadata["sort-orders"] if o["order-id"] == metadata["default-sort-order-id"])
    sorting.check_compatible(order, schema)


def _snapshot_log(draft: TableDraft) -> list[Json]:
    """The log without snapshots that were only in passing, and without the history that a removed one ends.

    A gap would make it look as if the snapshot before it had been current all the while.
    """
    current = draft.get("current-snapshot-id", NO_SNAPSHOT)
    passing = (draft.made_current & draft.added_snapshots) - {current}
    log: list[Json] = draft.get("snapshot-log", [])
    if not passing and not draft.removed_snapshots:
        return log
    known = {snapshot["snapshot-id"] for snapshot in draft.get("snapshots", ())}
    kept: list[Json] = []
    for entry in log:
        if entry["snapshot-id"] not in known:
            kept = []
        elif entry["snapshot-id"] not in passing:
            kept.append(entry)
    if current in known and (not kept or kept[-1]["snapshot-id"] != current):
        raise Validation("Cannot set invalid snapshot log: latest entry is not the current snapshot")
    return kept
