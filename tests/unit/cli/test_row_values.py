"""Rows as the server tells them, written as the rows of `boathouse sql` are."""

from typing import Any

import pytest

from boathouse.cli.row_values import numeric_columns, plain_rows
from boathouse.cli.values import to_json, to_text
from boathouse.client.runs import Column


@pytest.mark.parametrize(
    ("kind", "told", "text", "json"),
    [
        ("timestamp[us, tz=UTC]", "2026-01-02T03:04:05+00:00", "2026-01-02 03:04:05Z", '"2026-01-02T03:04:05Z"'),
        ("timestamp[us]", "2026-01-02T03:04:05.000060", "2026-01-02 03:04:05.000060", '"2026-01-02T03:04:05.000060"'),
        ("timestamp[ns]", "2026-01-02T03:04:05.000000001", *["2026-01-02T03:04:05.000000001"] * 2),
        ("decimal128(9, 2)", "1.20", "1.20", "1.20"),
        ("binary", "YWI=", "0x6162", '"0x6162"'),
        ("int64", "9223372036854775807", "9223372036854775807", "9223372036854775807"),
        ("double", "-inf", "-Infinity", '"-Infinity"'),
        ("double", 0.5, "0.5", "0.5"),
        ("string", "it's", "it's", '"it\'s"'),
        ("list<element: int32>", [1, None], "[1,null]", "[1,null]"),
        ("int32", None, "NULL", "null"),
    ],
)
def test_a_value_reads_as_if_spark_had_been_asked(kind: str, told: Any, text: str, json: str) -> None:
    ((value,),) = plain_rows([Column(name="a", type=kind)], [[told]])
    assert to_text(value) == text
    assert to_json(value).decode().strip('"') == json.strip('"')


def test_numbers_are_known_by_their_type() -> None:
    kinds = ("int64", "double", "decimal128(9, 2)", "string", "timestamp[us]")
    assert numeric_columns([Column(name="a", type=kind) for kind in kinds]) == [True, True, True, False, False]
