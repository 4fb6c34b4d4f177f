"""What pydantic finds wrong with a value, in plain words."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from pydantic_core import ErrorDetails

_KINDS: Mapping[type, str] = {
    int: "a number",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "a mapping",
    date: "a date",
    datetime: "a time",
}
_WANTED = {
    "string_type": "text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "list_type": "a list",
    "dict_type": "a mapping, as key: value",
    "model_type": "a mapping, as key: value",
    "path_type": "a path",
}
_SHORT = 40
# Filled in from what pydantic knows of the problem.
_SAID = {
    "missing": "is missing",
    "string_too_short": "must not be empty",
    "too_short": "must not be empty",
    "literal_error": "must be {expected}, not {found}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
}


def in_words(problem: ErrorDetails) -> str:
    """Such as `is missing` or `must be text, not a number`; what is not known here stays as pydantic says it."""
    kind, found = problem["type"], _found(problem["input"])
    if kind in _WANTED:
        return f"must be {_WANTED[kind]}, not {found}"
    if kind in _SAID:
        return _SAID[kind].format(found=found, **problem.get("ctx", {}))
    return problem["msg"].removeprefix("Value error, ")


def _found(value: Any) -> str:
    """The value itself where it is short and plain, else what kind of thing it is."""
    if isinstance(value, str):
        return repr(value) if len(value) <= _SHORT else "that text"
    if value is None or isinstance(value, bool):
        return str(value).lower().replace("none", "null")
    return _KINDS.get(type(value), type(value).__name__)
