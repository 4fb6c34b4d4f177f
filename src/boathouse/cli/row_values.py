"""Rows of a run as every command writes values. JSON has no times, bytes or decimals: the server tells them as text."""

from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from boathouse.client.runs import Column

Convert = Callable[[Any], Any]
_ENDLESS = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


def plain_rows(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> Iterator[list[Any]]:
    """As those of `boathouse sql` are."""
    converts = [_converter(column.type) for column in columns]
    for row in rows:
        yield [
            value if convert is None or value is None else convert(value)
            for convert, value in zip(converts, row, strict=True)
        ]


def numeric_columns(columns: Sequence[Column]) -> list[bool]:
    return [column.type.startswith(("int", "uint", "float", "double", "half", "decimal")) for column in columns]


def _converter(kind: str) -> Convert | None:
    """By the type as Arrow calls it; None for what is plain already, or is made of other values."""
    if kind.startswith("timestamp[") and not kind.startswith("timestamp[ns"):
        # Python's times know no nanoseconds: those stay the text they are.
        return datetime.fromisoformat
    if kind in {"binary", "large_binary"}:
        return lambda value: f"0x{b64decode(value).hex()}"
    if kind.startswith("decimal"):
        return Decimal
    if kind.startswith(("int", "uint")):
        return int
    return _number if kind in {"float", "double", "halffloat"} else None


def _number(value: Any) -> Any:
    return _ENDLESS.get(value, value) if isinstance(value, str) else value
