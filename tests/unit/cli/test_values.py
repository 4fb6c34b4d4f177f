"""How plain values read as text and as JSON."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from boathouse.cli.values import counted, to_json, to_text, visible


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "NULL"),
        (True, "true"),
        (7, "7"),
        (0.1, "0.1"),
        (Decimal("1.20"), "1.20"),
        (Decimal("1E-8"), "0.00000001"),
        ("text", "text"),
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02 03:04:05Z"),
        (datetime(2026, 1, 2, 3, 4, 5, 60), "2026-01-02 03:04:05.000060"),  # noqa: DTZ001 - a time without zone
        ([1, None], "[1,null]"),
        ({"a": Decimal("1.50"), "b": [datetime(2026, 1, 2, tzinfo=UTC)]}, '{"a":1.50,"b":["2026-01-02T00:00:00Z"]}'),
    ],
)
def test_a_value_reads_as_text(value: Any, text: str) -> None:
    assert to_text(value) == text


def test_a_decimal_keeps_every_digit_in_json() -> None:
    exact = Decimal("12345678901234567890.123456789012345678")
    assert json.loads(to_json({"a": exact}), parse_float=Decimal) == {"a": exact}


def test_what_has_no_json_form_is_an_error_and_not_a_guess() -> None:
    with pytest.raises(TypeError):
        to_json(object())


def test_control_characters_are_shown_and_not_obeyed() -> None:
    assert visible("a\x1b[31m\tb\nc\x9b") == r"a\x1b[31m\tb\nc\x9b"


@pytest.mark.parametrize(("number", "said"), [(0, "0 rows"), (1, "1 row"), (1000, "1,000 rows")])
def test_one_of_many_is_one(number: int, said: str) -> None:
    assert counted(number, "row") == said
