"""A new table's metadata."""

from typing import Any

import pytest

from boathouse.catalog.errors import BadRequest, IllegalArgument, Validation
from boathouse.catalog.metadata.fields import Json
from boathouse.catalog.metadata.schemas import all_fields
from tests.unit.catalog.metadata.sample import LOCATION, NOW, SCHEMA, table


def struct(*fields: Json) -> Json:
    return {"type": "struct", "fields": list(fields)}


def column(field_id: int, name: str, kind: Any = "string", *, required: bool = False) -> Json:
    return {"id": field_id, "name": name, "required": required, "type": kind}


def test_a_new_table_has_one_of_everything_and_no_snapshot() -> None:
    metadata = table()
    assert metadata["format-version"] == 2
    assert metadata["location"] == LOCATION
    assert metadata["last-updated-ms"] == NOW
    assert metadata["last-sequence-number"] == 0
    assert metadata["schemas"] == [SCHEMA]
    assert metadata["partition-specs"] == [{"spec-id": 0, "fields": []}]
    assert metadata["last-partition-id"] == 999
    assert metadata["sort-orders"] == [{"order-id": 0, "fields": []}]
    assert metadata["current-snapshot-id"] == -1
    assert metadata["refs"] == {}


def test_field_ids_are_counted_a_level_at_a_time() -> None:
    inner = struct(column(71, "x"), column(72, "y"))
    pairs = {"type": "map", "key-id": 81, "key": "string", "value-id": 82, "value": inner, "value-required": False}
    many = {"type": "list", "element-id": 91, "element": "int", "element-required": True}
    schema = struct(column(50, "a"), column(60, "m", pairs), column(70, "l", many), column(40, "z"))
    ids = {field.name: field.id for field in all_fields(table(schema=schema)["schemas"][0])}
    assert ids == {
        "a": 1, "m": 2, "l": 3, "z": 4,
        "m.key": 5, "m.value": 6, "m.value.x": 7, "m.value.y": 8,
        "l.element": 9,
    }  # fmt: skip


def test_the_last_column_id_counts_nested_fields() -> None:
    schema = struct(column(1, "a", struct(column(2, "b", struct(column(3, "c"))))))
    assert table(schema=schema)["last-column-id"] == 3


def test_identifier_fields_follow_their_columns() -> None:
    schema = struct(column(9, "b"), column(5, "a", "long", required=True)) | {"identifier-field-ids": [5]}
    assert table(schema=schema)["schemas"][0]["identifier-field-ids"] == [2]


def test_what_is_not_known_about_a_column_is_kept() -> None:
    schema = struct({**column(7, "a"), "doc": "why", "x-colour": "blue"})
    assert table(schema=schema)["schemas"][0]["fields"][0] == {**column(1, "a"), "doc": "why", "x-colour": "blue"}


def test_partitions_and_order_follow_their_columns() -> None:
    schema = struct(column(30, "a", "long"), column(20, "day", "date"))
    spec = {"spec-id": 7, "fields": [{"source-id": 20, "field-id": 5000, "name": "month", "transform": "month"}]}
    order = {
        "order-id": 3,
        "fields": [{"source-id": 30, "transform": "identity", "direction": "asc", "null-order": "nulls-first"}],
    }
    metadata = table(schema=schema, partition_spec=spec, write_order=order)
    assert metadata["partition-specs"] == [
        {"spec-id": 0, "fields": [{"source-id": 2, "field-id": 1000, "name": "month", "transform": "month"}]}
    ]
    assert metadata["last-partition-id"] == 1000
    assert metadata["default-sort-order-id"] == 1
    assert metadata["sort-orders"][0]["order-id"] == 1
    assert metadata["sort-orders"][0]["fields"][0]["source-id"] == 1


def test_the_format_version_is_asked_for_as_a_property_and_kept_as_a_field() -> None:
    metadata = table(properties={"format-version": "3", "owner": "ann"})
    assert metadata["format-version"] == 3
    assert metadata["next-row-id"] == 0
    assert metadata["properties"] == {"owner": "ann", "write.parquet.compression-codec": "zstd"}


def test_a_v1_table_also_has_what_v1_readers_look_for() -> None:
    metadata = table(properties={"format-version": "1"})
    assert metadata["schema"] == metadata["schemas"][0]
    assert metadata["partition-spec"] == []
    assert "last-sequence-number" not in metadata


@pytest.mark.parametrize("version", ["0", "4", "-1", "two", "2.0"])
def test_a_version_that_is_not_supported_is_refused(version: str) -> None:
    with pytest.raises(IllegalArgument):
        table(properties={"format-version": version})


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "struct"},
        {"type": "list", "fields": []},
        {"type": "struct", "fields": "none"},
        struct(column(1, "a", "money")),
        struct(column(1, "a", {"type": "tuple"})),
        struct(column(1, "a", None)),
        struct(column(1, "a", {"type": "list", "element-id": 2, "element": "int"})),
        struct({"id": "1", "name": "a", "required": True, "type": "int"}),
        struct({"id": 1, "required": True, "type": "int"}),
        struct({"id": True, "name": "a", "required": True, "type": "int"}),
        struct({"id": 2**40, "name": "a", "required": True, "type": "int"}),
    ],
)
def test_what_is_no_schema_is_refused(schema: Json) -> None:
    with pytest.raises(BadRequest):
        table(schema=schema)


def test_a_schema_nested_beyond_reason_is_refused() -> None:
    kind: Any = "int"
    for depth in range(500):
        kind = {"type": "list", "element-id": depth + 10, "element": kind, "element-required": True}
    with pytest.raises(BadRequest, match="nested deeper"):
        table(schema=struct(column(1, "a", kind)))


@pytest.mark.parametrize(
    "schema",
    [
        struct(column(1, "a"), column(1, "b")),
        struct(column(1, "a"), column(2, "a")),
        struct(column(1, "a")) | {"identifier-field-ids": [9]},
        struct(column(1, "a")) | {"identifier-field-ids": [1]},
        struct(column(1, "a", struct(column(2, "b")), required=True)) | {"identifier-field-ids": [1]},
        struct(column(1, "a", "variant")),
        struct(column(1, "a", "timestamp_ns")),
        struct({**column(1, "a"), "initial-default": "x"}),
    ],
)
def test_a_schema_that_contradicts_itself_or_its_version_is_refused(schema: Json) -> None:
    with pytest.raises(IllegalArgument):
        table(schema=schema)


@pytest.mark.parametrize("kind", ["variant", "timestamp_ns", "unknown", "geometry(srid:4326)", "geography"])
def test_v3_tables_may_have_v3_types(kind: str) -> None:
    assert table(schema=struct(column(1, "a", kind)), properties={"format-version": "3"})["last-column-id"] == 1


@pytest.mark.parametrize(
    ("field", "error"),
    [
        ({"source-id": 9, "name": "p", "transform": "identity"}, IllegalArgument),
        ({"source-id": 1, "name": "p", "transform": "month"}, Validation),
        ({"source-id": 2, "name": "p", "transform": "hour"}, Validation),
        ({"source-id": 1, "name": "note", "transform": "identity"}, IllegalArgument),
        ({"source-id": 2, "name": "day", "transform": "month"}, IllegalArgument),
        ({"source-id": 1, "name": "", "transform": "identity"}, IllegalArgument),
        ({"source-id": 1, "transform": "identity"}, BadRequest),
        ({"name": "p", "transform": "identity"}, BadRequest),
    ],
)
def test_a_partition_that_cannot_be_made_is_refused(field: Json, error: type[Exception]) -> None:
    with pytest.raises(error):
        table(partition_spec={"fields": [field]})


@pytest.mark.parametrize(
    "field",
    [
        {"source-id": 1, "transform": "identity", "direction": "up", "null-order": "nulls-first"},
        {"source-id": 1, "transform": "identity", "direction": "asc", "null-order": "maybe"},
        {"source-id": 1, "direction": "asc", "null-order": "nulls-first"},
    ],
)
def test_an_order_that_cannot_be_read_is_refused(field: Json) -> None:
    with pytest.raises(BadRequest):
        table(write_order={"order-id": 1, "fields": [field]})
