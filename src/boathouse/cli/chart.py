"""A result drawn in the terminal."""

from collections.abc import Sequence
from enum import StrEnum
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
    """A gap is drawn as nothing: plotext has no word for it."""
    return float(value) if isinstance(value, (int, float)) or value is not None else 0.0


def _bars(labels: list[str], series: dict[str, list[float]]) -> str:
    import plotext

    plotext.clear_figure()
    if len(series) == 1:
        plotext.bar(labels, next(iter(series.values())), orientation="horizontal")
    else:
        plotext.multiple_bar(labels, list(series.values()), labels=list(series), orientation="horizontal")
    # Two lines a label and the axes: a chart as tall as it needs to be, not as tall as the terminal.
    plotext.plotsize(None, 2 * len(labels) * len(series) + 4)
    return _built(series)


def _lines(labels: list[str], series: dict[str, list[float]]) -> str:
    import plotext

    plotext.clear_figure()
    positions = list(range(1, len(labels) + 1))
    for name, values in series.items():
        plotext.plot(positions, values, label=name if len(series) > 1 else None)
    shown = positions[:: max(1, len(positions) // 8)]
    plotext.xticks(shown, [labels[at - 1] for at in shown])
    plotext.plotsize(None, 20)
    return _built(series)


def _built(series: dict[str, list[float]]) -> str:
    import plotext

    plotext.theme("clear")
    if len(series) == 1:
        plotext.title(next(iter(series)))
    return plotext.build()
