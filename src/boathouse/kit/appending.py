"""Some rows added to a table in one commit, without an engine.

For what people do by hand: to start Spark for a row takes seconds, to write a file and two lists of files takes none. The table
has no partitions, and every value is optional.
"""

import io
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import fastavro
import pyarrow as pa
import pyarrow.parquet as pq

from boathouse.kit.catalog_client import CatalogClient, LoadedTable, TableChange, TableName
from boathouse.kit.ids import new_uuid
from boathouse.kit.lake_files import LakeFiles
from boathouse.kit.table_metadata import current_snapshot

Json = dict[str, Any]
MAIN = "main"
_PREFIX = "PARQUET:field_id"
# Of Iceberg: an entry of a manifest that is new.
_ADDED = 1


@dataclass(frozen=True)
class _Written:
    path: str
    rows: int
    bytes: int


def append(client: CatalogClient, name: TableName, loaded: LoadedTable, rows: Any, files: LakeFiles) -> None:
    """Add the rows to the table as it was loaded; Conflict if it has changed since."""
    metadata = loaded.metadata
    snapshot_id, sequence = secrets.randbits(62) | 1, int(metadata.get("last-sequence-number", 0)) + 1
    data = _write_data(metadata, rows, files)
    manifest = _write_manifest(metadata, data, snapshot_id, files)
    newest = _listed(manifest, data, metadata["default-spec-id"], snapshot_id, sequence)
    manifests = _write_list(metadata, [newest, *_before(metadata, files)], snapshot_id, files)
    parent = current_snapshot(metadata)
    snapshot = {
        "snapshot-id": snapshot_id,
        **({"parent-snapshot-id": parent["snapshot-id"]} if parent else {}),
        "sequence-number": sequence,
        "timestamp-ms": max(time.time_ns() // 1_000_000, int(metadata["last-updated-ms"])),
        "manifest-list": manifests,
        "schema-id": metadata["current-schema-id"],
        "summary": _summary(parent, data),
    }
    reference = {"action": "set-snapshot-ref", "ref-name": MAIN, "type": "branch", "snapshot-id": snapshot_id}
    requirements: list[Json] = [
        {"type": "assert-table-uuid", "uuid": metadata["table-uuid"]},
        {"type": "assert-ref-snapshot-id", "ref": MAIN, "snapshot-id": parent["snapshot-id"] if parent else None},
        {"type": "assert-current-schema-id", "current-schema-id": metadata["current-schema-id"]},
    ]
    client.commit([TableChange(name, requirements, [{"action": "add-snapshot", "snapshot": snapshot}, reference])])


def _write_data(metadata: Json, rows: Any, files: LakeFiles) -> _Written:
    ids = {field["name"]: field["id"] for field in _schema(metadata)["fields"]}
    kinds = pa.schema([field.with_metadata({_PREFIX: str(ids[field.name])}) for field in rows.schema])
    content = io.BytesIO()
    pq.write_table(rows.cast(kinds), content, compression="zstd")
    path = f"{metadata['location']}/data/{new_uuid()}.parquet"
    files.put_new(path, content.getvalue())
    return _Written(path, rows.num_rows, content.tell())


def _write_manifest(metadata: Json, data: _Written, snapshot_id: int, files: LakeFiles) -> _Written:
    entry = {
        "status": _ADDED,
        "snapshot_id": snapshot_id,
        "sequence_number": None,
        "file_sequence_number": None,
        "data_file": {
            "content": 0,
            "file_path": data.path,
            "file_format": "PARQUET",
            "partition": {},
            "record_count": data.rows,
            "file_size_in_bytes": data.bytes,
        },
    }
    told = {
        "schema": json.dumps(_schema(metadata)),
        "schema-id": str(metadata["current-schema-id"]),
        "partition-spec": "[]",
        "partition-spec-id": str(metadata["default-spec-id"]),
        "format-version": "2",
        "content": "data",
    }
    return _write_avro(f"{metadata['location']}/metadata/{new_uuid()}-m0.avro", _ENTRY, [entry], told, files)


def _write_list(metadata: Json, entries: list[Json], snapshot_id: int, files: LakeFiles) -> str:
    path = f"{metadata['location']}/metadata/snap-{snapshot_id}-1-{new_uuid()}.avro"
    told = {"snapshot-id": str(snapshot_id), "format-version": "2"}
    return _write_avro(path, _LIST, entries, told, files).path


def _write_avro(path: str, schema: Json, records: list[Json], told: dict[str, str], files: LakeFiles) -> _Written:
    content = io.BytesIO()
    fastavro.writer(content, schema, records, codec="deflate", metadata=told)
    files.put_new(path, content.getvalue())
    return _Written(path, len(records), content.tell())


def _before(metadata: Json, files: LakeFiles) -> list[Json]:
    """The manifests that are there, with all that this schema has of them."""
    parent = current_snapshot(metadata)
    if parent is None:
        return []
    return [cast("Json", record) for record in fastavro.reader(io.BytesIO(files.get(parent["manifest-list"])), _LIST)]


def _listed(manifest: _Written, data: _Written, spec_id: int, snapshot_id: int, sequence: int) -> Json:
    return {
        "manifest_path": manifest.path,
        "manifest_length": manifest.bytes,
        "partition_spec_id": spec_id,
        "content": 0,
        "sequence_number": sequence,
        "min_sequence_number": sequence,
        "added_snapshot_id": snapshot_id,
        "added_files_count": 1,
        "existing_files_count": 0,
        "deleted_files_count": 0,
        "added_rows_count": data.rows,
        "existing_rows_count": 0,
        "deleted_rows_count": 0,
        "partitions": None,
    }


def _summary(parent: Json | None, data: _Written) -> dict[str, str]:
    before: Mapping[str, str] = (parent or {}).get("summary") or {}
    added = {"data-files": 1, "records": data.rows, "files-size": data.bytes}
    totals = {f"total-{name}": str(int(before.get(f"total-{name}", 0)) + count) for name, count in added.items()}
    return {"operation": "append", **{f"added-{name}": str(count) for name, count in added.items()}, **totals}


def _schema(metadata: Json) -> Json:
    return next(one for one in metadata["schemas"] if one["schema-id"] == metadata["current-schema-id"])


def _field(name: str, kind: Any, number: int, *, optional: bool = False) -> Json:
    if optional:
        return {"name": name, "type": ["null", kind], "default": None, "field-id": number}
    return {"name": name, "type": kind, "field-id": number}


_ENTRY: Json = {
    "type": "record",
    "name": "manifest_entry",
    "fields": [
        _field("status", "int", 0),
        _field("snapshot_id", "long", 1, optional=True),
        _field("sequence_number", "long", 3, optional=True),
        _field("file_sequence_number", "long", 4, optional=True),
        _field(
            "data_file",
            {
                "type": "record",
                "name": "r2",
                "fields": [
                    _field("content", "int", 134),
                    _field("file_path", "string", 100),
                    _field("file_format", "string", 101),
                    _field("partition", {"type": "record", "name": "r102", "fields": []}, 102),
                    _field("record_count", "long", 103),
                    _field("file_size_in_bytes", "long", 104),
                ],
            },
            2,
        ),
    ],
}
_PARTITION: Json = {
    "type": "record",
    "name": "r508",
    "fields": [
        _field("contains_null", "boolean", 509),
        _field("contains_nan", "boolean", 518, optional=True),
        _field("lower_bound", "bytes", 510, optional=True),
        _field("upper_bound", "bytes", 511, optional=True),
    ],
}
_LIST: Json = {
    "type": "record",
    "name": "manifest_file",
    "fields": [
        _field("manifest_path", "string", 500),
        _field("manifest_length", "long", 501),
        _field("partition_spec_id", "int", 502),
        _field("content", "int", 517),
        _field("sequence_number", "long", 515),
        _field("min_sequence_number", "long", 516),
        _field("added_snapshot_id", "long", 503),
        _field("added_files_count", "int", 504),
        _field("existing_files_count", "int", 505),
        _field("deleted_files_count", "int", 506),
        _field("added_rows_count", "long", 512),
        _field("existing_rows_count", "long", 513),
        _field("deleted_rows_count", "long", 514),
        _field("partitions", {"type": "array", "items": _PARTITION, "element-id": 508}, 507, optional=True),
    ],
}
