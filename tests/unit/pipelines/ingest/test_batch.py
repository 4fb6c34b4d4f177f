"""Spark's schema becomes columns that a table can hold, or is refused by the column's name."""

import pytest
from pyspark.sql.types import ArrayType, DayTimeIntervalType, LongType, NullType, StringType, StructField, StructType

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.ingest.batch import columns_of
from boathouse.pipelines.types import ListOf, Primitive, Struct


def test_columns_keep_their_order_and_their_odd_names() -> None:
    inner = StructType([StructField("first name", StringType()), StructField("a:b,c>", LongType())])
    columns = columns_of(StructType([StructField("z z", LongType()), StructField("who", ArrayType(inner))]))
    assert list(columns) == ["z z", "who"]
    assert columns["who"] == ListOf(Struct((("first name", Primitive("string")), ("a:b,c>", Primitive("long")))))


@pytest.mark.parametrize("kind", [NullType(), DayTimeIntervalType(), ArrayType(NullType())])
def test_a_column_that_no_table_can_hold_is_refused_by_name(kind: NullType | DayTimeIntervalType | ArrayType) -> None:
    with pytest.raises(InvalidInput, match="The column 'x' cannot be written: a table cannot hold Spark's type"):
        columns_of(StructType([StructField("x", kind)]))
