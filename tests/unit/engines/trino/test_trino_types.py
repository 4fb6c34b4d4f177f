"""Trino's types in Arrow."""

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from boathouse.engines.trino.types import typed


def signature(name: str, *arguments: Any) -> dict[str, Any]:
    return {"rawType": name, "arguments": [{"value": argument} for argument in arguments]}


@pytest.mark.parametrize(
    ("told", "value", "arrow", "read"),
    [
        (signature("real"), "NaN", pa.float32(), None),
        (signature("timestamp", 9), "2026-01-31 00:00:00.123456789", pa.timestamp("ns"), 1769817600123456789),
        (
            signature("timestamp", 12),
            "2026-01-31 00:00:00.123456789012",
            pa.string(),
            "2026-01-31 00:00:00.123456789012",
        ),
        (
            signature("timestamp with time zone", 9),
            "1969-12-31 23:59:59.500000001 UTC",
            pa.timestamp("ns", "UTC"),
            -499_999_999,
        ),
        (
            signature("timestamp with time zone", 3),
            "2026-07-01 12:00:00.000 Europe/Zurich",
            pa.timestamp("us", "UTC"),
            datetime(2026, 7, 1, 10, tzinfo=UTC),
        ),
        (
            signature("timestamp with time zone", 0),
            "2026-07-01 12:00:00 -03:30",
            pa.timestamp("us", "UTC"),
            datetime(2026, 7, 1, 15, 30, tzinfo=UTC),
        ),
        (signature("time", 9), "01:02:03.123456789", pa.string(), "01:02:03.123456789"),
        (signature("HyperLogLog"), "AgwB", pa.string(), "AgwB"),
        (signature("map", signature("boolean"), signature("date")), {"false": None}, None, [(False, None)]),
        (
            signature("row", {"typeSignature": signature("bigint")}, {"typeSignature": signature("varchar")}),
            [1, "a"],
            pa.struct([("field0", pa.int64()), ("field1", pa.string())]),
            {"field0": 1, "field1": "a"},
        ),
    ],
)
def test_a_value_is_read_as_its_type(told: dict[str, Any], value: Any, arrow: Any, read: Any) -> None:
    kind = typed(told)
    if arrow is not None:
        assert kind.arrow == arrow
    if read is not None:
        assert kind.of(value) == read
    assert kind.array([value, None]).null_count == 1


def test_fields_of_a_row_that_share_a_name_are_told_apart() -> None:
    field = {"fieldName": {"name": "a"}, "typeSignature": signature("bigint")}
    assert typed(signature("row", field, field)).of([1, 2]) == {"a": 1, "field1": 2}
