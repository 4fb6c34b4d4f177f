"""Partition transforms: what a column's value becomes in a partition."""

import re

import mmh3

from boathouse.catalog.planning.calendar import civil
from boathouse.catalog.planning.values import NANOS, TIMESTAMPS, WHOLE, Value, exact_decimal, scale_of, unscaled

_WITH_WIDTH = re.compile(r"(bucket|truncate)\[(\d{1,10})\]")
TIMES = frozenset({"year", "month", "day", "hour"})
_MICROS_A_DAY = 86_400_000_000
_MICROS_AN_HOUR = 3_600_000_000


def width_of(transform: str) -> tuple[str, int]:
    """The transform's name, and its number where it has one."""
    found = _WITH_WIDTH.fullmatch(transform)
    return (found[1], int(found[2])) if found else (transform, 0)


def is_known(transform: str) -> bool:
    name, width = width_of(transform)
    return name in TIMES | {"identity", "void"} or (name in {"bucket", "truncate"} and width > 0)


def result_type(transform: str, source: str) -> str:
    name, _ = width_of(transform)
    if name == "day":
        return "date"
    return "int" if name in TIMES or name == "bucket" else source


def apply(transform: str, value: Value, kind: str) -> Value | None:
    """The transform of a value of a type; None where there is no telling."""
    name, width = width_of(transform)
    if name == "identity":
        return value
    if name == "bucket" and width:
        return _bucket(value, kind, width)
    if name == "truncate" and width:
        return _truncated(value, kind, width)
    return _time(name, value, kind) if name in TIMES else None


def _bucket(value: Value, kind: str, count: int) -> int | None:
    hashed = _hashed_bytes(value, kind)
    return None if hashed is None else (mmh3.hash(hashed, 0, signed=True) & 0x7FFFFFFF) % count


def _hashed_bytes(value: Value, kind: str) -> bytes | None:
    scale = scale_of(kind)
    if scale is not None:
        whole = unscaled(value, scale)
        # The fewest bytes that hold it with its sign.
        return (
            None if whole is None else whole.to_bytes((whole + (whole < 0)).bit_length() // 8 + 1, "big", signed=True)
        )
    if kind == "string":
        return value.encode()
    if isinstance(value, bytes):
        return value
    if kind in NANOS:
        value //= 1000  # so that a moment has one bucket, however finely it is kept
    whole_kinds = WHOLE | TIMESTAMPS | NANOS | {"date", "time"}
    return value.to_bytes(8, "little", signed=True) if kind in whole_kinds and -(2**63) <= value < 2**63 else None


def _truncated(value: Value, kind: str, width: int) -> Value | None:
    scale = scale_of(kind)
    if scale is not None:
        whole = unscaled(value, scale)
        return None if whole is None else exact_decimal(whole - whole % width, scale)
    if kind in WHOLE:
        return value - value % width
    return value[:width] if kind in {"string", "binary"} else None


def _time(name: str, value: int, kind: str) -> int | None:
    if kind == "date":
        days, hours = value, None
    elif kind in TIMESTAMPS | NANOS:
        micros = value // 1000 if kind in NANOS else value
        days, hours = micros // _MICROS_A_DAY, micros // _MICROS_AN_HOUR
    else:
        return None
    year, month, _ = civil(days)
    return {"year": year - 1970, "month": (year - 1970) * 12 + month - 1, "day": days, "hour": hours}[name]
