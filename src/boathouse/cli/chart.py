"""A result drawn in the terminal."""

import math
import os
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from shutil import get_terminal_size
from typing import Any

import typer

from boathouse.cli.bars import Number, bars, plain
from boathouse.cli.values import to_text, visible
from boathouse.kit.errors import InvalidInput

_COLOURS = ("blue", "green", "magenta", "cyan", "red", "yellow")


class Chart(StrEnum):
    BAR = "bar"
    LINE = "line"


def draw(kind: Chart, columns: Sequence[str], numeric: Sequence[bool], rows: Sequence[Sequence[Any]]) -> str:
    """The chart as text: labels from the first column that is not a number, values from those that are."""
    values = [index for index, is_number in enumerate(numeric) if is_number]
    if not rows:
        raise InvalidInput("There is nothing to draw: the query returned no rows.")
    if not values:
        raise InvalidInput(
            "There is nothing to draw: the query returned no column of numbers.",
            hint="Draw something countable, such as `SELECT day, count(*) … GROUP BY day`.",
        )
    label = next((index for index, is_number in enumerate(numeric) if not is_number), None)
    labels = [visible(to_text(row[label])) if label is not None else str(at) for at, row in enumerate(rows, 1)]
    series = {columns[index]: [_number(row[index]) for row in rows] for index in values}
    if not any(value is not None and math.isfinite(value) for values in series.values() for value in values):
        raise InvalidInput("There is nothing to draw: every value is NULL or not a number.")
    if kind is Chart.LINE:
        return _lines(labels, series)
    return bars(labels, series, _width(), _painted if _coloured() else plain)


def _number(value: Any) -> Number | None:
    """Numbers that JSON has no word for come as text."""
    return float(value) if isinstance(value, str) else value


def _lines(labels: list[str], series: dict[str, list[Number | None]]) -> str:
    import plotext

    plotext.clear_figure()
    for at, (name, values) in enumerate(series.items()):
        for part, run in enumerate(_runs(values)):
            colour = _COLOURS[at % len(_COLOURS)]
            plotext.plot(*zip(*run, strict=True), label=None if part else name, color=colour)
    positions = list(range(1, len(labels) + 1))
    shown = positions[:: max(1, len(positions) // 8)]
    plotext.xticks(shown, [labels[at - 1] for at in shown])
    plotext.plotsize(_width(), 20)
    plotext.theme("clear")
    return _built()


def _runs(values: list[Number | None]) -> Iterator[list[tuple[int, float]]]:
    """The points between missing values, with their positions: a line does not cross what is not there."""
    run: list[tuple[int, float]] = []
    for position, value in enumerate([*values, None], 1):
        if value is not None and math.isfinite(value):
            run.append((position, float(value)))
        elif run:
            yield run
            run = []


def _width() -> int:
    return min(get_terminal_size().columns, 120)


def _coloured() -> bool:
    """Only for a terminal whose user wants it."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _painted(series: int, text: str) -> str:
    return typer.style(text, fg=_COLOURS[series % len(_COLOURS)])


def _built() -> str:
    import plotext

    drawing = plotext.build().rstrip("\n")
    return drawing if _coloured() else plotext.uncolorize(drawing)
