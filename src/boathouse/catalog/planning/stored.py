"""What manifests hold, of the kind it has to be: Avro itself only says that it is what its writer said."""

from decimal import Decimal
from typing import Any, TypeVar, cast

from boathouse.catalog.planning.avro import Record
from boathouse.catalog.planning.values import FLOATING, NANOS, TIMESTAMPS, WHOLE, Value, scale_of

T = TypeVar("T")
# Object stores allow 1,024 bytes for a key; some clients encode theirs.
_LONGEST_TEXT = 16 * 1024
UNKNOWN = "unknown"
"""The type of a column that is gone, or of what a newer transform makes: any plain value."""
_PLAIN = (bool, int, float, str, bytes, Decimal)
_COUNTED = WHOLE | TIMESTAMPS | NANOS | {"date", "time"}


def needed(record: Record, name: str, kind: type[T]) -> T:
    value = maybe(record, name, kind)
    if value is None:
        raise TypeError(f"{name} is missing")
    return value


def maybe(record: Record, name: str, kind: Any) -> Any:
    """The value, which is of the kind (a list of one kind: a list of such), or None."""
    value = record.get(name)
    if isinstance(kind, list):
        (inner,) = cast(list[type], kind)
        values = cast(list[Any], value) if isinstance(value, list) else []
        fits = isinstance(value, list) and all(_is(one, inner) for one in values)
    else:
        fits = _is(value, kind)
    if value is not None and not fits:
        raise TypeError(f"{name} is {type(value).__name__}, or too long")
    return value


def maybe_map(record: Record, name: str, kind: type[T]) -> dict[int, T]:
    """Avro's maps have strings for keys, so Iceberg writes lists of pairs."""
    pairs: Any = record.get(name) or ()
    found = {pair["key"]: pair["value"] for pair in pairs}
    if not all(_is(key, int) and _is(value, kind) for key, value in found.items()):
        raise TypeError(f"{name} has something else in it")
    return found


def checked_partition(value: Value | None, kind: str) -> Value | None:
    """A value that can be compared with others of its column, and written."""
    if value is None or (isinstance(value, _kinds(kind)) and isinstance(value, bool) <= (kind in {"boolean", UNKNOWN})):
        return value
    raise TypeError(f"a partition of {kind} has a value that is {type(value).__name__}")


def _kinds(kind: str) -> tuple[type, ...]:
    if kind in _COUNTED:
        return (int,)
    if kind in FLOATING:
        return (float, int)
    if scale_of(kind) is not None:
        return (Decimal,)
    return {"string": (str,), "boolean": (bool,), UNKNOWN: _PLAIN}.get(kind, (bytes,))


def _is(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, kind) and not (isinstance(value, str) and len(value) > _LONGEST_TEXT)
