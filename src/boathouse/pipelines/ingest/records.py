"""The tables a pipeline keeps beside its target: what it loaded, and what it rejected."""

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from boathouse.kit.catalog_client import Json
from boathouse.pipelines.ingest.scan import BYTE_ORDER_MARK, ScannedFile
from boathouse.pipelines.spec import Format, PipelineSpec, Source
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
    "header": _STRING,
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
REJECTED_EVENTS: dict[str, ColumnType] = {**REJECTS, "key": Primitive("binary"), "kafka_at": _TIME}
"""Of streams. Kafka takes any bytes for a key."""


def create_request(columns: dict[str, ColumnType]) -> Json:
    return {"schema": iceberg_schema(columns), "properties": {"format-version": "2"}}


def loaded_rows(files: list[ScannedFile], spec: PipelineSpec, load_id: str) -> Any:
    """The rows of the loads table, as an Arrow table."""
    now = datetime.now(UTC)
    rows = [
        {
            "load_id": load_id,
            "pipeline": spec.pipeline,
            "file": scanned.file.url,
            "sha256": scanned.sha256,
            "version": scanned.file.version,
            "bytes": scanned.file.size,
            "lines": scanned.lines,
            "loaded_at": now,
            "header": _header(scanned, spec.source),
        }
        for scanned in files
    ]
    kinds: dict[ColumnType, Any] = {_STRING: pa.string(), _LONG: pa.int64(), _TIME: pa.timestamp("us", "UTC")}
    return pa.Table.from_pylist(rows, schema=pa.schema([(name, kinds[kind]) for name, kind in LOADS.items()]))


def _header(scanned: ScannedFile, source: Source) -> str | None:
    """The line that names the columns of a csv file: its rejects are replayed when the file may be long gone."""
    if source.format is not Format.CSV or not source.csv.header or not scanned.file.size:
        return None
    return scanned.first_line.removeprefix(BYTE_ORDER_MARK).decode(source.encoding).rstrip("\r")
