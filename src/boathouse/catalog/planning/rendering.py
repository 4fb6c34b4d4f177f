"""Scan tasks and the files in them as the specification writes them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boathouse.catalog.metadata import Json
from boathouse.catalog.planning.expressions import Filter
from boathouse.catalog.planning.expressions import to_json as filter_json
from boathouse.catalog.planning.files import Content, FileEntry
from boathouse.catalog.planning.projection import PartitionField
from boathouse.catalog.planning.values import to_json

_CONTENTS = {
    Content.DATA: "data",
    Content.POSITION_DELETES: "position-deletes",
    Content.EQUALITY_DELETES: "equality-deletes",
}
_NAMES = {
    "split_offsets": "split-offsets",
    "equality_ids": "equality-ids",
    "sort_order_id": "sort-order-id",
    "referenced_data_file": "referenced-data-file",
    "content_offset": "content-offset",
    "content_size_in_bytes": "content-size-in-bytes",
}


@dataclass(frozen=True)
class FileTask:
    """A data file to read, what to leave out of it, and what still to test."""

    data: FileEntry
    deletes: Sequence[FileEntry]
    residual: Filter


def scan_tasks(
    tasks: Iterable[FileTask], specs: Mapping[int, Sequence[PartitionField]], statistics: frozenset[int]
) -> Json:
    """Delete files are listed once, and referred to by their place in that list."""
    places: dict[tuple[str, int | None], int] = {}
    delete_files: list[Json] = []
    written: list[Json] = []
    for task in tasks:
        references: list[int] = []
        for delete in task.deletes:
            # Several deletion vectors lie in one file.
            identity = delete.path, delete.more.get("content_offset")
            if identity not in places:
                places[identity] = len(delete_files)
                delete_files.append(_content_file(delete, specs))
            references.append(places[identity])
        written.append(_task(task, references, specs, statistics))
    return {"file-scan-tasks": written} | ({"delete-files": delete_files} if delete_files else {})


def _task(
    task: FileTask, references: list[int], specs: Mapping[int, Sequence[PartitionField]], statistics: frozenset[int]
) -> Json:
    json: Json = {"data-file": _data_file(task.data, specs, statistics), "residual-filter": filter_json(task.residual)}
    # Java's clients cannot read a list without references.
    return json | {"delete-file-references": references} if references else json


def _data_file(entry: FileEntry, specs: Mapping[int, Sequence[PartitionField]], statistics: frozenset[int]) -> Json:
    json = _content_file(entry, specs)
    if entry.first_row_id is not None:
        # Rows have the sequence number of their file where they carry none of their own.
        json |= {"first-row-id": entry.first_row_id, "data-sequence-number": entry.sequence_number}
    return json | _statistics(entry, statistics) if statistics else json


def _content_file(entry: FileEntry, specs: Mapping[int, Sequence[PartitionField]]) -> Json:
    fields = specs.get(entry.spec_id, [])
    json: Json = {
        "content": _CONTENTS[entry.content],
        "file-path": entry.path,
        "file-format": entry.format,
        "spec-id": entry.spec_id,
        "partition": [to_json(value, field.type) for value, field in zip(entry.partition, fields, strict=True)],
        "file-size-in-bytes": entry.size,
        "record-count": entry.record_count,
    }
    json |= {_NAMES[name]: value for name, value in entry.more.items() if name in _NAMES}
    key = entry.more.get("key_metadata")
    return json if key is None else json | {"key-metadata": key.hex().upper()}


def _statistics(entry: FileEntry, columns: frozenset[int]) -> Json:
    """Of the columns that were asked for. Bounds are written as they are stored: so Java's clients read them."""
    known: dict[str, Mapping[int, Any]] = {
        "column-sizes": entry.column_sizes,
        "value-counts": entry.value_counts,
        "null-value-counts": entry.null_counts,
        "nan-value-counts": entry.nan_counts,
        "lower-bounds": {column: bound.hex().upper() for column, bound in entry.lower_bounds.items()},
        "upper-bounds": {column: bound.hex().upper() for column, bound in entry.upper_bounds.items()},
    }
    return {name: _map(values, columns) for name, values in known.items() if values}


def _map(values: Mapping[int, Any], columns: frozenset[int]) -> Json:
    kept = {column: value for column, value in values.items() if column in columns}
    return {"keys": list(kept), "values": list(kept.values())}
