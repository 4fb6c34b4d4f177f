"""Sums in ClickHouse are those of the rows, whatever comes: rejected, late and repeated changes, and replays of them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from pydantic import SecretStr

from boathouse.kit.access import ClickHouseAccess
from boathouse.pipelines.stream.clickhouse import Warehouse
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.judging import ChangesJudge
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.postgres import SourceTable
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

    def judged(self) -> Row:
        op = "c" if self.before is None else "d" if self.after is None else "u"
        row = None if self.rejected else self.after or self.before
        problem = "cannot be read" if self.rejected else None
        place = {"topic": "t", "op": op, "key": f'{{"id":{self.key}}}', "partition": self.key % 2, "lsn": self.lsn}
        return {**place, "problem": problem, "source_at": _AT, "kafka_at": _AT, "row_0": row, "before_0": self.before}


class Judged(Speed):
    """Given what others judge."""

    def _judged(self, messages: Any) -> Any:
        return pa.Table.from_pylist([change.judged() for change in messages], schema=_SCHEMA)


@pytest.fixture(scope="module")
def access(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouseAccess]:
    with ClickHouseProcess(tmp_path_factory.mktemp("clickhouse"), "embedded") as server:
        yield ClickHouseAccess(uri=server.uri, user=USER, password=SecretStr(PASSWORD), database=DATABASE)


def _speed(access: ClickHouseAccess, table: str) -> Judged:
    rollup = {"name": f"{table}_sums", "table": f"public.{table}", "by": {"place": "place"}, "sums": {"kwh": "kwh"}}
    spec = SpeedSpec.model_validate({"database": "summed", "rollups": [rollup]})
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
