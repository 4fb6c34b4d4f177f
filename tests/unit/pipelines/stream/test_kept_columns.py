"""What ClickHouse has is known before anything is written to it, and it need not be there before."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from pydantic import SecretStr

from boathouse.kit.access import ClickHouseAccess
from boathouse.kit.errors import Unavailable
from boathouse.pipelines.specs import parse_any
from boathouse.pipelines.stream import source
from boathouse.pipelines.stream.clickhouse_tables import OWN
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.judging import ChangesJudge
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.spec import StreamSpec
from boathouse.pipelines.stream.speed import Speed
from boathouse.pipelines.types import Primitive

SPEC = """
pipeline: p
source: {kind: kafka, topics: [x.public.a, x.public.b], format: debezium}
bronze: {table: log.changes}
speed: {database: d}
"""
NOT_ASKED: Any = None
NO_LOG: Any = Mock(find_table=Mock(return_value=None))


class Warehouse:
    """With two tables; whoever opens it is noted."""

    opened = 0
    closed = 0

    def __init__(self, access: ClickHouseAccess, database: str) -> None:
        Warehouse.opened += 1

    def has_table(self, name: str) -> bool:
        return name in ("a", "b")

    def columns(self, name: str) -> dict[str, str]:
        return {"id": "Int64", f"of_{name}": "Nullable(Float64)", **OWN}

    def close(self) -> None:
        Warehouse.closed += 1


def _context(said: list[str]) -> StreamContext:
    spec = parse_any(SPEC, "spec.yaml")
    assert isinstance(spec, StreamSpec)
    nobody = ClickHouseAccess(uri="http://127.0.0.1:1", user="u", password=SecretStr("any"), database="default")
    access: Any = SimpleNamespace(clickhouse=nobody)
    return StreamContext(spec, NOT_ASKED, access, said.append)


def test_tables_are_asked_for_their_columns_by_one_client_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "Warehouse", Warehouse)
    monkeypatch.setattr(Warehouse, "opened", 0)
    monkeypatch.setattr(Warehouse, "closed", 0)
    judge = source.judge_of(_context([]), NO_LOG)
    assert isinstance(judge, ChangesJudge)
    assert judge.followed.now()["x.public.b"].columns == {"id": Primitive("long"), "of_b": Primitive("double")}
    assert (Warehouse.opened, Warehouse.closed) == (1, 1)


def test_a_stream_begins_while_clickhouse_is_away_and_takes_its_columns_before_it_writes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    context = _context(said)
    judge = source.judge_of(context, NO_LOG)
    assert isinstance(judge, ChangesJudge)
    (told,) = said
    assert told.startswith("ClickHouse at ")
    assert told.endswith("What its tables have is looked up before anything is written there")
    assert context.spec.speed is not None
    speed = Speed(context, judge, Meter(), context.spec.speed, NOT_ASKED)
    with pytest.raises(Unavailable):
        speed.start()
    with pytest.raises(Unavailable):
        speed.insert_late(NOT_ASKED, "of a replay")
    monkeypatch.setattr(source, "Warehouse", Warehouse)
    # It goes no further than that: there is nothing else here.
    with pytest.raises(AttributeError):
        speed.start()
    known = judge.followed.now()["x.public.a"]
    assert (known.columns, known.key) == ({"id": Primitive("long"), "of_a": Primitive("double")}, ("id",))
