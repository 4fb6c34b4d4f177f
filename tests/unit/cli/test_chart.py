"""What is drawn, and what cannot be."""

from decimal import Decimal

import pytest

from boathouse.cli.chart import Chart, draw
from boathouse.kit.errors import InvalidInput


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


def test_a_missing_value_is_drawn_as_nothing() -> None:
    assert "Oslo" in draw(Chart.BAR, ["city", "n"], [False, True], [("Oslo", None), ("Rome", 1)])


def test_away_from_a_terminal_there_are_no_colours() -> None:
    assert "\x1b" not in draw(Chart.BAR, ["city", "n"], [False, True], [("Oslo", 1)])


@pytest.mark.parametrize(("numeric", "rows"), [([False], [("x",)]), ([True], [])])
def test_nothing_to_draw_is_said_clearly(numeric: list[bool], rows: list[tuple[str]]) -> None:
    with pytest.raises(InvalidInput, match="nothing to draw"):
        draw(Chart.BAR, ["a"], numeric, rows)
