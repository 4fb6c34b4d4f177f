"""What a table's metadata says of it: columns, schemas, snapshots. Pure functions."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from boathouse.control.database.base import now
from boathouse.control.datasets.table_schemas import (
    ColumnChange,
    ColumnTold,
    RefTold,
    RunOfSnapshot,
    SchemaTold,
    SnapshotTold,
    SortFieldTold,
    TableTold,
)
from boathouse.control.datasets.tables import LiveTable
from boathouse.kit import table_metadata as meta
from boathouse.kit.errors import InvalidInput
from boathouse.kit.run_properties import RUN_ID

Json = dict[str, Any]
Place = tuple[int, int, int]


def table(live: LiveTable) -> TableTold:
    metadata = live.metadata
    snapshot = meta.current_snapshot(metadata)
    summary = (snapshot or {}).get("summary") or {}
    committed = meta.instant(snapshot["timestamp-ms"]) if snapshot else None
    return TableTold(
        name=str(live.name),
        uuid=metadata["table-uuid"],
        location=metadata["location"],
        metadata_location=live.loaded.metadata_location,
        format_version=metadata["format-version"],
        columns=[ColumnTold(**column) for column in meta.columns(metadata)],
        partitions=meta.partitions(metadata),
        sort_order=[SortFieldTold(**field) for field in meta.sort_order(metadata)],
        properties={str(name): str(value) for name, value in (metadata.get("properties") or {}).items()},
        refs=[
            RefTold(name=name, type=ref["type"], snapshot_id=str(ref["snapshot-id"]))
            for name, ref in sorted((metadata.get("refs") or {}).items())
        ],
        current_snapshot_id=str(snapshot["snapshot-id"]) if snapshot else None,
        snapshots=len(metadata.get("snapshots") or []),
        schemas=len(metadata["schemas"]),
        **_totals(summary, empty=snapshot is None),
        committed_at=committed,
        seconds_since_commit=max((now() - committed).total_seconds(), 0.0) if committed else None,
    )


def schemas(live: LiveTable) -> list[SchemaTold]:
    """The newest first."""
    current = live.metadata.get("current-schema-id")
    ordered = sorted(live.metadata["schemas"], key=lambda schema: schema.get("schema-id", 0))
    columns = [[ColumnTold(**column) for column in meta.columns_of(schema)] for schema in ordered]
    changes = [[], *(column_changes(before, after) for before, after in pairwise(columns))]
    told = [
        SchemaTold(
            id=schema.get("schema-id", 0),
            current=schema.get("schema-id", 0) == current,
            columns=columns[number],
            changes=changes[number],
        )
        for number, schema in enumerate(ordered)
    ]
    return told[::-1]


def snapshots_after(live: LiveTable, cursor: str | None, limit: int) -> tuple[list[Json], str | None]:
    """The next ones, the newest first, and where to go on."""
    ordered = sorted(live.metadata.get("snapshots") or [], key=_place, reverse=True)
    if cursor is not None:
        reached = _parsed(cursor)
        ordered = [snapshot for snapshot in ordered if _place(snapshot) < reached]
    page = ordered[:limit]
    return page, ".".join(map(str, _place(page[-1]))) if len(ordered) > limit else None


def run_ids(snapshots: list[Json]) -> set[str]:
    return {str(found) for snapshot in snapshots if (found := (snapshot.get("summary") or {}).get(RUN_ID))}


def snapshots(live: LiveTable, found: list[Json], runs: Mapping[str, RunOfSnapshot]) -> list[SnapshotTold]:
    around = _Around(
        live.metadata.get("current-snapshot-id"), meta.ancestors(live.metadata), meta.references(live.metadata), runs
    )
    return [_snapshot(one, around) for one in found]


@dataclass(frozen=True)
class _Around:
    """What is asked of the whole table for each of its snapshots."""

    current: int | None
    ancestors: set[int]
    refs: Mapping[int, list[str]]
    runs: Mapping[str, RunOfSnapshot]


def _snapshot(one: Json, around: _Around) -> SnapshotTold:
    summary = one.get("summary") or {}
    parent = one.get("parent-snapshot-id")
    totals = _totals(summary, empty=False)
    return SnapshotTold(
        id=str(one["snapshot-id"]),
        parent_id=None if parent is None else str(parent),
        at=meta.instant(one["timestamp-ms"]),
        operation=summary.get("operation"),
        current=one["snapshot-id"] == around.current,
        ancestor=one["snapshot-id"] in around.ancestors,
        refs=around.refs.get(one["snapshot-id"], []),
        schema_id=one.get("schema-id"),
        added_rows=meta.count(summary, "added-records"),
        deleted_rows=meta.count(summary, "deleted-records"),
        added_files=meta.count(summary, "added-data-files"),
        deleted_files=meta.count(summary, "deleted-data-files"),
        added_delete_files=meta.count(summary, "added-delete-files"),
        total_rows=totals["rows"],
        total_files=totals["files"],
        total_bytes=totals["bytes"],
        engine=_engine(summary),
        run=around.runs.get(str(summary.get(RUN_ID))),
    )


def _engine(summary: Json) -> str | None:
    name, version = summary.get("engine-name"), summary.get("engine-version")
    return " ".join(str(part) for part in (name, version) if part) or None


def _totals(summary: Json, *, empty: bool) -> dict[str, int | None]:
    names = {
        "rows": "total-records",
        "files": "total-data-files",
        "bytes": "total-files-size",
        "delete_files": "total-delete-files",
    }
    return {name: 0 if empty else int(summary[key]) if key in summary else None for name, key in names.items()}


def column_changes(before: list[ColumnTold], after: list[ColumnTold]) -> list[ColumnChange]:
    """Columns are known by their ids, so that a new name is no new column."""
    old, new = ({column.id: column for column in columns} for columns in (before, after))
    return [
        *(ColumnChange(what="added", column=new[at].name, after=new[at].type) for at in new if at not in old),
        *(ColumnChange(what="removed", column=old[at].name, before=old[at].type) for at in old if at not in new),
        *(_changed(old[at], new[at]) for at in new if at in old and old[at] != new[at]),
    ]


def _changed(old: ColumnTold, new: ColumnTold) -> ColumnChange:
    """By the one thing that changed, if it was one: Iceberg lets a type only become wider."""
    match _differing(old, new):
        case ["name"]:
            what = "renamed"
        case ["type"]:
            what = "widened"
        case _:
            what = "changed"
    return ColumnChange(what=what, column=new.name, before=_line(old), after=_line(new))


def _differing(old: ColumnTold, new: ColumnTold) -> list[str]:
    return [name for name in ColumnTold.model_fields if getattr(old, name) != getattr(new, name)]


def _line(column: ColumnTold) -> str:
    doc = f": {column.doc}" if column.doc else ""
    return f"{column.name} {column.type}{' required' if column.required else ''}{doc}"


def _place(snapshot: Json) -> Place:
    return snapshot.get("sequence-number") or 0, snapshot["timestamp-ms"], snapshot["snapshot-id"]


def _parsed(cursor: str) -> Place:
    try:
        sequence, at, snapshot_id = (int(part) for part in cursor.split("."))
    except ValueError:
        raise InvalidInput("The cursor is not one of a list of snapshots.", hint="Take `next` as it is.") from None
    return sequence, at, snapshot_id
