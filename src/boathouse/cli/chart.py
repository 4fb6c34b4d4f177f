"""A result drawn in the terminal."""

import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from shutil import get_terminal_size
from typing import Any

from boathouse.cli.values import to_text, visible
from boathouse.kit.errors import InvalidInput


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
    return _bars(labels, series) if kind is Chart.BAR else _lines(labels, series)


def _number(value: Any) -> float:
    """A missing value has no length: plotext has no word for it."""
    return 0.0 if value is None else float(value)


def _bars(labels: list[str], series: dict[str, list[float]]) -> str:
    import plotext

    plotext.clear_figure()
    width = _width()
    if len(series) == 1:
        [(name, values)] = series.items()
        plotext.simple_bar(labels, values, width=width, title=name)
    else:
        plotext.simple_multiple_bar(labels, list(series.values()), labels=list(series), width=width)
    return _built()


def _lines(labels: list[str], series: dict[str, list[float]]) -> str:
    import plotext

    plotext.clear_figure()
    positions = list(range(1, len(labels) + 1))
    for name, values in series.items():
        plotext.plot(positions, values, label=name)
    shown = positions[:: max(1, len(positions) // 8)]
    plotext.xticks(shown, [labels[at - 1] for at in shown])
    plotext.plotsize(_width(), 20)
    plotext.theme("clear")
    return _built()


def _width() -> int:
    return min(get_terminal_size().columns, 120)


def _built() -> str:
    """The drawing, with colours only for a terminal whose user wants them."""
    import plotext

    drawing = plotext.build().rstrip("\n")
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return drawing if coloured else plotext.uncolorize(drawing)
