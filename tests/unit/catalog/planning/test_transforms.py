"""Transforms and values of the types that generated tables do not have, beside pyiceberg's."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyiceberg.conversions import to_bytes
from pyiceberg.transforms import parse_transform
from pyiceberg.types import BinaryType, DecimalType, PrimitiveType, TimeType, UUIDType

from boathouse.catalog.planning.calendar import iso_date, iso_timestamp
from boathouse.catalog.planning.transforms import apply
from boathouse.catalog.planning.values import exact_decimal, from_bytes, from_json, to_json

DECIMALS = st.integers(-(10**30), 10**30).map(lambda whole: exact_decimal(whole, 4))


def theirs(transform: str, kind: PrimitiveType, value: Any) -> Any:
    found: Any = parse_transform(transform).transform(kind)
    return found(value)


@given(value=DECIMALS, transform=st.sampled_from(["bucket[7]", "truncate[50]"]))
def test_decimals(value: Decimal, transform: str) -> None:
    assert apply(transform, value, "decimal(38, 4)") == theirs(transform, DecimalType(38, 4), value)
    assert from_bytes(to_bytes(DecimalType(38, 4), value), "decimal(38, 4)") == value
    assert from_json(to_json(value, "decimal(38, 4)"), "decimal(38, 4)") == value


@given(value=st.binary(max_size=20), transform=st.sampled_from(["bucket[7]", "truncate[3]"]))
def test_binary(value: bytes, transform: str) -> None:
    assert apply(transform, value, "binary") == theirs(transform, BinaryType(), value)


@given(value=st.uuids())
def test_uuids(value: UUID) -> None:
    assert apply("bucket[7]", value.bytes, "uuid") == theirs("bucket[7]", UUIDType(), value.bytes)
    assert from_json(to_json(value.bytes, "uuid"), "uuid") == value.bytes


@given(value=st.integers(0, 86_399_999_999))
def test_times(value: int) -> None:
    assert apply("bucket[7]", value, "time") == theirs("bucket[7]", TimeType(), value)
    assert from_json(to_json(value, "time"), "time") == value


@given(value=st.integers(-(2**62), 2**62))
def test_moments_to_the_nanosecond(value: int) -> None:
    assert from_json(to_json(value, "timestamp_ns"), "timestamp_ns") == value
    assert apply("bucket[7]", value, "timestamp_ns") == apply("bucket[7]", value // 1000, "timestamp")
    assert apply("day", value, "timestamptz_ns") == value // (86_400 * 10**9)


def test_a_decimal_with_more_digits_than_its_column_has_no_bucket() -> None:
    assert apply("bucket[7]", Decimal("1.23456"), "decimal(9, 2)") is None
    assert apply("truncate[5]", Decimal("1.23456"), "decimal(9, 2)") is None


@pytest.mark.parametrize(("days", "text"), [(0, "1970-01-01"), (-719_529, "-0001-12-31"), (2_932_897, "+10000-01-01")])
def test_days_outside_of_pythons_calendar(days: int, text: str) -> None:
    assert iso_date(days) == text
    assert iso_timestamp(days * 86_400 * 10**6, 6) == f"{text}T00:00:00.000000"
