"""Updates that add and remove snapshots."""

from boathouse.catalog.errors import BadRequest, CommitFailed, Validation
from boathouse.catalog.metadata.draft import TableDraft
from boathouse.catalog.metadata.fields import (
    LARGEST_LONG,
    Json,
    a_list,
    a_long,
    a_string,
    an_int,
    an_object,
    longs,
    string_map,
)
from boathouse.catalog.metadata.updates.refs import drop_ref
from boathouse.catalog.metadata.updates.statistics import forget_statistics

_ROW_LINEAGE = 3
"""The format version since which every row has an id."""


def add_snapshot(draft: TableDraft, update: Json) -> None:
    snapshot = _checked(draft, an_object(update, "snapshot"))
    _check_place(draft, snapshot)
    if draft.version >= _ROW_LINEAGE:
        _assign_rows(draft, snapshot)
    sequence_number = snapshot.get("sequence-number") or 0
    draft.append("snapshots", snapshot)
    draft.set("last-sequence-number", max(draft.get("last-sequence-number", 0), sequence_number))
    draft.added_snapshots.add(snapshot["snapshot-id"])
    draft.happens_at(snapshot["timestamp-ms"])


def remove_snapshots(draft: TableDraft, update: Json) -> None:
    """Their statistics go with them, and so do the branches and tags that pointed at them."""
    asked = set(longs(update, "snapshot-ids"))
    snapshots: list[Json] = draft.get("snapshots", [])
    removed = {snapshot["snapshot-id"] for snapshot in snapshots} & asked
    if not removed:
        return
    draft.set("snapshots", [snapshot for snapshot in snapshots if snapshot["snapshot-id"] not in removed])
    draft.removed_snapshots = True
    forget_statistics(draft, removed)
    for name in [name for name, ref in draft.get("refs", {}).items() if ref["snapshot-id"] in removed]:
        drop_ref(draft, name)


def _checked(draft: TableDraft, snapshot: Json) -> Json:
    a_long(snapshot, "snapshot-id")
    a_long(snapshot, "timestamp-ms")
    for name in ("parent-snapshot-id", "sequence-number", "first-row-id", "added-rows"):
        if snapshot.get(name) is not None:
            a_long(snapshot, name)
    if snapshot.get("schema-id") is not None:
        an_int(snapshot, "schema-id")
    if snapshot.get("summary") is not None:
        a_string(string_map(snapshot, "summary"), "operation")
    if snapshot.get("manifests") is not None and draft.version == 1:
        a_list(snapshot, "manifests")
    else:
        a_string(snapshot, "manifest-list")
    if draft.version > 1 and snapshot.get("sequence-number") is None:
        raise BadRequest("Cannot parse missing long: sequence-number")
    return snapshot


def _check_place(draft: TableDraft, snapshot: Json) -> None:
    for name, what in (("schemas", "schema"), ("partition-specs", "partition spec"), ("sort-orders", "sort order")):
        if not draft.get(name):
            raise Validation(f"Attempting to add a snapshot before a {what} is added")
    if draft.snapshot(snapshot["snapshot-id"]) is not None:
        raise Validation(f"Snapshot already exists for id: {snapshot['snapshot-id']}")
    sequence_number, last = snapshot.get("sequence-number") or 0, draft.get("last-sequence-number", 0)
    if draft.version > 1 and sequence_number <= last and snapshot.get("parent-snapshot-id") is not None:
        # Another branch moved on meanwhile: the client can make its snapshot again, so this is a lost race.
        raise CommitFailed(
            f"Cannot add snapshot with sequence number {sequence_number} older than last sequence number {last}"
        )


def _assign_rows(draft: TableDraft, snapshot: Json) -> None:
    first, next_row = snapshot.get("first-row-id"), draft.get("next-row-id", 0)
    if first is None:
        raise Validation("Cannot add a snapshot: first-row-id is null")
    if first < next_row:
        raise CommitFailed(f"Cannot add a snapshot, first-row-id is behind table next-row-id: {first} < {next_row}")
    added = snapshot.get("added-rows")
    if added is None or added < 0:
        raise Validation(f"Cannot add a snapshot: invalid added-rows: {added}")
    if first + added > LARGEST_LONG:
        raise Validation(f"Cannot add a snapshot: no row id is left: {first} + {added} > {LARGEST_LONG}")
    draft.set("next-row-id", first + added)
