"""What ClickHouse is given of a followed table."""

from typing import Any
from unittest.mock import Mock

import pyarrow as pa
import pytest

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.judging import ChangesJudge
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import Speed as SpeedSpec
from boathouse.pipelines.stream.speed import Speed
from boathouse.pipelines.types import Primitive


def test_a_table_of_which_no_key_is_known_is_not_made() -> None:
    table = SourceTable("public.t", {"id": Primitive("long")}, (), "f")
    judge, warehouse, nobody = ChangesJudge(Followed({"t": table}, dict[str, SourceTable])), Mock(), Mock()
    speed: Any = Speed(nobody, judge, Meter(), SpeedSpec(database="d"), warehouse)
    # Ordered by nothing, all of its rows would be one.
    with pytest.raises(InvalidInput, match="has no key, so its rows cannot be told apart"):
        speed.tables.prepare(table)
    assert warehouse.mock_calls == []


@pytest.mark.parametrize(("problem", "tables"), [("is not UTF-8", []), (None, ["public.t"])])
def test_of_a_table_of_which_no_key_is_known_what_is_rejected_needs_none(
    problem: str | None, tables: list[str]
) -> None:
    table = SourceTable("public.t", {"id": Primitive("long")}, (), "f")
    judge, nobody = ChangesJudge(Followed({"t": table}, dict[str, SourceTable])), Mock()
    warehouse = Mock()
    warehouse.emptied.return_value = {}
    speed: Any = Speed(nobody, judge, Meter(), SpeedSpec(database="d"), warehouse)
    rows = pa.table({"topic": ["t"], "problem": pa.array([problem], pa.string())})
    assert [each.name for each, *_ in speed._by_table(rows)] == tables


@pytest.mark.parametrize("keyed", [True, False])
def test_where_rows_are_told_apart_a_key_is_looked_for_until_it_is_known(keyed: bool) -> None:  # noqa: FBT001
    table = SourceTable("public.t", {"id": Primitive("long")}, (), "f")
    followed = Followed({"t": table}, dict[str, SourceTable])
    judge = ChangesJudge(followed, keyed=keyed)
    # By Spark: what Arrow reads is not looked at again.
    assert (judge.lacks_keys(), judge.plain() is None, judge.quick() is None) == (keyed, keyed, keyed)
    followed.name_key("t", ["id"])
    assert not judge.lacks_keys()
    assert judge.plain() is not None
