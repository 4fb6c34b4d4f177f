"""Horizontal bars as text: one for each value, to the left of an axis where it is negative, none where it is missing."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rich.cells import cell_len, set_cell_size

from boathouse.cli.values import NULL

Number = int | float | Decimal
Values = Sequence[Number | None]
# Each series has a mark of its own, so that they can be told apart without colours.
MARKS = "▇▒░▓"
AXIS = "│"
# Below this a bar says nothing; a terminal that is narrower still wraps.
_NARROWEST = 10


@dataclass(frozen=True)
class _Scale:
    """How many characters lie on either side of the axis, and how many a value of one takes."""

    left: int
    right: int
    unit: float

    @classmethod
    def over(cls, values: Sequence[float], room: int) -> "_Scale":
        low, high = min(0.0, *values), max(0.0, *values)
        span = (high - low) or 1.0
        left = math.ceil(room * -low / span)
        return cls(left, room - left, room / span)

    def bar(self, value: float, mark: str) -> str:
        """The part left of the axis, the axis where there is one, and the bar right of it."""
        # A value that is not zero is seen, however small.
        length = max(1, round(abs(value) * self.unit)) if value else 0
        before, after = (min(length, self.left), 0) if value < 0 else (0, min(length, self.right))
        axis = AXIS if self.left else ""
        return (mark * before).rjust(self.left) + axis + mark * after


def plain(_series: int, text: str) -> str:
    return text


def bars(
    labels: Sequence[str], series: Mapping[str, Values], width: int, paint: Callable[[int, str], str] = plain
) -> str:
    """A title and, below it, a bar for each label and series; `paint` colours the text of a series."""
    written = [[value_text(value, values) for value in values] for values in series.values()]
    label_width = min(max(map(cell_len, labels)), max(_NARROWEST, width // 2))
    value_width = max(len(text) for texts in written for text in texts)
    room = max(_NARROWEST, width - label_width - value_width - 3)
    scale = _Scale.over([_length(value) for values in series.values() for value in values], room)
    marks = [MARKS[at % len(MARKS)] for at in range(len(series))]
    title = "  ".join(paint(at, f"{marks[at]} {name}") for at, name in enumerate(series))
    lines = [title if len(series) > 1 else next(iter(series))]
    for row, label in enumerate(labels):
        for at, values in enumerate(series.values()):
            head = set_cell_size(_cut(label, label_width) if at == 0 else "", label_width)
            bar = paint(at, scale.bar(_length(values[row]), marks[at]))
            lines.append(f"{head} {bar} {written[at][row]}")
    return "\n".join(lines)


def value_text(value: Number | None, beside: Values) -> str:
    """A value with as many decimals as those beside it need."""
    if value is None:
        return NULL
    if not math.isfinite(value):
        return str(value)
    if not isinstance(value, float):
        return f"{value:,}"
    finite = [abs(other) for other in beside if other is not None and math.isfinite(other)]
    if all(other == int(other) for other in finite):
        return f"{value:,.0f}"
    return f"{value:,.2f}" if max(finite) >= 1 else f"{value:.3g}"


def _length(value: Number | None) -> float:
    return float(value) if value is not None and math.isfinite(value) else 0.0


def _cut(label: str, width: int) -> str:
    return label if cell_len(label) <= width else set_cell_size(label, width - 1) + "…"
