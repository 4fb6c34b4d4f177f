"""Avro's schemas as columns."""

import pytest

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.stream.avro import record_columns
from boathouse.pipelines.types import Decimal, ListOf, MapOf, Primitive, Struct


def test_columns_of_a_record() -> None:
    inner = {"type": "record", "name": "inner", "fields": [{"name": "x", "type": "int"}]}
    schema = {
        "type": "record",
        "name": "event",
        "fields": [
            {"name": "id", "type": "long"},
            {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
            {"name": "amount", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
            {"name": "note", "type": ["null", "string"]},
            {"name": "tags", "type": {"type": "array", "items": "string"}},
            {"name": "more", "type": {"type": "map", "values": "double"}},
            {"name": "inner", "type": inner},
            {"name": "kind", "type": {"type": "enum", "name": "kind", "symbols": ["a"]}},
        ],
    }
    assert record_columns(schema) == {
        "id": Primitive("long"),
        "at": Primitive("timestamptz"),
        "amount": Decimal(9, 2),
        "note": Primitive("string"),
        "tags": ListOf(Primitive("string")),
        "more": MapOf(Primitive("string"), Primitive("double")),
        "inner": Struct((("x", Primitive("int")),)),
        "kind": Primitive("string"),
    }


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not a record"):
        record_columns({"type": "string"})
