"""What was loaded and what was rejected is kept in two tables beside the target."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa

from boathouse.pipelines.ingest.records import LOADS, REJECTS, create_request, loaded_rows
from boathouse.pipelines.spec import parse_spec
from tests.unit.pipelines.ingest.files import scanned

SPEC = parse_spec("{pipeline: orders, source: {path: a.csv, format: csv}, target: {table: a.b}}", "spec.yaml")


def test_a_loaded_file_is_recorded_with_its_fingerprint(tmp_path: Path) -> None:
    found = scanned(tmp_path / "a.csv", b"id\n1\n2")
    (row,) = loaded_rows([found], SPEC, "load-1").to_pylist()
    loaded_at = row.pop("loaded_at")
    assert datetime.now(UTC) - loaded_at < timedelta(minutes=1)
    assert row == {
        "load_id": "load-1",
        "pipeline": "orders",
        "file": f"file://{tmp_path}/a.csv",
        "sha256": found.sha256,
        "version": "v1",
        "bytes": 6,
        "lines": 3,
        "header": "id",
    }


def test_the_rows_have_the_columns_of_the_table_even_if_there_are_none() -> None:
    table = loaded_rows([], SPEC, "load-1")
    assert table.column_names == list(LOADS)
    assert table.schema.field("bytes").type == pa.int64()
    assert table.schema.field("loaded_at").type == pa.timestamp("us", "UTC")


def test_the_tables_are_asked_for_with_all_their_columns() -> None:
    request = create_request(REJECTS)
    assert [(field["name"], field["type"]) for field in request["schema"]["fields"]] == [
        ("load_id", "string"),
        ("file", "string"),
        ("line", "long"),
        ("reason", "string"),
        ("raw", "string"),
        ("raw_bytes", "binary"),
        ("rejected_at", "timestamptz"),
    ]
    assert request["properties"] == {"format-version": "2"}
