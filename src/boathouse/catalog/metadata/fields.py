"""Fields of JSON objects that came from outside: each is there and of its kind, or the request is refused."""

import binascii
from collections.abc import Sequence
from typing import Any, cast

from boathouse.catalog.errors import BadRequest

Json = dict[str, Any]

LARGEST_INT = 2**31 - 1
LARGEST_LONG = 2**63 - 1
_INT = (-LARGEST_INT - 1, LARGEST_INT)
_LONG = (-LARGEST_LONG - 1, LARGEST_LONG)


def as_object(value: Any, what: str) -> Json:
    if not isinstance(value, dict):
        raise BadRequest(f"Cannot parse {what} from non-object: {_shown(value)}")
    return cast(Json, value)


def an_object(json: Json, name: str) -> Json:
    return as_object(_there(json, name, "object"), name)


def a_list(json: Json, name: str) -> list[Any]:
    value = _there(json, name, "list")
    if not isinstance(value, list):
        raise BadRequest(f"Cannot parse {name} from non-array: {_shown(value)}")
    return cast(list[Any], value)


def objects(json: Json, name: str) -> list[Json]:
    return [as_object(value, name) for value in a_list(json, name)]


def a_string(json: Json, name: str) -> str:
    value = _there(json, name, "string")
    if not isinstance(value, str):
        raise BadRequest(f"Cannot parse to a string value: {name}: {_shown(value)}")
    return value


def base64(json: Json, name: str) -> str:
    value = a_string(json, name)
    try:
        # Padding may be left out: Iceberg's own reader does without.
        binascii.a2b_base64(value.encode() + b"=" * (-len(value) % 4), strict_mode=True)
    except ValueError:
        raise BadRequest(f"Cannot parse base64: {name}: {_shown(value)}") from None
    return value


def an_int(json: Json, name: str) -> int:
    return _whole(_there(json, name, "int"), name, "an integer", _INT)


def a_long(json: Json, name: str) -> int:
    return _whole(_there(json, name, "long"), name, "a long", _LONG)


def a_bool(json: Json, name: str) -> bool:
    value = _there(json, name, "boolean")
    if not isinstance(value, bool):
        raise BadRequest(f"Cannot parse to a boolean value: {name}: {_shown(value)}")
    return value


def ints(json: Json, name: str) -> list[int]:
    return [_whole(value, name, "an integer", _INT) for value in a_list(json, name)]


def longs(json: Json, name: str) -> list[int]:
    return [_whole(value, name, "a long", _LONG) for value in a_list(json, name)]


def strings(json: Json, name: str) -> list[str]:
    values = a_list(json, name)
    for value in values:
        if not isinstance(value, str):
            raise BadRequest(f"Cannot parse string from non-text value in {name}: {_shown(value)}")
    return values


def string_map(json: Json, name: str) -> dict[str, str]:
    values = an_object(json, name)
    for key, value in values.items():
        if not isinstance(value, str):
            raise BadRequest(f"Cannot parse to a string value: {key}: {_shown(value)}")
    return values


def next_id(entries: Sequence[Json], name: str, first: int = 0) -> int:
    """One that none of these has. Readers take no number that is larger than an int."""
    found = max([first, *(entry[name] + 1 for entry in entries)])
    if found > LARGEST_INT:
        raise BadRequest(f"Cannot assign {name}: no number is left after {LARGEST_INT}")
    return found


def by_id(entries: Sequence[Json], name: str, wanted: int) -> Json | None:
    return next((entry for entry in entries if entry.get(name) == wanted), None)


def _there(json: Json, name: str, kind: str) -> Any:
    value = json.get(name)
    if value is None:
        raise BadRequest(f"Cannot parse missing {kind}: {name}")
    return value


def _whole(value: Any, name: str, kind: str, bounds: tuple[int, int]) -> int:
    low, high = bounds
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadRequest(f"Cannot parse to {kind} value: {name}: {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    return repr(value)[:100]
