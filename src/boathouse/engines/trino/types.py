"""Trino's types in Arrow, and how a value that came as JSON becomes one of them.

A timestamp with a zone becomes the instant it names: Arrow has one zone for a column, Trino one for each value. What Arrow
or Parquet has no type for stays text, as Trino writes it.
"""

import base64
from calendar import timegm
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import orjson
import pyarrow as pa

Signature = Mapping[str, Any]
"""As Trino describes a type: its `rawType` and `arguments`."""
# Trino's own, where it names none.
_DIGITS = 3
_MICROSECONDS, _NANOSECONDS = 6, 9


@dataclass(frozen=True)
class Typed:
    """A type in Arrow, and how a value is read; None if it is as JSON has it."""

    arrow: Any
    read: Callable[[Any], Any] | None = None

    def of(self, value: Any) -> Any:
        return value if value is None or self.read is None else self.read(value)

    def array(self, values: Sequence[Any]) -> Any:
        return pa.array([self.of(value) for value in values] if self.read else values, self.arrow)


def typed(signature: Signature) -> Typed:
    name: str = signature["rawType"]
    if name in _PLAIN:
        return _PLAIN[name]
    made = _MADE.get(name)
    return made([argument["value"] for argument in signature["arguments"]]) if made else _TEXT


def _decimal(arguments: Sequence[int]) -> Typed:
    return Typed(pa.decimal128(*arguments), Decimal)


def _time(arguments: Sequence[int]) -> Typed:
    # Finer than that Python cannot hold it.
    return Typed(pa.time64("us"), time.fromisoformat) if _digits(arguments) <= _MICROSECONDS else _TEXT


def _timestamp(arguments: Sequence[int]) -> Typed:
    return _instant(_digits(arguments), None, datetime.fromisoformat)


def _timestamp_with_zone(arguments: Sequence[int]) -> Typed:
    return _instant(_digits(arguments), "UTC", _with_zone)


def _instant(digits: int, zone: str | None, read: Callable[[str], datetime]) -> Typed:
    if digits <= _MICROSECONDS:
        return Typed(pa.timestamp("us", zone), read)
    return Typed(pa.timestamp("ns", zone), lambda text: _nanoseconds(text, read)) if digits <= _NANOSECONDS else _TEXT


def _with_zone(text: str) -> datetime:
    local, _, zone = text.rpartition(" ")
    if zone[0] in "+-":
        return datetime.fromisoformat(local + zone)
    return datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))


def _nanoseconds(text: str, read: Callable[[str], datetime]) -> int:
    """Since 1970. Python's own times end at microseconds."""
    whole, _, rest = text.partition(".")
    digits, space, zone = rest.partition(" ")
    return timegm(read(whole + space + zone).utctimetuple()) * 10**9 + int(digits.ljust(_NANOSECONDS, "0"))


def _interval(text: str) -> timedelta:
    """`-2 03:04:05.678`: the sign is that of all of it."""
    days, _, clock = text.lstrip("-").partition(" ")
    hours, minutes, seconds = clock.split(":")
    length = timedelta(int(days), hours=int(hours), minutes=int(minutes), milliseconds=round(float(seconds) * 1000))
    return -length if text.startswith("-") else length


def _array(arguments: Sequence[Signature]) -> Typed:
    item = typed(arguments[0])
    return Typed(pa.list_(item.arrow), (lambda values: [item.of(value) for value in values]) if item.read else None)


def _map(arguments: Sequence[Signature]) -> Typed:
    key, item = _key(arguments[0]), typed(arguments[1])
    return Typed(
        pa.map_(key.arrow, item.arrow), lambda pairs: [(key.of(name), item.of(value)) for name, value in pairs.items()]
    )


def _key(signature: Signature) -> Typed:
    """JSON has only texts for keys."""
    name = signature["rawType"]
    if name in _WHOLE:
        return Typed(_PLAIN[name].arrow, int)
    if name == "boolean":
        return Typed(pa.bool_(), "true".__eq__)
    return _TEXT if name in {"array", "map", "row"} else typed(signature)


def _row(arguments: Sequence[Mapping[str, Any]]) -> Typed:
    names = _different([(field.get("fieldName") or {}).get("name") for field in arguments])
    fields = [typed(field["typeSignature"]) for field in arguments]

    def read(values: Sequence[Any]) -> dict[str, Any]:
        return {name: field.of(value) for name, field, value in zip(names, fields, values, strict=True)}

    return Typed(pa.struct([pa.field(name, field.arrow) for name, field in zip(names, fields, strict=True)]), read)


def _different(names: Sequence[str | None]) -> list[str]:
    """One that has no name, or another's, is called by its number."""
    return [name if name and name not in names[:number] else f"field{number}" for number, name in enumerate(names)]


def _digits(arguments: Sequence[int]) -> int:
    return arguments[0] if arguments else _DIGITS


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


_TEXT = Typed(pa.string(), _as_text)
_WHOLE = {"tinyint": pa.int8(), "smallint": pa.int16(), "integer": pa.int32(), "bigint": pa.int64()}
_PLAIN: Mapping[str, Typed] = {
    **{name: Typed(arrow) for name, arrow in _WHOLE.items()},
    "boolean": Typed(pa.bool_()),
    # What is no number comes as text.
    "real": Typed(pa.float32(), float),
    "double": Typed(pa.float64(), float),
    "varchar": Typed(pa.string()),
    "char": Typed(pa.string()),
    "varbinary": Typed(pa.binary(), base64.b64decode),
    "date": Typed(pa.date32(), date.fromisoformat),
    "interval day to second": Typed(pa.duration("us"), _interval),
    "unknown": Typed(pa.null()),
}
_MADE: Mapping[str, Callable[[Sequence[Any]], Typed]] = {
    "decimal": _decimal,
    "time": _time,
    "timestamp": _timestamp,
    "timestamp with time zone": _timestamp_with_zone,
    "array": _array,
    "map": _map,
    "row": _row,
}
