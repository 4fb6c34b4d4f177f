"""What Arrow reads of Debezium's changes, table by table."""

import json
from dataclasses import replace
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from boathouse.pipelines.stream.plain import PLAIN, PlainChanges
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import parse_type

Json = dict[str, Any]
_KINDS = {"id": "long", "at": "timestamp", "day": "date", "kwh": "decimal(10,3)", "note": "string"}
_READINGS = SourceTable("public.readings", {name: parse_type(kind) for name, kind in _KINDS.items()}, ("id",), "f")
_TAGS = SourceTable("public.tags", {"tag": parse_type("string")}, ("tag",), "f")
_ROW = {"id": 1, "at": "2026-01-03T04:15:00.5Z", "day": "2026-01-03Z", "kwh": "1.250", "note": None}


def test_a_change_is_read_with_its_place_in_the_log_and_what_the_row_was() -> None:
    (read,) = _read(_change("u", {**_ROW, "kwh": "1"}, _ROW))
    assert read[PLAIN]
    assert (read["op"], read["lsn"], read["tx"], read["source_ms"]) == ("u", 24, 7, 1_767_225_600_000)
    assert str(read["row_0"]["kwh"]) == "1.250"
    assert str(read["before_0"]["kwh"]) == "1.000"
    assert read["row_0"]["day"].isoformat() == "2026-01-03"
    assert read["row_1"] is None


def test_rows_that_were_there_count_where_they_were_read_at_the_earliest() -> None:
    known = replace(_READINGS, rows_from=20)
    messages = [_change("r", None, _ROW), _change("u", None, _ROW), _change("r", None, _ROW, lsn=19)]
    topics = pa.array(["readings"] * len(messages))
    read = PlainChanges({"readings": known}, "never").read(topics, pa.array(messages, pa.binary())).to_pylist()
    assert [one["lsn"] for one in read] == [20, 24, 19]


def test_a_change_counts_at_the_end_of_the_transaction_before_its_own_where_it_was_written_before_that() -> None:
    told = ['["30","24"]', '["20","24"]', '[null,"24"]', "", None, '["30"]x', '["9999999999999999999","24"]']
    read = _read(*(_change("u", None, _ROW, sequence=one) for one in told))
    assert [one["lsn"] for one in read] == [24] * len(told)
    assert [one["place"] for one in read] == [30, 24, 24, 24, 24, 30, 24]


def test_a_row_that_was_there_counts_where_it_was_read() -> None:
    (read,) = _read(_change("r", None, _ROW, sequence='["30","24"]'))
    assert read["place"] == 24


def test_of_a_deleted_row_it_is_what_the_row_was() -> None:
    (read,) = _read(_change("d", _ROW, None))
    assert read["row_0"] == read["before_0"]
    assert read["row_0"]["id"] == 1


def test_a_row_without_a_before_has_none() -> None:
    (read,) = _read(_change("c", None, _ROW))
    assert read["before_0"] is None


def test_what_somebody_must_look_at_closer_is_left() -> None:
    odd = [
        _change("c", None, {**_ROW, "more": 1}),
        _change("c", None, {**_ROW, "id": None}),
        _change("c", None, {**_ROW, "kwh": "NaN"}),
        _change("c", None, {**_ROW, "kwh": "12345678.0001"}),
        _change("d", None, None),
        _change("t", None, None),
        _change("c", None, _ROW, lsn=None),
        _change("c", None, _ROW, lsn=-1),
        _change("c", None, _ROW).replace(b"1767225600000", b"9300000000000000"),
        _change("c", None, _ROW).replace(b"1767225600000", b"-9300000000000000"),
        _change("c", None, {**_ROW, "note": "never in here"}),
        None,
    ]
    assert [row[PLAIN] for one in odd for row in _read(one)] == [False] * len(odd)


def test_a_new_row_was_nothing_before() -> None:
    (read,) = _read(_change("c", _ROW, _ROW))
    assert read[PLAIN]
    assert read["before_0"] is None


def test_two_broken_messages_are_not_two_changes() -> None:
    whole = _change("c", None, _ROW)
    cut = whole.index(b'{"id"')
    assert [row[PLAIN] for row in _read(whole[:cut], whole[cut:] + whole)] == [False, False]


def test_a_column_that_is_gone_is_nothing() -> None:
    (read,) = _read(_change("c", None, {"id": 5}))
    assert read[PLAIN]
    assert read["row_0"] == {"id": 5, "at": None, "day": None, "kwh": None, "note": None}


@given(st.lists(st.tuples(st.sampled_from(["readings", "tags", "other"]), st.integers(0, 99)), max_size=200))
def test_changes_of_several_tables_stay_in_their_places(given: list[tuple[str, int]]) -> None:
    messages = [
        _change("c", None, {"tag": str(number)} if topic == "tags" else {**_ROW, "id": number})
        for topic, number in given
    ]
    read = _read(*messages, topics=[topic for topic, _ in given])
    for (topic, number), row in zip(given, read, strict=True):
        assert row[PLAIN] == (topic != "other")
        assert row["row_0"] is None if topic != "readings" else row["row_0"]["id"] == number
        assert row["row_1"] == ({"tag": str(number)} if topic == "tags" else None)


def _change(
    op: str, before: Json | None, after: Json | None, *, lsn: int | None = 24, sequence: str | None = '["1","24"]'
) -> bytes:
    told = {"sequence": sequence, "table": "t", "txId": 7, "lsn": lsn}
    source = {"version": "3", "name": "p", "ts_ms": 1_767_225_600_000, **told}
    envelope = {"before": before, "after": after, "source": source, "transaction": None, "op": op, "ts_ms": 1}
    return json.dumps(envelope, separators=(",", ":")).encode()


def _read(*messages: bytes | None, topics: list[str] | None = None) -> list[Json]:
    reader = PlainChanges({"readings": _READINGS, "tags": _TAGS}, "never in here")
    given = pa.array(topics if topics is not None else ["readings"] * len(messages), pa.string())
    return reader.read(given, pa.array(messages, pa.binary())).to_pylist()
