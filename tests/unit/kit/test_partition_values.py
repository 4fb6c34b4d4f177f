"""Partition values as people know them."""

from typing import Any

import pytest

from boathouse.kit.partition_values import readable, transforms


@pytest.mark.parametrize(
    ("transform", "value", "written"),
    [
        ("month", 672, "2026-01"),
        ("month", 683, "2026-12"),
        ("month", -1, "1969-12"),
        ("year", 56, "2026"),
        ("hour", 490899, "2026-01-01-03"),
        ("day", "2026-01-02", "2026-01-02"),
        ("bucket[16]", 7, 7),
        ("identity", 672, 672),
        ("month", None, None),
    ],
)
def test_a_time_is_written_as_one(transform: str, value: Any, written: Any) -> None:
    assert readable({"p": value}, {"p": transform}) == {"p": written}


def test_a_table_without_partitions_has_none() -> None:
    assert readable(None, {}) is None


def test_fields_of_former_specs_are_known_too() -> None:
    fields = [{"name": "at_month", "transform": "month"}], [{"name": "at_day", "transform": "day"}]
    specs = [{"spec-id": at, "fields": each} for at, each in enumerate(fields)]
    assert transforms({"partition-specs": specs}) == {"at_month": "month", "at_day": "day"}
