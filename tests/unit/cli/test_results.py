"""How the values of an Arrow result become plain ones."""

from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from boathouse.cli.results import column_names, numeric_columns, plain_rows
from boathouse.engines.spark.query import Result


def result_of(*tables: Any) -> Result:
    return Result(tables[0].schema, iter(tables))


def plain(value: Any, kind: Any) -> Any:
    table = pa.table({"a": pa.array([value], kind)})
    [[made]] = plain_rows(result_of(table))
    return made


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (None, pa.binary(), None),
        (b"ab", pa.binary(), "0x6162"),
        (0.1, pa.float32(), 0.1),
        (float("nan"), pa.float64(), "NaN"),
        (float("-inf"), pa.float32(), "-Infinity"),
        (Decimal("1.20"), pa.decimal128(3, 2), Decimal("1.20")),
        ([("a", 1), ("b", None)], pa.map_(pa.string(), pa.int32()), {"a": 1, "b": None}),
        ([(1, b"x")], pa.map_(pa.int32(), pa.binary()), {"1": "0x78"}),
        ([b"x", None], pa.list_(pa.binary()), ["0x78", None]),
        ({"x": b"y", "z": None}, pa.struct({"x": pa.binary(), "z": pa.int32()}), {"x": "0x79", "z": None}),
        (86_400_000_000, pa.duration("us"), "1 day, 0:00:00"),
    ],
)
def test_a_value_becomes_plain(value: Any, kind: Any, expected: Any) -> None:
    assert plain(value, kind) == expected


def test_rows_come_from_all_batches_in_order() -> None:
    batches = [pa.table({"a": [1, 2]}), pa.table({"a": [3]})]
    assert list(plain_rows(result_of(*batches))) == [(1,), (2,), (3,)]


def test_a_batch_is_fetched_only_when_its_rows_are_asked_for() -> None:
    def batches() -> Any:
        yield pa.table({"a": [1]})
        raise AssertionError("the second batch was asked for")

    rows = plain_rows(Result(pa.schema({"a": pa.int64()}), batches()))
    assert next(rows) == (1,)


def test_columns_of_one_name_are_told_apart() -> None:
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2]), pa.array([3])], names=["a", "b", "a"])
    assert column_names(result_of(table)) == ["a", "b", "a (2)"]


def test_numbers_are_known_by_their_type() -> None:
    table = pa.table({"a": [1], "b": ["x"], "c": [Decimal("1.0")], "d": [True]})
    assert numeric_columns(result_of(table)) == [True, False, True, False]
