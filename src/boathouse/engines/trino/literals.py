"""Values of parameters, as Trino takes them behind USING: each a literal of its type, with nothing in it that is read as SQL."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from boathouse.kit.errors import InvalidInput


def literal(value: Any) -> str:
    """InvalidInput for what is no value of a parameter."""
    written = _WRITERS.get(type(value))
    if written is None:
        raise InvalidInput(
            f"A {type(value).__name__} cannot be given to a statement.", hint="Give text, a number, a date or a time."
        )
    return written(value)


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _timestamp(value: datetime) -> str:
    if value.tzinfo is None:
        return f"TIMESTAMP '{value:%Y-%m-%d %H:%M:%S.%f}'"
    return f"TIMESTAMP '{value.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f} UTC'"


_WRITERS: Mapping[type, Callable[[Any], str]] = {
    str: quoted,
    bool: lambda value: str(value).lower(),
    # Not as bare digits: the least of them is one too many for what stands behind a minus.
    int: lambda value: f"BIGINT '{value}'",
    float: lambda value: f"DOUBLE '{value!r}'",
    datetime: _timestamp,
    date: lambda value: f"DATE '{value.isoformat()}'",
}
