"""Values of Iceberg's primitive types, in the one form in which they are compared here.

Whole numbers, dates, times and timestamps are integers as Iceberg stores them; decimals are exact; a UUID is bytes.
"""

import math
import re
import struct
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from boathouse.catalog.errors import Validation
from boathouse.catalog.planning.calendar import days_of, iso_date, iso_time, iso_timestamp, micros_of, nanos_of

Value = Any
WHOLE = frozenset({"int", "long"})
FLOATING = frozenset({"float", "double"})
TIMESTAMPS = frozenset({"timestamp", "timestamptz"})
NANOS = frozenset({"timestamp_ns", "timestamptz_ns"})
_DECIMAL = re.compile(r"decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)")
_NARROW = {"int": "<i", "date": "<i", "float": "<f", "long": "<i", "double": "<f"}
_FORMATS = {"boolean": "<?", "double": "<d", **dict.fromkeys(("long", "time", *TIMESTAMPS, *NANOS), "<q")}


class NotComparable(Exception):  # noqa: N818 - not a failure: what it is about is left to the reader
    """A literal that may mean several things, so that nothing may be concluded from it."""


def scale_of(kind: str) -> int | None:
    """The digits after the point, if it is a type of decimals."""
    found = _DECIMAL.fullmatch(kind)
    return int(found[2]) if found else None


def from_json(value: Any, kind: str) -> Value:
    """A literal of a filter as a value of its column's type."""
    try:
        found = _literal(value, kind)
    except (ValueError, InvalidOperation, OverflowError, TypeError):
        found = None
    if found is None:
        raise Validation(f"Invalid value for conversion to type {kind}: {str(value)[:100]} ({type(value).__name__})")
    return found


def from_bytes(data: bytes, kind: str) -> Value | None:
    """A bound as metrics and summaries hold it; None if it says nothing about the type the column has now."""
    with suppress(struct.error, UnicodeDecodeError, IndexError):
        return _decoded(data, kind)
    return None


def from_avro(value: Any, kind: str, stored: object) -> Value | None:
    """A partition's value as a manifest holds it. `stored` is its type there."""
    scale = scale_of(kind)
    if stored == "int" and isinstance(value, int) and kind in TIMESTAMPS | NANOS:
        return _start_of_day(value, kind)
    if scale is not None and isinstance(value, bytes):
        return exact_decimal(int.from_bytes(value, "big", signed=True), scale)
    # One NaN for all: partitions are looked up by their values, and two NaNs are not equal.
    return math.nan if isinstance(value, float) and math.isnan(value) else value


def to_json(value: Value | None, kind: str) -> Any:
    """A partition's value as the specification writes it."""
    if value is None:
        return None
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, bytes):
        return str(UUID(bytes=value)) if kind == "uuid" and len(value) == 16 else value.hex().upper()
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    write = _WRITTEN.get(kind)
    return write(value) if write and isinstance(value, int) else value


def exact_decimal(unscaled: int, scale: int) -> Decimal:
    """Built from its digits: arithmetic would round to the context's precision."""
    return Decimal((int(unscaled < 0), tuple(int(digit) for digit in str(abs(unscaled))), -scale))


def unscaled(value: Decimal, scale: int) -> int | None:
    """The whole number that a decimal of this scale is stored as; None if it has more digits than that."""
    sign, digits, exponent = value.as_tuple()
    shift = int(exponent) + scale
    if not -len(digits) < shift < 100:
        return 0 if value == 0 else None
    whole = int("".join(map(str, digits))) * (-1 if sign else 1)
    if shift >= 0:
        return whole * 10**shift
    return None if whole % 10**-shift else whole // 10**-shift


def as_float32(value: float) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _literal(value: Any, kind: str) -> Value | None:
    if isinstance(value, bool) or kind == "boolean":
        return value if isinstance(value, bool) and kind == "boolean" else None
    if scale_of(kind) is not None:
        found = Decimal(str(value)) if isinstance(value, (str, int, float)) else None
        return found if found is not None and found.is_finite() else None
    if isinstance(value, int):
        return _from_int(value, kind)
    if isinstance(value, float):
        return _from_float(value, kind)
    return _from_text(value, kind) if isinstance(value, str) else None


def _from_int(value: int, kind: str) -> Value | None:
    if kind in WHOLE or kind in TIMESTAMPS or kind in {"date", "time"}:
        return value
    if kind in FLOATING:
        return _from_float(float(value), kind)
    if kind in NANOS:
        raise NotComparable  # microseconds to some clients, nanoseconds to others
    return None


def _from_float(value: float, kind: str) -> Value | None:
    if kind not in FLOATING:
        return None
    return as_float32(value) if kind == "float" else value


def _from_text(value: str, kind: str) -> Value | None:
    if kind in TIMESTAMPS | NANOS:
        return _moment(value, kind)
    read = _READ.get("binary" if kind.startswith("fixed[") else kind)
    return read(value) if read else None


def _micros_of_day(text: str) -> int:
    moment = time.fromisoformat(text)
    return ((moment.hour * 60 + moment.minute) * 60 + moment.second) * 1_000_000 + moment.microsecond


def _moment(value: str, kind: str) -> int | None:
    moment = datetime.fromisoformat(value)
    if (moment.tzinfo is not None) != kind.startswith("timestamptz"):
        return None
    return nanos_of(moment, value) if kind in NANOS else micros_of(moment)


def _decoded(data: bytes, kind: str) -> Value | None:
    scale = scale_of(kind)
    if scale is not None:
        return exact_decimal(int.from_bytes(data, "big", signed=True), scale)
    if kind == "string":
        return data.decode()
    if kind == "binary" or kind.startswith("fixed["):
        return data
    # A column that was widened since has bounds of its old width.
    if kind in TIMESTAMPS | NANOS and len(data) == 4:
        return _start_of_day(struct.unpack("<i", data)[0], kind)
    form = _NARROW.get(kind) if len(data) == 4 else _FORMATS.get(kind)
    return struct.unpack(form, data)[0] if form else None


def _start_of_day(days: int, kind: str) -> int:
    """Of a date in a column that was widened to moments."""
    return days * (86_400_000_000 if kind in TIMESTAMPS else 86_400_000_000_000)


_READ: dict[str, Callable[[str], Value]] = {
    "string": str,
    "date": lambda text: days_of(date.fromisoformat(text)),
    "time": _micros_of_day,
    "uuid": lambda text: UUID(text).bytes,
    "binary": bytes.fromhex,
}
_WRITTEN: dict[str, Callable[[int], str]] = {
    "date": iso_date,
    "time": iso_time,
    "timestamp": lambda value: iso_timestamp(value, 6),
    "timestamptz": lambda value: iso_timestamp(value, 6) + "+00:00",
    "timestamp_ns": lambda value: iso_timestamp(value, 9),
    "timestamptz_ns": lambda value: iso_timestamp(value, 9) + "+00:00",
}
