"""Sums in ClickHouse are those of the rows, whatever comes: rejected, late and repeated changes, and replays of them."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from pydantic import SecretStr

from boathouse.kit.access import ClickHouseAccess
from boathouse.kit.deadletters.book import Place
from boathouse.kit.deadletters.ledger import UNTOUCHED
from boathouse.kit.ids import new_uuid
from boathouse.pipelines.stream import speed as speed_module
from boathouse.pipelines.stream.clickhouse import Warehouse
from boathouse.pipelines.stream.clickhouse_tables import (
    REMEMBERED,
    alterations,
    columns_of,
    count_beside,
    create_rollup,
    create_table,
)
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.judging import ChangesJudge, EventsJudge
from boathouse.pipelines.stream.letters import Letter
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.replay import StreamReplay
from boathouse.pipelines.stream.spec import Rollup, StreamSpec
from boathouse.pipelines.stream.spec import Speed as SpeedSpec
from boathouse.pipelines.stream.speed import Speed
from boathouse.pipelines.types import parse_type
from tests.integration.clickhouse_process import DATABASE, PASSWORD, USER, ClickHouseProcess

_ROW = pa.struct([("id", pa.int64()), ("place", pa.string()), ("kwh", pa.int64())])
_KINDS = {"id": parse_type("long"), "place": parse_type("string"), "kwh": parse_type("long")}
_AT = datetime(2026, 1, 3, tzinfo=UTC)
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("topic", "op", "key", "problem")),
        ("lsn", pa.int64()),
        ("place", pa.int64()),
        ("partition", pa.int32()),
        ("source_at", pa.timestamp("us", "UTC")),
        ("kafka_at", pa.timestamp("us", "UTC")),
        ("row_0", _ROW),
        ("before_0", _ROW),
    ]
)
Row = dict[str, Any]


@dataclass(frozen=True)
class Change:
    lsn: int
    key: int
    before: Row | None
    after: Row | None
    rejected: bool = False
    op: str | None = None
    """Where rows do not tell."""
    place: int | None = None
    """Where it counts, if that is not where it is in the log."""

    def judged(self) -> Row:
        op = self.op or ("c" if self.before is None else "d" if self.after is None else "u")
        row = None if self.rejected else self.after or self.before
        problem = "cannot be read" if self.rejected else None
        origin = {"topic": "t", "op": op, "key": f'{{"id":{self.key}}}', "partition": self.key % 2}
        place = {"lsn": self.lsn, "place": self.place or self.lsn}
        return {
            **origin,
            **place,
            "problem": problem,
            "source_at": _AT,
            "kafka_at": _AT,
            "row_0": row,
            "before_0": self.before,
        }


class Judged(Speed):
    """Given what others judge."""

    def _judged(self, messages: Any) -> Any:
        return pa.Table.from_pylist([change.judged() for change in messages], schema=_SCHEMA)


@pytest.fixture(scope="module")
def access(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouseAccess]:
    with ClickHouseProcess(tmp_path_factory.mktemp("clickhouse"), "embedded") as server:
        yield ClickHouseAccess(uri=server.uri, user=USER, password=SecretStr(PASSWORD), database=DATABASE)


def _speed(access: ClickHouseAccess, table: str, *rollups: str) -> Judged:
    """With sums of these names."""
    of_table = {"table": f"public.{table}", "by": {"place": "place"}, "sums": {"kwh": "kwh"}}
    made = [{"name": name, **of_table} for name in rollups or [f"{table}_sums"]]
    spec = SpeedSpec.model_validate({"database": "summed", "rollups": made})
    tables = {"t": SourceTable(f"public.{table}", _KINDS, ("id",), "f")}
    judge = ChangesJudge(Followed(tables, lambda: tables))
    context: Any = None
    return Judged(context, judge, Meter(), spec, Warehouse(access, "summed"))


@pytest.mark.parametrize("seed", range(6))
def test_sums_are_those_of_the_rows_whatever_comes(access: ClickHouseAccess, seed: int) -> None:
    chance, table = random.Random(seed), f"readings_{seed}"
    history = list(_history(chance))
    sent = [change for change in history for _ in range(2 if chance.random() < 0.05 else 1)]
    for _ in range(10):
        # One of those that went before once more, where nobody expects it.
        place = chance.randrange(1, len(sent))
        sent.insert(place, sent[chance.randrange(place)])
    speed = _speed(access, table)
    for number, start in enumerate(range(0, len(sent), 20)):
        if number == 5:
            # Another process, which knows only what is written down.
            speed = _speed(access, table)
        batch: Any = sent[start : start + 20]
        for _ in range(2 if chance.random() < 0.2 else 1):
            speed.insert(batch, f"{table}/{number}")
        speed.sums.settle()
        if number == 7:
            rejected = [one for one in sent[: start + 20] if one.rejected]
            mended: Any = [Change(one.lsn, one.key, one.before, one.after) for one in rejected]
            # By a process of its own.
            _speed(access, table).insert_late(mended, f"{table}/replay")
    _settled(speed)
    query = f"SELECT place, toInt64(sum(rows)), toInt64(sum(kwh)) FROM summed.{table}_sums GROUP BY place HAVING sum(rows) <> 0"
    right = f"SELECT place, toInt64(count()), toInt64(sum(kwh)) FROM summed.{table} FINAL GROUP BY place"
    assert sorted(_ask(speed, query)) == sorted(_ask(speed, right))
    assert len(_ask(speed, right)) > 1
    keys = {one.judged()["key"] for one in history if one.rejected}
    assert {key for name, key in speed.warehouse.odd() if name == f"public.{table}"} <= keys


def test_sums_of_nothing_are_none(access: ClickHouseAccess) -> None:
    speed = _speed(access, "emptied")
    row = {"id": 1, "place": "here", "kwh": 5}
    changes: Any = [Change(1, 1, None, row), Change(2, 1, row, None), Change(1, 1, None, row)]
    speed.insert(changes, "emptied/1")
    _settled(speed)
    assert _ask(speed, "SELECT * FROM summed.emptied_sums") == []


def test_a_new_rollup_counts_the_rows_that_are_there(access: ClickHouseAccess) -> None:
    row = {"id": 1, "place": "here", "kwh": 5}
    first: Any = [Change(1, 1, None, row), Change(2, 2, None, {**row, "id": 2})]
    _speed(access, "grown").insert(first, "grown/1")
    speed = _speed(access, "grown", "grown_sums", "grown_more_sums")
    second: Any = [Change(3, 1, row, {**row, "kwh": 7})]
    speed.insert(second, "grown/2")
    speed.sums.settle()
    for name in ("grown_sums", "grown_more_sums"):
        assert _ask(speed, f"SELECT place, sum(rows), sum(kwh) FROM summed.{name} GROUP BY place") == [("here", 2, 12)]


def test_a_new_rollup_of_events_counts_those_that_are_there(access: ClickHouseAccess) -> None:
    _speed_of_events(access, "events").insert(_events((0, 0, _AT, 0)), "events/0")
    speed = _speed_of_events(access, "events", "of_events")
    for number in (1, 2):
        speed.insert(_events((0, number, _AT, number)), f"events/{number}")
        speed.sums.settle()
    assert _ask(speed, "SELECT sum(rows), sum(kwh) FROM summed.of_events") == [(3, 0 + 1 + 2)]


@pytest.mark.parametrize("keys", [[], ["meter"]], ids=["counted anew", "known by their tokens"])
def test_replayed_events_are_counted_once_however_often_the_replay_is_tried(
    access: ClickHouseAccess, monkeypatch: pytest.MonkeyPatch, keys: list[str]
) -> None:
    """Of those that are counted anew there may be more than ClickHouse knows inserts again, and others in between."""
    table, count = f"replayed_{len(keys)}", 20 if keys else REMEMBERED + 1
    stream = _speed_of_events(access, table, f"of_{table}", keys=keys)
    stream.insert(_events((0, 0, _AT, 5)), f"{table}/0")
    stream.sums.settle()
    letters: Any = [
        Letter(Place(f"{table}/{number}", "", "", number, "", _AT, "", 0, UNTOUCHED), b"1", None, _AT)
        for number in range(1, count + 1)
    ]
    monkeypatch.setattr(speed_module, "Speed", JudgedEvents)
    for _ in range(2):
        Replayed(access, stream.judge)._to_clickhouse(letters)
    _settled(stream)
    assert _ask(stream, f"SELECT sum(rows), sum(kwh) FROM summed.of_{table}") == [(1 + count, 5 + count)]


class Replayed(StreamReplay):
    """Of letters that are nothing but how much it was."""

    def __init__(self, access: ClickHouseAccess, judge: Any) -> None:
        own: Any = SimpleNamespace(spec=judge.spec, access=SimpleNamespace(clickhouse=access))
        self._context, self._judge, self._inserted = own, judge, set()

    def _messages(self, letters: Sequence[Letter]) -> Any:
        return _events(*((0, one.place.line or 0, one.kafka_at, int(one.raw or b"")) for one in letters))


def test_the_later_of_two_events_counts_whatever_their_partitions_and_offsets(access: ClickHouseAccess) -> None:
    speed = _speed_of_events(access, "keyed", keys=["meter"])
    second = timedelta(seconds=1)
    first = _events((0, 5_000_000, _AT, 1))
    speed.insert(first, "keyed/1")
    assert _ask(speed, "SELECT kwh FROM summed.keyed FINAL") == [(1,)]
    # As rows were before: by the offset alone.
    speed.warehouse.commands(
        [
            "CREATE TABLE summed.keyed_before AS summed.keyed",
            "INSERT INTO summed.keyed_before SELECT * REPLACE (toUInt64(offset) AS _lsn, _lsn AS _place) FROM summed.keyed",
            "EXCHANGE TABLES summed.keyed_before AND summed.keyed",
        ]
    )
    for number, events in enumerate(
        [
            _events((1, 3, _AT + second, 2), (0, 5_000_001, _AT, 3)),
            _events((0, 5_000_002, _AT + second / 2, 4)),
        ]
    ):
        speed.insert(events, f"keyed/more/{number}")
    assert _ask(speed, "SELECT kwh FROM summed.keyed FINAL") == [(2,)]
    speed.insert(_events((1, 5, _AT + second, 6), (1, 4, _AT + second, 5)), "keyed/last")
    assert _ask(speed, "SELECT kwh FROM summed.keyed FINAL") == [(6,)]


def test_what_comes_again_after_a_restart_is_counted_once(access: ClickHouseAccess) -> None:
    row = {"id": 1, "place": "here", "kwh": 5}
    created: Any = [Change(10, 1, None, row)]
    _speed(access, "repeated").insert(created, "repeated/1")
    speed = _speed(access, "repeated")
    news: Any = [Change(11, 1, row, {**row, "kwh": 6})]
    speed.insert(news, "repeated/2")
    # Where it can be told that nothing comes again, nothing is counted anew.
    assert not [mark for mark in speed.warehouse.odd() if mark[0] == "public.repeated"]
    speed = _speed(access, "repeated")
    speed.insert(created + news, "repeated/3")
    speed.sums.settle()
    assert _ask(speed, "SELECT sum(rows), sum(kwh) FROM summed.repeated_sums") == [(1, 6)]


def test_a_rejected_change_counts_for_nothing_also_where_its_row_changes_within_the_same_batch(
    access: ClickHouseAccess,
) -> None:
    five, seven, unfit = ({"id": 1, "place": "here", "kwh": kwh} for kwh in (5, 7, None))
    speed = _speed(access, "together")
    batches = [
        ([Change(1, 1, None, unfit, rejected=True), Change(2, 1, unfit, five)], (1, 5)),
        ([Change(3, 1, five, unfit, rejected=True), Change(4, 1, unfit, seven)], (1, 7)),
        ([Change(5, 1, seven, five), Change(6, 1, five, unfit, rejected=True)], (1, 5)),
        ([Change(7, 1, unfit, seven)], (1, 7)),
    ]
    for number, (batch, right) in enumerate(batches):
        given: Any = batch
        speed.insert(given, f"together/{number}")
        _settled(speed)
        assert _ask(speed, "SELECT sum(rows), sum(kwh) FROM summed.together_sums") == [right]


def test_a_snapshot_that_is_begun_anew_is_counted_once(access: ClickHouseAccess) -> None:
    speed = _speed(access, "shot")
    for lsn in (10, 10, 20):
        rows: Any = [Change(lsn, 1, None, {"id": 1, "place": "here", "kwh": 5}, op="r")]
        speed.insert(rows, f"shot/{new_uuid()}")
    speed.sums.settle()
    assert _ask(speed, "SELECT sum(rows), sum(kwh) FROM summed.shot_sums") == [(1, 5)]


def test_values_stay_where_a_column_has_become_narrower(access: ClickHouseAccess) -> None:
    """As when its table in the lake, which keeps the type that it had, was dropped."""

    def table(kinds: Row) -> SourceTable:
        return SourceTable("public.narrower", {name: parse_type(kind) for name, kind in kinds.items()}, ("id",), "f")

    old = {"id": "long", "text": "string", "code": "string", "day": "string", "count": "long", "more": "int"}
    new = {"id": "long", "text": "int", "code": "boolean", "day": "date", "count": "int", "more": "long"}
    warehouse = Warehouse(access, "summed")
    warehouse.make()
    warehouse.commands([create_table("summed", table(old))])
    own = {"_lsn": pa.array([1], pa.uint64()), "_kafka_at": pa.array([_AT], pa.timestamp("us", "UTC"))}
    first = {"id": [1], "text": ["one"], "code": ["x"], "day": ["today"], "count": [2**40], "more": [1]}
    warehouse.insert("narrower", pa.table({**first, **own}), "narrower/1")
    warehouse.commands(alterations("summed", "narrower", columns_of(table(new)), warehouse.columns("narrower")))
    then = {"id": [2], "text": [7], "code": [True], "day": [_AT.date()], "count": [8], "more": [2**40]}
    warehouse.insert("narrower", pa.table({**then, **own}), "narrower/2")
    asked = warehouse._open().query("SELECT text, code, day, count, more FROM summed.narrower ORDER BY id")
    assert list(asked.result_rows) == [("one", "x", "today", 2**40, 1), ("7", "true", "2026-01-03", 8, 2**40)]


def test_what_was_committed_later_counts_although_it_was_written_before(access: ClickHouseAccess) -> None:
    """As a row's insert is that waits for its key, or any change of a transaction that others overtake."""
    here = {"place": "here", "kwh": 1}
    old, new, gone = {"id": 1, **here}, {"id": 1, **here, "kwh": 2}, {"id": 2, **here}
    speed, table = _speed(access, "overtaken"), "SELECT id, kwh FROM summed.overtaken FINAL"
    batches: list[Any] = [
        [Change(10, 1, None, old)],
        [Change(30, 1, old, None)],
        # Written at 20, in a transaction that ended after the one of 30, which ended at 40.
        [Change(20, 1, None, new, place=40)],
        # In one transaction, which others overtook: it comes, and goes.
        [Change(21, 2, None, gone, place=40)],
        [Change(22, 2, gone, None, place=40)],
    ]
    for number, batch in enumerate(batches):
        speed.insert(batch, f"overtaken/{number}")
    assert _ask(speed, table) == [(1, 2)]
    # Nothing of it is late, so nothing had to be counted anew.
    assert "public.overtaken" not in {name for name, _ in speed.warehouse.odd()}
    assert _ask(speed, "SELECT sum(rows), sum(kwh) FROM summed.overtaken_sums") == [(1, 2)]
    # Once more, it is.
    again: Any = [Change(21, 2, None, gone, place=40)]
    speed.insert_late(again, "overtaken/late")
    assert _ask(speed, table) == [(1, 2)]


def test_a_table_emptied_in_a_transaction_has_what_that_wrote_afterwards(access: ClickHouseAccess) -> None:
    speed = _speed(access, "refilled")
    rows = [{"id": number, "place": "here", "kwh": number} for number in range(3)]
    emptied = Change(22, 0, None, None, op="t", place=40)
    batches: list[Any] = [
        [Change(10, 0, None, rows[0]), Change(21, 1, None, rows[1], place=40)],
        [emptied, Change(23, 2, None, rows[2], place=40)],
    ]
    for number, batch in enumerate(batches):
        speed.insert(batch, f"refilled/{number}")
    assert _ask(speed, "SELECT id FROM summed.refilled FINAL") == [(2,)]
    late: Any = [Change(21, 1, None, rows[1], place=40)]
    speed.insert_late(late, "refilled/late")
    assert _ask(speed, "SELECT id FROM summed.refilled FINAL") == [(2,)]


@pytest.mark.parametrize("untold", ["changed", "gone"])
def test_sums_are_counted_anew_after_a_change_that_does_not_tell_what_the_row_was(
    access: ClickHouseAccess, untold: str
) -> None:
    here = {"id": 1, "place": "here", "kwh": 5}
    # As without REPLICA IDENTITY FULL.
    change = {
        "changed": Change(2, 1, None, {**here, "kwh": 7}, op="u"),
        "gone": Change(2, 1, {"id": 1, "place": None, "kwh": None}, None),
    }[untold]
    speed, other = _speed(access, f"untold_{untold}"), Change(1, 2, None, {**here, "id": 2})
    batches: list[Any] = [[Change(1, 1, None, here), other], [change]]
    for number, batch in enumerate(batches):
        speed.insert(batch, f"untold/{untold}/{number}")
        _settled(speed)
    right = {"changed": [("here", 2, 12)], "gone": [("here", 1, 5)]}[untold]
    sums = f"SELECT place, sum(rows), sum(kwh) FROM summed.untold_{untold}_sums GROUP BY place HAVING sum(rows) <> 0"
    assert _ask(speed, sums) == right


def test_dates_beyond_those_of_clickhouse_stand_at_its_ends_in_rows_and_sums(access: ClickHouseAccess) -> None:
    days = [2932896, -719162, 10**8, -(10**8)]
    kinds = {"id": "long", "day": "date", "days": "array<date>", "at": "timestamp_ntz"}
    table = SourceTable("public.dated", {name: parse_type(kind) for name, kind in kinds.items()}, ("id",), "f")
    rollup = Rollup(name="dated_sums", by={"day": "toDate(day)"})
    warehouse = Warehouse(access, "summed")
    warehouse.make()
    warehouse.commands([create_table("summed", table), *create_rollup("summed", table, rollup)])
    rows = {
        "id": pa.array(range(4), pa.int64()),
        "day": pa.array(days, pa.date32()),
        "days": pa.array([[day] for day in days], pa.list_(pa.date32())),
        "at": pa.array([day * 86_400_000_000 for day in days], pa.timestamp("us")),
    }
    own = {"_lsn": pa.array(range(4), pa.uint64()), "_kafka_at": pa.array([_AT] * 4, pa.timestamp("us", "UTC"))}
    warehouse.insert("dated", pa.table({**rows, **own}), "dated")
    warehouse.insert("dated__deltas", pa.table({**rows, "_sign": pa.array([1] * 4, pa.int8())}), "dated")
    asked = warehouse._open().query("SELECT toString(day), toString(days[1]), toYear(at) FROM summed.dated ORDER BY id")
    ends = [("9999-12-31", 9999), ("0001-01-01", 1), ("9999-12-31", 9999), ("0000-01-01", 0)]
    assert list(asked.result_rows) == [(day, day, year) for day, year in ends]
    sums = "SELECT toString(day), sum(rows) FROM summed.{} GROUP BY day ORDER BY day"
    warehouse.commands(count_beside("summed", table, rollup))
    counted = list(warehouse._open().query(sums.format("dated_sums__rebuilt")).result_rows)
    assert counted == list(warehouse._open().query(sums.format("dated_sums")).result_rows)
    assert [count for _, count in counted] == [2, 2]


def test_a_rollup_may_call_its_columns_as_those_of_the_source(access: ClickHouseAccess) -> None:
    kinds = {"id": "long", "read_at": "timestamp_ntz", "rows": "long"}
    table = SourceTable("public.named", {name: parse_type(kind) for name, kind in kinds.items()}, ("id",), "f")
    evening = "if(toHour(read_at) >= 18, 1, 0)"
    rollup = Rollup(name="named_sums", by={"read_at": "toDate(read_at)"}, sums={"evening": evening, "id": "rows"})
    warehouse = Warehouse(access, "summed")
    warehouse.make()
    warehouse.commands([create_table("summed", table), *create_rollup("summed", table, rollup)])
    hours = [datetime(2026, 1, 3, hour, tzinfo=UTC) for hour in (1, 17, 18, 23)]
    rows = {"id": pa.array(range(4), pa.int64()), "read_at": pa.array(hours, pa.timestamp("us")), "rows": [7] * 4}
    own = {"_lsn": pa.array(range(4), pa.uint64()), "_kafka_at": pa.array([_AT] * 4, pa.timestamp("us", "UTC"))}
    warehouse.insert("named", pa.table({**rows, **own}), "named")
    warehouse.insert("named__deltas", pa.table({**rows, "_sign": pa.array([1] * 4, pa.int8())}), "named")
    warehouse.commands(count_beside("summed", table, rollup))
    for name in ("named_sums", "named_sums__rebuilt"):
        asked = warehouse._open().query(f"SELECT toString(read_at), rows, evening, id FROM summed.{name}")
        assert list(asked.result_rows) == [("2026-01-03", 4, 2, 28)]


_EVENT = pa.struct(
    [
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("offset", pa.int64()),
        ("kafka_at", pa.timestamp("us", "UTC")),
        ("key", pa.string()),
        ("meter", pa.int64()),
        ("kwh", pa.int64()),
    ]
)


class JudgedEvents(Speed):
    """Given rows."""

    def _judged(self, messages: Any) -> Any:
        own = [(row["offset"], row["kafka_at"], row) for row in messages]
        told = [{"op": "c", "lsn": lsn, "source_at": at, "kafka_at": at, "row_0": row} for lsn, at, row in own]
        schema = _SCHEMA.remove(_SCHEMA.get_field_index("before_0"))
        return pa.Table.from_pylist(told, schema=schema.set(schema.get_field_index("row_0"), pa.field("row_0", _EVENT)))


def _events(*given: tuple[int, int, datetime, int]) -> Any:
    """By partition, offset, when, and how much; all of one meter."""
    names = ("partition", "offset", "kafka_at", "kwh")
    return [{"topic": "t", "key": None, "meter": 1, **dict(zip(names, one, strict=True))} for one in given]


def _speed_of_events(access: ClickHouseAccess, table: str, *rollups: str, keys: Sequence[str] = ()) -> JudgedEvents:
    made = [{"name": name, "by": {"topic": "topic"}, "sums": {"kwh": "kwh"}} for name in rollups]
    spec = StreamSpec.model_validate(
        {
            "pipeline": "events",
            "source": {"kind": "kafka", "topics": ["t"], "format": "json"},
            "schema": {"meter": "long", "kwh": "long"},
            "keys": list(keys),
            "bronze": {"table": f"log.{table}"},
            "speed": {"database": "summed", "rollups": made},
        }
    )
    assert spec.speed is not None
    context: Any = None
    return JudgedEvents(context, EventsJudge(spec), Meter(), spec.speed, Warehouse(access, "summed"))


def test_an_emptied_table_stays_empty_whatever_comes_later_of_before(access: ClickHouseAccess) -> None:
    here, there = ({"id": number, "place": "here", "kwh": 1} for number in (1, 2))
    kept = {"id": 4, "place": "there", "kwh": 3}
    speed = _speed(access, "cleared")
    batches: list[Any] = [
        # The one with an even key comes by the other partition, ahead of when all was emptied.
        [Change(10, 1, None, here), Change(30, 4, None, kept)],
        [Change(20, 0, None, None, op="t"), Change(11, 1, here, {**here, "kwh": 2})],
        [Change(12, 2, None, there)],
    ]
    for number, batch in enumerate(batches):
        speed.insert(batch, f"cleared/{number}")
        speed.sums.settle()
    late: Any = [Change(13, 3, None, {**here, "id": 3}), Change(5, 0, None, None, op="t")]
    # By processes of their own.
    _speed(access, "cleared").insert_late(late, "cleared/replay")
    again = _speed(access, "cleared")
    again.insert(batches[2], "cleared/again")
    _settled(again)
    assert _ask(again, "SELECT id FROM summed.cleared FINAL") == [(4,)]
    sums = "SELECT place, sum(rows), sum(kwh) FROM summed.cleared_sums GROUP BY place HAVING sum(rows) <> 0"
    assert _ask(again, sums) == [("there", 1, 3)]


def test_more_keys_are_forgotten_than_a_statement_may_name_and_longer_ones(access: ClickHouseAccess) -> None:
    warehouse = Warehouse(access, "forgetful")
    warehouse.make()
    longest = 256 * 1024
    texts = ["", "'", "\\", "ü", "%s", "a\0b", "x" * longest, *map(str, range(longest // 64))]
    marks = [("public.t", f'{{"id":"{text}"}}') for text in texts]
    others = {("public.t", '{"id":"other"}'), ("public.u", marks[0][1])}
    warehouse.note_odd([*marks, *others])
    warehouse.forget_odd(marks)
    assert warehouse.odd() == others
    warehouse.forget_odd([])
    assert warehouse.odd() == others


def _history(chance: random.Random) -> Iterator[Change]:
    rows: dict[int, Row] = {}
    for lsn in range(1, 301):
        key = chance.randrange(12)
        before = rows.get(key)
        gone = before is not None and chance.random() < 0.2
        after = None if gone else {"id": key, "place": chance.choice("abc"), "kwh": chance.randrange(100)}
        yield Change(lsn, key, before, after, rejected=chance.random() < 0.05)
        rows.pop(key, None)
        if after is not None:
            rows[key] = after


def _settled(speed: Speed) -> None:
    """As if time had passed."""
    speed.sums._again_at = speed.sums._look_at = 0
    speed.sums.settle()


def _ask(speed: Speed, query: str) -> list[Any]:
    return list(speed.warehouse._open().query(query).result_rows)
