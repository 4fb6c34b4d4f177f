"""A small table to change, and the requests that change it."""

from typing import Any

from boathouse.catalog.metadata import Json, change_table, new_table

NOW = 1_700_000_000_000
LOCATION = "s3://lake/sales/orders"
SCHEMA: Json = {
    "type": "struct",
    "schema-id": 0,
    "fields": [
        {"id": 1, "name": "id", "required": True, "type": "long"},
        {"id": 2, "name": "day", "required": False, "type": "date"},
        {"id": 3, "name": "note", "required": False, "type": "string"},
    ],
}


def table(**changes: Any) -> Json:
    request: dict[str, Any] = {
        "uuid": "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0001",
        "location": LOCATION,
        "schema": SCHEMA,
        "partition_spec": None,
        "write_order": None,
        "properties": {},
        "now_ms": NOW,
    }
    return new_table(**(request | changes))


def partitioned(version: int = 2) -> Json:
    spec = {"fields": [{"source-id": 2, "name": "day", "transform": "identity"}]}
    return table(partition_spec=spec, properties={"format-version": str(version)})


def changed(base: Json, *updates: Json, now_ms: int = NOW + 1000) -> Json:
    return change_table(base, updates, base_location="s3://lake/v0.metadata.json", now_ms=now_ms)


def snapshot(snapshot_id: int, *, sequence: int, parent: int | None = None, **more: Any) -> Json:
    entry: Json = {
        "snapshot-id": snapshot_id,
        "sequence-number": sequence,
        "timestamp-ms": NOW + snapshot_id,
        "manifest-list": f"s3://lake/snap-{snapshot_id}.avro",
        "summary": {"operation": "append"},
        "schema-id": 0,
    }
    return entry | ({"parent-snapshot-id": parent} if parent is not None else {}) | more


def add_snapshot(snapshot_id: int, *, sequence: int, parent: int | None = None, **more: Any) -> Json:
    return {"action": "add-snapshot", "snapshot": snapshot(snapshot_id, sequence=sequence, parent=parent, **more)}


def set_main(snapshot_id: int) -> Json:
    return set_ref("main", snapshot_id)


def set_ref(name: str, snapshot_id: int, kind: str = "branch", **more: Any) -> Json:
    return {"action": "set-snapshot-ref", "ref-name": name, "type": kind, "snapshot-id": snapshot_id, **more}


def with_history(*snapshot_ids: int) -> Json:
    """A table to which the snapshots were committed one after the other."""
    base = table()
    for number, snapshot_id in enumerate(snapshot_ids):
        parent = snapshot_ids[number - 1] if number else None
        base = changed(base, add_snapshot(snapshot_id, sequence=number + 1, parent=parent), set_main(snapshot_id))
    return base


def current(metadata: Json, current_id: str, entries: str, entry_id: str) -> Json:
    return next(entry for entry in metadata[entries] if entry[entry_id] == metadata[current_id])
