"""Plain values as people and programs read them: what JSON knows, and dates, times and decimals."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import orjson

NULL = "NULL"
# Control characters would move the cursor or colour the screen; a table shows their escapes instead.
_VISIBLE = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160))}


def to_json(value: Any) -> bytes:
    return orjson.dumps(value, default=_json_of, option=orjson.OPT_UTC_Z)


def to_text(value: Any) -> str:
    """A plain value as a cell of text."""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return value.isoformat(sep=" ").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    return NULL if value is None else to_json(value).decode()


def counted(number: int, noun: str) -> str:
    """So many of them, as people say it."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def visible(text: str) -> str:
    """The text with its control characters shown rather than obeyed."""
    return text.translate(_VISIBLE)


def _json_of(value: object) -> Any:
    if isinstance(value, Decimal):
        # A number with all its digits, where a float would lose some.
        return orjson.Fragment(f"{value:f}")
    raise TypeError(f"{type(value).__name__} has no JSON form")
