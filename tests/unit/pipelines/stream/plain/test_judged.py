"""What is told of plain messages of a batch at hand, and which are left."""

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from boathouse.pipelines.stream.plain import PlainChanges, PlainEvents
from boathouse.pipelines.stream.plain.judged import QuickChanges, QuickEvents
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import parse_type

_AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
_TABLES = {
    "a": SourceTable("public.a", {"id": parse_type("long"), "name": parse_type("string")}, ("id",), "f"),
    "b": SourceTable("public.b", {"id": parse_type("int")}, ("id",), "f"),
}
_EVENTS = QuickEvents(PlainEvents({"id": parse_type("long")}, "never"))
_CHANGES = QuickChanges(PlainChanges(_TABLES, "never"))


def test_an_event_is_told_with_its_origin() -> None:
    judged = _EVENTS.judge(_messages(("t", b"k", b'{"id":7}')))
    assert judged.plain.to_pylist() == [True]
    assert judged.rows.to_pylist() == [
        {
            "topic": "t",
            "partition": 0,
            "key": "k",
            "kafka_at": _AT,
            "unknown": False,
            "problem": None,
            "op": "c",
            "lsn": 0,
            "place": 0,
            "source_at": _AT,
            "row_0": {"topic": "t", "partition": 0, "offset": 0, "kafka_at": _AT, "key": "k", "id": 7},
        }
    ]


def test_changes_are_told_with_their_rows_and_what_they_were() -> None:
    update = (
        b'{"before":{"id":1,"name":"x"},"after":{"id":1,"name":"y"},"source":{"lsn":9,"txId":2,"ts_ms":1000},"op":"u"}'
    )
    create = b'{"before":null,"after":{"id":5},"source":{"lsn":10,"txId":3,"ts_ms":2000},"op":"c"}'
    judged = _CHANGES.judge(_messages(("a", b'{"id":1}', update), ("b", b'{"id":5}', create)))
    assert judged.plain.to_pylist() == [True, True]
    first, second = judged.rows.to_pylist()
    assert (first["op"], first["lsn"], first["row_0"], first["before_0"]) == (
        "u",
        9,
        {"id": 1, "name": "y"},
        {"id": 1, "name": "x"},
    )
    assert first["source_at"] == datetime.fromtimestamp(1, UTC)
    assert first["row_1"] is None
    assert (second["row_0"], second["row_1"], second["before_1"]) == (None, {"id": 5}, None)


def test_a_message_without_a_value_says_nothing_of_a_row() -> None:
    judged = _CHANGES.judge(_messages(("a", b'{"id":1}', None)))
    (row,) = judged.rows.to_pylist()
    assert judged.plain.to_pylist() == [True]
    assert (row["op"], row["lsn"], row["row_0"], row["before_0"]) == ("tombstone", None, None, None)


def test_what_is_not_plain_is_left_and_the_others_are_told() -> None:
    given = [("t", b"k", b'{"id":1}'), ("t", b"k", b"not JSON"), ("t", b"\xff", b'{"id":2}'), ("t", None, b'{"id":3}')]
    judged = _EVENTS.judge(_messages(*(given * 20)))
    assert judged.rows.num_rows == sum(judged.plain.to_pylist())
    assert not any(judged.plain.to_pylist()[1::4])
    assert not any(judged.plain.to_pylist()[2::4])
    plain = _EVENTS.judge(_messages(*([given[0], given[2], given[3]] * 20)))
    assert plain.plain.to_pylist() == [True, False, True] * 20
    assert [row["row_0"]["id"] for row in plain.rows.to_pylist()] == [1, 3] * 20


def test_a_message_without_its_key_is_left_where_that_tells_events_apart() -> None:
    events = QuickEvents(PlainEvents({"id": parse_type("long")}, "never", frozenset({"key"})))
    given = [("t", b"k", b'{"id":1}'), ("t", None, b'{"id":2}')]
    judged = events.judge(_messages(*given, *given))
    assert judged.plain.to_pylist() == [True, False, True, False]
    assert [row["row_0"]["id"] for row in judged.rows.to_pylist()] == [1, 1]


def test_a_long_batch_is_read_in_pieces() -> None:
    messages = [("t", None, b'{"id":%d}' % number) for number in range(50_001)]
    judged = _EVENTS.judge(_messages(*messages))
    assert [row["id"] for row in judged.rows["row_0"].to_pylist()] == list(range(50_001))


def test_of_nothing_nothing_is_told() -> None:
    judged = _EVENTS.judge(_messages())
    assert (len(judged.plain), judged.rows.num_rows) == (0, 0)


def _messages(*given: tuple[str, bytes | None, bytes | None]) -> Any:
    topics, keys, values = zip(*given, strict=True) if given else ((), (), ())
    count = len(given)
    return pa.table(
        {
            "topic": pa.array(topics, pa.string()),
            "partition": pa.array([0] * count, pa.int32()),
            "offset": pa.array(range(count), pa.int64()),
            "timestamp": pa.array([_AT] * count, pa.timestamp("us", "UTC")),
            "key": pa.array(keys, pa.binary()),
            "value": pa.array(values, pa.binary()),
        }
    )
