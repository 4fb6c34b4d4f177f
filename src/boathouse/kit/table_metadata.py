"""What an Iceberg table's metadata says, in a form to show: columns, partitions, snapshots."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]


def instant(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC)


def columns(metadata: Json) -> list[Json]:
    """The columns of the current schema."""
    return columns_of(_current_schema(metadata))


def columns_of(schema: Json) -> list[Json]:
    return [
        {
            "id": field["id"],
            "name": field["name"],
            "type": type_text(field["type"]),
            "required": field["required"],
            "doc": field.get("doc"),
        }
        for field in schema["fields"]
    ]


def type_text(kind: Any) -> str:
    """A type as SQL writes it; a nested one is an object in the metadata."""
    if isinstance(kind, str):
        return kind
    match kind["type"]:
        case "struct":
            inner = ", ".join(f"{field['name']}: {type_text(field['type'])}" for field in kind["fields"])
            return f"struct<{inner}>"
        case "list":
            return f"list<{type_text(kind['element'])}>"
        case "map":
            return f"map<{type_text(kind['key'])}, {type_text(kind['value'])}>"
        case other:
            return str(other)


def partitions(metadata: Json) -> list[str]:
    """The partition fields of the default spec, such as `day(ordered_at)`."""
    names = {field["id"]: field["name"] for field in _current_schema(metadata)["fields"]}
    specs = {spec["spec-id"]: spec for spec in metadata.get("partition-specs", [])}
    fields = specs.get(metadata.get("default-spec-id"), {}).get("fields", [])
    return [_transform_text(field["transform"], names.get(field["source-id"], field["name"])) for field in fields]


def sort_order(metadata: Json) -> list[Json]:
    """The fields of the default sort order, such as `ordered_at` ascending."""
    names = {field["id"]: field["name"] for field in _current_schema(metadata)["fields"]}
    orders = {order["order-id"]: order for order in metadata.get("sort-orders", [])}
    return [
        {
            "by": _transform_text(field["transform"], names.get(field["source-id"], str(field["source-id"]))),
            "direction": field["direction"],
            "nulls": field["null-order"],
        }
        for field in orders.get(metadata.get("default-sort-order-id"), {}).get("fields", [])
    ]


def references(metadata: Json) -> dict[int, list[str]]:
    """Branches and tags, by the snapshot they point at."""
    found: dict[int, list[str]] = {}
    for name, reference in metadata.get("refs", {}).items():
        found.setdefault(reference["snapshot-id"], []).append(f"{reference['type']} {name}")
    return found


def current_snapshot(metadata: Json) -> Json | None:
    current = metadata.get("current-snapshot-id")
    return next((snapshot for snapshot in metadata.get("snapshots", []) if snapshot["snapshot-id"] == current), None)


def ancestors(metadata: Json) -> set[int]:
    """The snapshots that the current one goes back to, and itself: what the table once was, on this way."""
    parents: dict[int, int | None] = {
        one["snapshot-id"]: one.get("parent-snapshot-id") for one in metadata.get("snapshots", [])
    }
    found: set[int] = set()
    here: int | None = metadata.get("current-snapshot-id")
    while here is not None and here in parents and here not in found:
        found.add(here)
        here = parents[here]
    return found


def history(metadata: Json) -> Iterator[Json]:
    """The snapshots, newest first."""
    named = references(metadata)
    current = metadata.get("current-snapshot-id")
    for snapshot in sorted(
        metadata.get("snapshots", []), key=lambda each: each.get("sequence-number", 0), reverse=True
    ):
        summary = snapshot.get("summary") or {}
        yield {
            "current": snapshot["snapshot-id"] == current,
            "snapshot": snapshot["snapshot-id"],
            "parent": snapshot.get("parent-snapshot-id"),
            "time": instant(snapshot["timestamp-ms"]),
            "operation": summary.get("operation"),
            "added_records": count(summary, "added-records"),
            "deleted_records": count(summary, "deleted-records"),
            "added_files": count(summary, "added-data-files"),
            "deleted_files": count(summary, "deleted-data-files"),
            "references": named.get(snapshot["snapshot-id"], []),
        }


def state_of(snapshot: Json | None) -> Json:
    """What a list tells of a table that is at this snapshot."""
    summary = (snapshot or {}).get("summary") or {}
    return {
        "rows": count(summary, "total-records"),
        "files": count(summary, "total-data-files"),
        "bytes": count(summary, "total-files-size"),
        "committed_at": instant(snapshot["timestamp-ms"]) if snapshot else None,
    }


def count(summary: Json, name: str) -> int:
    """A number of a snapshot's summary, which holds only text and leaves out zeros."""
    return int(summary.get(name, 0))


def _current_schema(metadata: Json) -> Json:
    current = metadata.get("current-schema-id")
    return next(schema for schema in metadata["schemas"] if schema.get("schema-id") == current)


def _transform_text(transform: str, column: str) -> str:
    if transform == "identity":
        return column
    name, bracket, width = transform.partition("[")
    return f"{name}({width.rstrip(']')}, {column})" if bracket else f"{name}({column})"
