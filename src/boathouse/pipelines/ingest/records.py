"""The two tables a pipeline keeps beside its target: what it loaded, and what it rejected."""

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from boathouse.kit.catalog_client import Json
from boathouse.pipelines.ingest.scan import ScannedFile
from boathouse.pipelines.types import ColumnType, Primitive, iceberg_schema

_STRING, _LONG, _TIME = Primitive("string"), Primitive("long"), Primitive("timestamptz")

LOADS: dict[str, ColumnType] = {
    "load_id": _STRING,
    "pipeline": _STRING,
    "file": _STRING,
    "sha256": _STRING,
    "version": _STRING,
    "bytes": _LONG,
    "lines": _LONG,
    "loaded_at": _TIME,
}
REJECTS: dict[str, ColumnType] = {
    "load_id": _STRING,
    "file": _STRING,
    "line": _LONG,
    "reason": _STRING,
    "raw": _STRING,
    "raw_bytes": Primitive("binary"),
    "rejected_at": _TIME,
}


def create_request(columns: dict[str, ColumnType]) -> Json:
    return {"schema": iceberg_schema(columns), "properties": {"format-version": "2"}}


def loaded_rows(files: list[ScannedFile], pipeline: str, load_id: str) -> Any:
    """The rows of the loads table, as an Arrow table."""
    now = datetime.now(UTC)
    rows = [
        {
            "load_id": load_id,
            "pipeline": pipeline,
            "file": scanned.file.url,
            "sha256": scanned.sha256,
            "version": scanned.file.version,
            "bytes": scanned.file.size,
            "lines": scanned.lines,
            "loaded_at": now,
        }
        for scanned in files
    ]
    kinds: dict[ColumnType, Any] = {_STRING: pa.string(), _LONG: pa.int64(), _TIME: pa.timestamp("us", "UTC")}
    return pa.Table.from_pylist(rows, schema=pa.schema([(name, kinds[kind]) for name, kind in LOADS.items()]))
