"""Manifest lists and manifests as writers leave them in storage, made by hand so that a test says all that is in them."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import fastavro
from pyiceberg.conversions import to_bytes
from pyiceberg.types import IcebergType, PrimitiveType

Json = dict[str, Any]
DATA, POSITION_DELETES, EQUALITY_DELETES = range(3)
EXISTING, ADDED, DELETED = range(3)


@dataclass(frozen=True)
class Field:
    """Of a partition spec, as Avro has it."""

    name: str
    avro: Any
    id: int = 1000


@dataclass(frozen=True)
class File:
    """An entry of a manifest."""

    path: str
    partition: Mapping[str, Any] = field(default_factory=dict[str, Any])
    content: int = DATA
    rows: int = 10
    status: int = ADDED
    sequence: int | None = None
    snapshot: int | None = None
    format: str = "PARQUET"
    values: Mapping[int, int] = field(default_factory=dict[int, int])
    nulls: Mapping[int, int] = field(default_factory=dict[int, int])
    nans: Mapping[int, int] = field(default_factory=dict[int, int])
    lower: Mapping[int, bytes] = field(default_factory=dict[int, bytes])
    upper: Mapping[int, bytes] = field(default_factory=dict[int, bytes])
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Listed:
    """An entry of a manifest list."""

    path: str
    length: int
    content: int = DATA
    spec: int = 0
    sequence: int = 1
    snapshot: int = 1
    files: int = 1
    rows: int = 10
    summaries: Sequence[Json] | None = None
    first_row_id: int | None = None


def bound(kind: IcebergType, value: Any) -> bytes:
    return to_bytes(cast(PrimitiveType, kind), value)


def summary(lower: bytes | None, upper: bytes | None, *, null: bool = False, nan: bool | None = None) -> Json:
    return {"contains_null": null, "contains_nan": nan, "lower_bound": lower, "upper_bound": upper}


def manifest(files: Sequence[File], fields: Sequence[Field] = (), *, spec: int = 0) -> bytes:
    metadata = {"partition-spec-id": str(spec), "format-version": "2", "content": "data", "schema": "{}"}
    return _written(_entry_schema(fields), [_entry(file) for file in files], metadata)


def manifest_of_any_kind(files: Sequence[File], fields: Sequence[Field], wrong: Json) -> bytes:
    """A manifest whose own schema allows what Iceberg's does not: the fields of its files that are `wrong`."""
    schema, anything = _entry_schema(fields), ["null", "long", "string", "bytes"]
    for one in schema["fields"][-1]["type"]["fields"]:
        for name, value in wrong.items():
            if one["name"] == name and name == "partition":
                one["type"]["fields"] = [_optional(field.name, "string", field.id) for field in fields]
            elif one["name"] == name:
                one["type"] = _pairs(name, 1, 2, 3, "string")["type"] if isinstance(value, list) else anything
    entries = [_entry(file) for file in files]
    for entry in entries:
        entry["data_file"] |= wrong
    return _written(schema, entries, {"partition-spec-id": "0", "format-version": "2"})


def manifest_list(manifests: Sequence[Listed]) -> bytes:
    return _written(_LIST, [_listed(one) for one in manifests], {"format-version": "3"})


def _written(schema: Json, records: list[Json], metadata: dict[str, str]) -> bytes:
    content = io.BytesIO()
    fastavro.writer(content, schema, records, codec="deflate", metadata=metadata)
    return content.getvalue()


def _optional(name: str, kind: Any, field_id: int) -> Json:
    return {"name": name, "type": ["null", kind], "default": None, "field-id": field_id}


def _required(name: str, kind: Any, field_id: int) -> Json:
    return {"name": name, "type": kind, "field-id": field_id}


def _pairs(name: str, field_id: int, key_id: int, value_id: int, value: str) -> Json:
    fields = [_required("key", "int", key_id), _required("value", value, value_id)]
    pair = {"type": "record", "name": f"k{key_id}_v{value_id}", "fields": fields}
    return _optional(name, {"type": "array", "items": pair, "logicalType": "map"}, field_id)


def _longs(name: str, kind: str, field_id: int, element_id: int) -> Json:
    return _optional(name, {"type": "array", "items": kind, "element-id": element_id}, field_id)


def _entry_schema(fields: Sequence[Field]) -> Json:
    partition = {
        "type": "record",
        "name": "r102",
        "fields": [_optional(one.name, one.avro, one.id) for one in fields],
    }
    data_file = {
        "type": "record",
        "name": "r2",
        "fields": [
            _required("content", "int", 134),
            _required("file_path", "string", 100),
            _required("file_format", "string", 101),
            _required("partition", partition, 102),
            _required("record_count", "long", 103),
            _required("file_size_in_bytes", "long", 104),
            _pairs("column_sizes", 108, 117, 118, "long"),
            _pairs("value_counts", 109, 119, 120, "long"),
            _pairs("null_value_counts", 110, 121, 122, "long"),
            _pairs("nan_value_counts", 137, 138, 139, "long"),
            _pairs("lower_bounds", 125, 126, 127, "bytes"),
            _pairs("upper_bounds", 128, 129, 130, "bytes"),
            _optional("key_metadata", "bytes", 131),
            _longs("split_offsets", "long", 132, 133),
            _longs("equality_ids", "int", 135, 136),
            _optional("sort_order_id", "int", 140),
            _optional("first_row_id", "long", 142),
            _optional("referenced_data_file", "string", 143),
            _optional("content_offset", "long", 144),
            _optional("content_size_in_bytes", "long", 145),
        ],
    }
    own = [
        _required("status", "int", 0),
        _optional("snapshot_id", "long", 1),
        _optional("sequence_number", "long", 3),
        _optional("file_sequence_number", "long", 4),
        _required("data_file", data_file, 2),
    ]
    return {"type": "record", "name": "manifest_entry", "fields": own}


_SUMMARY = {
    "type": "record",
    "name": "r508",
    "fields": [
        _required("contains_null", "boolean", 509),
        _optional("contains_nan", "boolean", 518),
        _optional("lower_bound", "bytes", 510),
        _optional("upper_bound", "bytes", 511),
    ],
}
_LIST = {
    "type": "record",
    "name": "manifest_file",
    "fields": [
        _required("manifest_path", "string", 500),
        _required("manifest_length", "long", 501),
        _required("partition_spec_id", "int", 502),
        _required("content", "int", 517),
        _required("sequence_number", "long", 515),
        _required("min_sequence_number", "long", 516),
        _required("added_snapshot_id", "long", 503),
        _required("added_files_count", "int", 504),
        _required("existing_files_count", "int", 505),
        _required("deleted_files_count", "int", 506),
        _required("added_rows_count", "long", 512),
        _required("existing_rows_count", "long", 513),
        _required("deleted_rows_count", "long", 514),
        _optional("partitions", {"type": "array", "items": _SUMMARY, "element-id": 508}, 507),
        _optional("first_row_id", "long", 520),
    ],
}


def _entry(file: File) -> Json:
    def pairs(values: Mapping[int, Any]) -> list[Json] | None:
        return [{"key": key, "value": value} for key, value in values.items()] or None

    data_file = {
        "content": file.content,
        "file_path": file.path,
        "file_format": file.format,
        "partition": dict(file.partition),
        "record_count": file.rows,
        "file_size_in_bytes": 1000,
        "value_counts": pairs(file.values),
        "null_value_counts": pairs(file.nulls),
        "nan_value_counts": pairs(file.nans),
        "lower_bounds": pairs(file.lower),
        "upper_bounds": pairs(file.upper),
        **file.more,
    }
    return {
        "status": file.status,
        "snapshot_id": file.snapshot,
        "sequence_number": file.sequence,
        "file_sequence_number": file.sequence,
        "data_file": data_file,
    }


def _listed(one: Listed) -> Json:
    return {
        "manifest_path": one.path,
        "manifest_length": one.length,
        "partition_spec_id": one.spec,
        "content": one.content,
        "sequence_number": one.sequence,
        "min_sequence_number": one.sequence,
        "added_snapshot_id": one.snapshot,
        "added_files_count": one.files,
        "existing_files_count": 0,
        "deleted_files_count": 0,
        "added_rows_count": one.rows,
        "existing_rows_count": 0,
        "deleted_rows_count": 0,
        "partitions": one.summaries,
        "first_row_id": one.first_row_id,
    }
