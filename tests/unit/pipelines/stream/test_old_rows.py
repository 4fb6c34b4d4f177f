"""Which changes do not tell what sums take away by them."""

from typing import Any

import pyarrow as pa
import pytest

from boathouse.pipelines.stream.old_rows import are_untold
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import parse_type

KINDS: dict[str, tuple[str, Any]] = {
    "id": ("long", pa.int64()),
    "place": ("string", pa.string()),
    "kwh": ("double", pa.float64()),
    "price": ("decimal(12,2)", pa.decimal128(12, 2)),
    "paid": ("boolean", pa.bool_()),
    "day": ("date", pa.date32()),
    "at": ("timestamp", pa.timestamp("us", "UTC")),
    "tags": ("array<string>", pa.list_(pa.string())),
}
TABLE = SourceTable("public.bills", {name: parse_type(kind) for name, (kind, _) in KINDS.items()}, ("id",), "f")
ONLY_ITS_KEY = dict.fromkeys(KINDS) | {"id": 1}
# What Debezium has for columns that may not be null and were not sent.
NOT_NULL = ONLY_ITS_KEY | {"place": "", "kwh": 0.0, "price": 0, "paid": False}


def untold(*changes: tuple[str, dict[str, Any] | None], table: SourceTable = TABLE) -> bool:
    before = pa.struct([(name, KINDS[name][1]) for name in table.columns])
    rows = pa.table({"op": [op for op, _ in changes], "before_0": pa.array([row for _, row in changes], before)})
    return are_untold(table, rows, "before_0")


@pytest.mark.parametrize(
    ("op", "before", "is_untold"),
    [
        ("c", None, False),
        ("u", None, True),
        ("u", ONLY_ITS_KEY, False),
        ("u", ONLY_ITS_KEY | {"kwh": 1.5}, False),
        ("u", ONLY_ITS_KEY | {"kwh": float("nan")}, True),
        ("d", ONLY_ITS_KEY | {"kwh": float("-inf"), "place": "here"}, True),
        ("d", ONLY_ITS_KEY, True),
        ("d", NOT_NULL, True),
        ("d", NOT_NULL | {"place": "here"}, False),
        ("d", NOT_NULL | {"tags": ["a"]}, False),
    ],
)
def test_a_change_that_does_not_tell_the_whole_row_or_takes_away_what_is_no_number(
    op: str, before: dict[str, Any] | None, *, is_untold: bool
) -> None:
    told = ONLY_ITS_KEY | {"place": "here"}
    assert untold(("c", None), ("d", told), (op, before), ("u", told)) == is_untold


def test_a_row_that_is_nothing_but_its_key_is_told_by_it() -> None:
    assert not untold(("d", {"id": 1}), table=SourceTable("public.ids", {"id": parse_type("long")}, ("id",), "f"))
