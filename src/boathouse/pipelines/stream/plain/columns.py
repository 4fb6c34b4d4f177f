"""Columns of kinds that Arrow reads as Spark does: numbers, texts and moments, as programs write them."""

import math
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as _compute

from boathouse.pipelines.types import ColumnType, Decimal, Primitive

pc: Any = _compute
PLAIN = "plain"
"""Among what is read of a message: whether it was."""
MOMENT: Any = pa.timestamp("us", "UTC")
"""As Spark has them."""
# A moment to the second is so long; what is shorter, Arrow and Spark read by different rules.
_TO_THE_SECOND = len("2026-01-31T23:59:59")
_TYPES: dict[str, Any] = {
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "string": pa.string(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us"),
    "timestamptz": MOMENT,
}
_AS_TEXT = frozenset({"date", "timestamp", "timestamptz"})
# Of a decimal with many more digits behind its point than its column, Arrow looks for a power of ten beyond the last that it has, the
# 38th: it makes another number of it, or the process ends there. Fewer digits and a smaller exponent stay within that. What stands
# around it tells it from parts of a UUID.
_TINY = "(^|[^-0-9A-Za-z])[-+]?[0-9.]+[eE]-0*([2-9][0-9]|[0-9]{3,})($|[^-0-9A-Za-z])|[.][0-9]{20}"
_NOT_IN_A_NAME = frozenset('"\\')


class NotPlainError(Exception):
    """Somebody else must look closer."""


def require(condition: bool) -> None:  # noqa: FBT001 - it is all that is said
    if not condition:
        raise NotPlainError


def every(truths: Any) -> bool:
    """Of those that are known."""
    return pc.all(truths, min_count=0).as_py()


def require_none_tiny(texts: Any) -> None:
    """Before decimals are made of numbers in them."""
    require(not pc.any(pc.match_substring_regex(texts, _TINY)).as_py())


def is_text(key: bytes | None) -> bool:
    try:
        (key or b"").decode()
    except UnicodeDecodeError:
        return False
    return True


def is_able(columns: Mapping[str, ColumnType]) -> bool:
    """Whether all of them are of kinds that it reads."""
    # Spark does not tell names apart by their case.
    return PLAIN not in map(str.lower, columns) and all(_is_read(name, kind) for name, kind in columns.items())


def _is_read(name: str, kind: ColumnType) -> bool:
    if not name.isprintable() or not _NOT_IN_A_NAME.isdisjoint(name):
        return False
    return isinstance(kind, Decimal) or (isinstance(kind, Primitive) and kind.name in _TYPES)


def arrow_type(kind: ColumnType) -> Any:
    if isinstance(kind, Decimal):
        return pa.decimal128(kind.precision, kind.scale)
    return _TYPES[kind.name] if isinstance(kind, Primitive) and kind.name in _TYPES else pa.null()


def read_as(kind: ColumnType, *, decimals_are_texts: bool = False) -> Any:
    """What Arrow is told to expect in the JSON."""
    if isinstance(kind, Primitive) and kind.name in _AS_TEXT:
        return pa.string()
    return pa.string() if decimals_are_texts and isinstance(kind, Decimal) else arrow_type(kind)


def made(column: Any, kind: ColumnType) -> Any:
    """The column's values out of what was read."""
    match kind:
        case Primitive("date"):
            return _without_zone(column)[0].cast(pa.date32())
        case Primitive("timestamp"):
            return _moments(column, zone_is_told=False)
        case Primitive("timestamptz"):
            return _moments(column, zone_is_told=True).cast(MOMENT)
        case Decimal():
            if pa.types.is_string(column.type):
                require_none_tiny(column)
            numbers = column.cast(arrow_type(kind))
            # Arrow reads numbers that are too large for their column.
            numbers.validate(full=True)
            return numbers
        case Primitive("float" | "double"):
            # Zero with a sign is 0.0 or -0.0, by how it is written.
            require(every(pc.and_(pc.is_finite(column), pc.not_equal(pc.divide(1.0, column), -math.inf))))
            return column
        case _:
            return column


def _without_zone(texts: Any) -> tuple[Any, bool]:
    """Without the Z at the end, if all have it, and whether they had."""
    if every(pc.ends_with(texts, "Z")):
        return pc.utf8_slice_codeunits(texts, 0, -1), True
    return texts, False


def _moments(texts: Any, *, zone_is_told: bool) -> Any:
    """In UTC, if it is told."""
    require(every(pc.greater_equal(pc.binary_length(texts), _TO_THE_SECOND)))
    bare, had_zone = _without_zone(texts)
    require(had_zone or not zone_is_told)
    return bare.cast(pa.timestamp("us"))
