"""Updates of the statistics files that belong to snapshots. Each snapshot has one of a kind at most."""

from collections.abc import Collection

from boathouse.catalog.metadata.draft import TableDraft
from boathouse.catalog.metadata.fields import Json, a_long, a_string, an_object, ints, objects, string_map

TABLE, PARTITION = "statistics", "partition-statistics"


def set_statistics(draft: TableDraft, update: Json) -> None:
    file = an_object(update, "statistics")
    a_long(file, "file-footer-size-in-bytes")
    for blob in objects(file, "blob-metadata"):
        _check_blob(blob)
    _replace(draft, TABLE, file)


def remove_statistics(draft: TableDraft, update: Json) -> None:
    _remove(draft, TABLE, {a_long(update, "snapshot-id")})


def set_partition_statistics(draft: TableDraft, update: Json) -> None:
    _replace(draft, PARTITION, an_object(update, "partition-statistics"))


def remove_partition_statistics(draft: TableDraft, update: Json) -> None:
    _remove(draft, PARTITION, {a_long(update, "snapshot-id")})


def forget_statistics(draft: TableDraft, snapshots: Collection[int]) -> None:
    _remove(draft, TABLE, snapshots)
    _remove(draft, PARTITION, snapshots)


def _check_blob(blob: Json) -> None:
    a_string(blob, "type")
    a_long(blob, "snapshot-id")
    a_long(blob, "sequence-number")
    ints(blob, "fields")
    if blob.get("properties") is not None:
        string_map(blob, "properties")


def _replace(draft: TableDraft, kind: str, file: Json) -> None:
    a_string(file, "statistics-path")
    a_long(file, "file-size-in-bytes")
    snapshot_id = a_long(file, "snapshot-id")
    others = [other for other in draft.get(kind, ()) if other["snapshot-id"] != snapshot_id]
    draft.set(kind, [*others, file])


def _remove(draft: TableDraft, kind: str, snapshots: Collection[int]) -> None:
    files: list[Json] = draft.get(kind, [])
    kept = [file for file in files if file["snapshot-id"] not in snapshots]
    if len(kept) != len(files):
        draft.set(kind, kept)
