"""Partition transforms are read as people write them and sent as Iceberg names them."""

import pytest

from boathouse.pipelines.partitions import PartitionField, parse_partition, partition_spec
from boathouse.pipelines.types import Primitive, iceberg_schema


@pytest.mark.parametrize(
    ("text", "transform", "column", "name"),
    [
        ("region", "identity", "region", "region"),
        ("  region ", "identity", "region", "region"),
        ("month(sold_on)", "month", "sold_on", "sold_on_month"),
        ("Days( at )", "day", "at", "at_day"),
        ("year(at)", "year", "at", "at_year"),
        ("hours(at)", "hour", "at", "at_hour"),
        ("bucket(16, id)", "bucket[16]", "id", "id_bucket"),
        ("truncate(4,the name)", "truncate[4]", "the name", "the name_truncate"),
    ],
)
def test_a_transform_is_read(text: str, transform: str, column: str, name: str) -> None:
    field = parse_partition(text)
    assert (field.transform, field.column, field.name) == (transform, column, name)


@pytest.mark.parametrize(
    "text",
    ["", "a b", "week(at)", "month(3, at)", "bucket(id)", "bucket(0, id)", "bucket(-1, id)", "day()", "day(a(b))"],
)
def test_what_is_not_a_transform_is_refused_with_the_ones_there_are(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a partition: .*bucket\(n, column\), truncate\(n, column\)"):
        parse_partition(text)


def test_a_partition_spec_names_its_columns_by_id() -> None:
    schema = iceberg_schema({"id": Primitive("long"), "at": Primitive("timestamptz")})
    spec = partition_spec([PartitionField("day", "at"), PartitionField("identity", "id")], schema)
    assert spec == {
        "spec-id": 0,
        "fields": [
            {"name": "at_day", "transform": "day", "source-id": 2, "field-id": 1000},
            {"name": "id", "transform": "identity", "source-id": 1, "field-id": 1001},
        ],
    }


def test_a_table_without_partitions_has_a_spec_without_fields() -> None:
    assert partition_spec([], iceberg_schema({}))["fields"] == []
