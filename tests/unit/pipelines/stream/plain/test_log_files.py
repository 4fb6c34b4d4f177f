"""Plain messages become files of the log, and all others come out again as they were."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boathouse.pipelines.stream.log_files import writer_for
from boathouse.pipelines.stream.own_columns import ORIGIN, WRITTEN
from boathouse.pipelines.stream.plain import PlainEvents, writing
from boathouse.pipelines.stream.plain.logged import Logged, LoggedEvents
from boathouse.pipelines.stream.plain.writing import MESSAGE, LogFiles
from boathouse.pipelines.types import ColumnType, iceberg_schema, parse_type

_COLUMNS = {"id": parse_type("long"), "kwh": parse_type("decimal(10,3)")}
_LOGGED = LoggedEvents(PlainEvents(_COLUMNS, "never in here"))
_LOG = {**ORIGIN, **_COLUMNS, **WRITTEN}
_NAMES = list(_LOG)
_AT = datetime(2026, 1, 3, 4, 15, 0, 250_000, UTC)


def test_each_topic_has_a_file_and_what_is_not_plain_comes_out_again(tmp_path: Path) -> None:
    messages = [("a", b'{"id":1,"kwh":2.5}'), ("b", b'{"id":2,"kwh":null}'), ("a", b"no"), ("a", b'{"id":3,"kwh":1}')]
    rows = _written(tmp_path, _batch(messages[:2]), _batch(messages[2:3], first=2), _batch(messages[3:], first=3))
    left = [row for row in rows if row["file"] is None]
    files = {row["topic"]: row for row in rows if row["file"] is not None}
    assert [(row["offset"], row["value"], row["key"], row["timestamp"]) for row in left] == [(2, b"no", b"k", _AT)]
    assert {topic: (file["rows"], file["newest"]) for topic, file in files.items()} == {
        "a": (2, int(_AT.timestamp() * 1000)),
        "b": (1, int(_AT.timestamp() * 1000)),
    }
    path = Path(files["a"]["file"].removeprefix("file://"))
    assert path.stat().st_size == files["a"]["bytes"]
    table = pq.read_table(path)
    assert table.column_names == _NAMES
    assert table["id"].to_pylist() == [1, 3]
    assert table["offset"].to_pylist() == [0, 3]
    assert [str(one) for one in table["kwh"].to_pylist()] == ["2.500", "1.000"]
    assert [one.metadata[b"PARQUET:field_id"] for one in table.schema] == [b"%d" % (n + 1) for n in range(len(_NAMES))]
    # As Iceberg has it: a decimal that fits into eight bytes is a number.
    assert pq.ParquetFile(path).schema.column(6).physical_type == "INT64"


def test_a_message_whose_key_is_no_text_comes_out_again(tmp_path: Path) -> None:
    text, none = _batch([("a", b'{"id":1,"kwh":2.5}')]), _batch([("a", b'{"id":2,"kwh":2.5}')], key=b"\xff", first=1)
    rows = _written(tmp_path, pa.Table.from_batches([none, text]).combine_chunks().to_batches()[0])
    assert [row["key"] for row in rows if row["file"] is None] == [b"\xff"]
    (file,) = [row["file"] for row in rows if row["file"] is not None]
    assert pq.read_table(file.removeprefix("file://"))["id"].to_pylist() == [1]


def test_a_message_without_its_key_comes_out_again_where_that_tells_events_apart(tmp_path: Path) -> None:
    with_key, without = (_batch([("a", b'{"id":1,"kwh":2.5}')], key=key) for key in (b"k", None))
    files = _files(tmp_path, _LOG, LoggedEvents(PlainEvents(_COLUMNS, "never", frozenset({"key"}))))
    rows = [row for batch in files([with_key, without]) for row in batch.to_pylist()]
    assert [row["key"] for row in rows if row["file"] is None] == [None]
    assert [row["rows"] for row in rows if row["file"] is not None] == [1]


def test_a_file_has_one_group_of_rows_and_a_large_one_is_followed_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_FILE_BYTES", 500)
    batches = [_batch([("a", b'{"id":%d,"kwh":1}' % one)] * 5, first=5 * one) for one in range(4)]
    files = [row["file"].removeprefix("file://") for row in _written(tmp_path, *batches)]
    assert len(files) > 1
    assert {pq.ParquetFile(file).num_row_groups for file in files} == {1}
    assert sorted(one for file in files for one in pq.read_table(file)["offset"].to_pylist()) == list(range(20))


def test_when_an_event_was_made_is_told_by_kafka_whatever_its_columns_are_called(tmp_path: Path) -> None:
    columns = {"source_at": parse_type("double")}
    files = _files(tmp_path, {**ORIGIN, **columns, **WRITTEN}, LoggedEvents(PlainEvents(columns, "never")))
    (row,) = [row for batch in files([_batch([("a", b'{"source_at":1.5}')])]) for row in batch.to_pylist()]
    assert row["newest"] == int(_AT.timestamp() * 1000)


def test_a_table_of_another_form_is_left_to_spark() -> None:
    assert _writer(_table()) is not None
    assert _writer(_table(transform="bucket[4]")) is None
    assert _writer(_table(columns={**_LOG, "more": parse_type("int")})) is None
    assert _writer(_table(columns={**_LOG, "id": parse_type("string")})) is None
    assert _writer(_table(properties={"write.parquet.compression-codec": "brotli"})) is None
    assert _writer(_table(properties={"encryption.key-id": "k"})) is None
    assert _writer(_table(properties={"write.data.path": "s3://lake//odd"})) is None
    assert writer_for(_table(), _LOG, _store(), None) is None


def _writer(table: dict[str, Any]) -> LogFiles | None:
    return writer_for(table, _LOG, _store(), _LOGGED)


def _store() -> Any:
    class Store:
        endpoint, region = "http://127.0.0.1:1", "eu"

    return Store


def _table(
    *,
    transform: str = "identity",
    columns: dict[str, ColumnType] | None = None,
    properties: dict[str, str] | None = None,
) -> dict[str, Any]:
    fields = iceberg_schema(columns or _LOG)["fields"]
    return {
        "location": "s3://lake/log",
        "current-schema-id": 0,
        "schemas": [{"schema-id": 0, "fields": fields}],
        "default-spec-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": [{"transform": transform, "source-id": 1}]}],
        "properties": properties or {},
    }


def _written(directory: Path, *batches: Any) -> list[dict[str, Any]]:
    return [row for batch in _files(directory, _LOG, _LOGGED)(batches) for row in batch.to_pylist()]


def _files(directory: Path, columns: dict[str, ColumnType], logged: Logged) -> LogFiles:
    ids = {name: place + 1 for place, name in enumerate(columns)}
    return LogFiles(directory.as_uri(), "", "", ids, "zstd", logged)


def _batch(messages: list[tuple[str, bytes]], *, first: int = 0, key: bytes | None = b"k") -> Any:
    rows = [
        {"topic": topic, "partition": 0, "offset": first + place, "timestamp": _AT, "key": key, "value": value}
        for place, (topic, value) in enumerate(messages)
    ]
    return pa.RecordBatch.from_pylist(rows, schema=pa.schema(list(MESSAGE.items())))
