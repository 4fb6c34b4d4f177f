"""What is known about the values of a column or partition in a file, and whether one of them might pass a test."""

from collections.abc import Callable
from dataclasses import dataclass

from boathouse.catalog.planning.values import Value


@dataclass(frozen=True)
class Range:
    """Bounds are None where nothing is known of them. What is not known may be: nulls, NaNs."""

    lower: Value | None = None
    upper: Value | None = None
    nulls: bool = True
    """There may be nulls."""
    nans: bool = True
    """There may be NaNs: they lie outside the bounds, and engines take them for greater than any number."""
    only_nulls: bool = False
    only_nans: bool = False
    exact: bool = False
    """All values are the lower bound."""


UNKNOWN = Range()


def of_value(value: Value | None) -> Range:
    """A partition, where all rows have one value."""
    if value is None:
        return Range(nans=False, only_nulls=True)
    if value != value:  # noqa: PLR0124 - only NaN is unlike itself
        return Range(nulls=False, only_nans=True)
    return Range(value, value, nulls=False, nans=False, exact=True)


Test = Callable[[Range, tuple[Value, ...]], bool]


def might_match(operation: str, literals: tuple[Value, ...], values: Range) -> bool:
    return _TESTS[operation](values, literals)


def _below(values: Range, limit: Value, *, inclusive: bool) -> bool:
    """Whether a value may lie below the limit."""
    if values.only_nulls or values.only_nans:
        return False
    return values.lower is None or values.lower < limit or (inclusive and values.lower == limit)


def _above(values: Range, limit: Value, *, inclusive: bool) -> bool:
    if values.only_nulls:
        return False
    if values.nans or values.upper is None:
        return True
    return values.upper > limit or (inclusive and values.upper == limit)


def _equal(values: Range, literal: Value) -> bool:
    if values.only_nulls or values.only_nans:
        return False
    low = values.lower is None or values.lower <= literal
    return low and (values.upper is None or values.upper >= literal)


def _unequal(values: Range, literals: tuple[Value, ...]) -> bool:
    return not (values.exact and values.lower in literals)


def _starts(values: Range, prefix: Value) -> bool:
    """What starts with the prefix is not less than it, and beyond it only by what follows."""
    if values.only_nulls:
        return False
    if values.lower is not None and values.lower[: len(prefix)] > prefix:
        return False
    return values.upper is None or values.upper >= prefix


def _starts_otherwise(values: Range, prefix: Value) -> bool:
    return not (values.exact and str(values.lower).startswith(prefix))


_TESTS: dict[str, Test] = {
    "lt": lambda values, literals: _below(values, literals[0], inclusive=False),
    "lt-eq": lambda values, literals: _below(values, literals[0], inclusive=True),
    "gt": lambda values, literals: _above(values, literals[0], inclusive=False),
    "gt-eq": lambda values, literals: _above(values, literals[0], inclusive=True),
    "eq": lambda values, literals: _equal(values, literals[0]),
    "in": lambda values, literals: any(_equal(values, literal) for literal in literals),
    "not-eq": _unequal,
    "not-in": _unequal,
    "is-null": lambda values, _: values.nulls,
    "not-null": lambda values, _: not values.only_nulls,
    "is-nan": lambda values, _: values.nans and not values.only_nulls,
    "not-nan": lambda values, _: not values.only_nans,
    "starts-with": lambda values, literals: _starts(values, literals[0]),
    "not-starts-with": lambda values, literals: _starts_otherwise(values, literals[0]),
}
_OPPOSITES = {
    "lt": "gt-eq",
    "gt": "lt-eq",
    "eq": "not-eq",
    "in": "not-in",
    "is-null": "not-null",
    "is-nan": "not-nan",
    "starts-with": "not-starts-with",
}
NEGATED = _OPPOSITES | {negation: operation for operation, negation in _OPPOSITES.items()}
