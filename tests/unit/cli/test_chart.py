"""What is drawn, and what cannot be."""

from decimal import Decimal
from typing import Any

import pytest

from boathouse.cli.chart import Chart, draw
from boathouse.kit.errors import InvalidInput


def bar_lines(*rows: tuple[str, Any]) -> list[str]:
    """The lines of a bar chart below its title."""
    return draw(Chart.BAR, ["name", "n"], [False, True], rows).splitlines()[1:]


def test_bars_are_labelled_by_the_first_column_that_is_no_number() -> None:
    drawing = draw(Chart.BAR, ["n", "city"], [True, False], [(3, "Oslo"), (5, "Rome")])
    assert [line.split()[0] for line in drawing.splitlines() if "▇" in line] == ["Oslo", "Rome"]


def test_a_longer_bar_is_a_larger_value() -> None:
    drawing = draw(Chart.BAR, ["city", "n"], [False, True], [("Oslo", Decimal("1.5")), ("Rome", 6)])
    oslo, rome = (line.count("▇") for line in drawing.splitlines() if "▇" in line)
    assert rome == pytest.approx(4 * oslo, abs=4)


def test_several_columns_of_numbers_are_several_series() -> None:
    drawing = draw(Chart.BAR, ["city", "in", "out"], [False, True, True], [("Oslo", 1, 2), ("Rome", 3, 4)])
    assert "in" in drawing
    assert "out" in drawing


def test_a_line_has_its_labels_below() -> None:
    days = [f"d{day}" for day in range(8)]
    drawing = draw(Chart.LINE, ["day", "n"], [False, True], [(day, at) for at, day in enumerate(days)])
    assert drawing.splitlines()[-1].split() == days


def test_a_missing_value_has_no_bar_and_is_not_called_zero() -> None:
    oslo, rome = bar_lines(("Oslo", None), ("Rome", 1))
    assert oslo.split() == ["Oslo", "NULL"]
    assert "▇" in rome


def test_a_line_does_not_cross_a_missing_value() -> None:
    whole, broken = (
        draw(Chart.LINE, ["day", "n"], [False, True], [("a", 1), ("b", middle), ("c", 1)]) for middle in (1, None)
    )
    assert len(broken.replace(" ", "")) < len(whole.replace(" ", ""))
    assert broken.splitlines()[-1].split() == ["a", "b", "c"]


def test_a_negative_value_has_a_bar_on_the_other_side() -> None:
    lost, won = bar_lines(("lost", -5), ("won", 5))
    before, after = lost.split("│")
    assert before.count("▇") > 20
    assert after.strip() == "-5"
    before, after = won.split("│")
    assert "▇" not in before
    assert after.count("▇") > 20


def test_the_smallest_value_is_still_seen() -> None:
    small, _ = bar_lines(("small", 1), ("large", 1_000_000))
    assert small.count("▇") == 1


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ((44618, 7), ["44,618", "7"]),
        ((44618.0, 7.0), ["44,618", "7"]),
        ((1234.5, 7.25), ["1,234.50", "7.25"]),
        ((0.00123, 0.5), ["0.00123", "0.5"]),
        ((Decimal("1234.50"), Decimal(7)), ["1,234.50", "7"]),
    ],
)
def test_values_are_written_as_people_write_them(values: tuple[float, float], written: list[str]) -> None:
    assert [line.split()[-1] for line in bar_lines(("a", values[0]), ("b", values[1]))] == written


def test_only_missing_values_are_nothing_to_draw() -> None:
    with pytest.raises(InvalidInput, match="nothing to draw"):
        draw(Chart.BAR, ["city", "n"], [False, True], [("Oslo", None), ("Rome", "NaN")])


def test_a_long_label_leaves_room_for_the_bar() -> None:
    (line,) = bar_lines(("x" * 200, 3))
    assert "…" in line
    assert "▇" in line
    assert len(line) <= 120


def test_away_from_a_terminal_there_are_no_colours() -> None:
    assert "\x1b" not in draw(Chart.BAR, ["city", "n"], [False, True], [("Oslo", 1)])


@pytest.mark.parametrize(("numeric", "rows"), [([False], [("x",)]), ([True], [])])
def test_nothing_to_draw_is_said_clearly(numeric: list[bool], rows: list[tuple[str]]) -> None:
    with pytest.raises(InvalidInput, match="nothing to draw"):
        draw(Chart.BAR, ["a"], numeric, rows)
