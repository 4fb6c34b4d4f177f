"""Filters as the specification writes them: read, and bound to the columns of a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from boathouse.catalog.errors import BadRequest
from boathouse.catalog.metadata import Json
from boathouse.catalog.metadata.fields import a_list, a_string, as_object
from boathouse.catalog.planning.columns import Column, Columns
from boathouse.catalog.planning.expressions import Filter, Test, Unjudged, all_of, any_of, none_of
from boathouse.catalog.planning.transforms import is_known, result_type
from boathouse.catalog.planning.values import NotComparable, Value, from_json

_UNARY = frozenset({"is-null", "not-null", "is-nan", "not-nan"})
_SETS = frozenset({"in", "not-in"})
_COMPARISONS = frozenset({"lt", "lt-eq", "gt", "gt-eq", "eq", "not-eq", "starts-with", "not-starts-with"})
_CONSTANTS = {"true": True, "false": False}
_MIRRORED = {"lt": "gt", "gt": "lt", "lt-eq": "gt-eq", "gt-eq": "lt-eq", "eq": "eq", "not-eq": "not-eq"}
# Deeper than people and engines write, and less deep than Python's own stack. Chains of one kind do not count.
_DEEPEST = 100


@dataclass(frozen=True)
class _Term:
    column: Column
    transform: str


def read_filter(json: Any, columns: Columns) -> Filter:
    return _read(json, columns, 0)


def _read(json: Any, columns: Columns, depth: int) -> Filter:
    if isinstance(json, bool):
        return json
    if isinstance(json, str) and json in _CONSTANTS:
        return _CONSTANTS[json]
    if depth > _DEEPEST:
        raise BadRequest(f"Cannot parse expression: it is nested deeper than {_DEEPEST} levels")
    expression = as_object(json, "expression")
    kind = a_string(expression, "type")
    if kind in _CONSTANTS:
        return _CONSTANTS[kind]
    if kind in {"and", "or"}:
        parts = [_read(part, columns, depth + 1) for part in _chain(expression, kind)]
        return all_of(parts) if kind == "and" else any_of(parts)
    if kind == "not":
        return none_of(_read(expression.get("child"), columns, depth + 1))
    return _test(kind, expression, columns)


def _chain(expression: Json, kind: str) -> Iterator[Any]:
    """The parts of `a and b and c`, however they are nested."""
    waiting: list[Any] = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and cast(Json, part).get("type") == kind:
            waiting += [cast(Json, part).get("right"), cast(Json, part).get("left")]
        else:
            yield part


def _test(kind: str, expression: Json, columns: Columns) -> Filter:
    if kind in _UNARY:
        return _bound(kind, _operand(expression, "child"), [], expression, columns)
    if kind in _SETS:
        return _bound(kind, _operand(expression, "child"), _values(expression), expression, columns)
    if kind in _COMPARISONS:
        return _comparison(kind, expression, columns)
    raise BadRequest(f"Cannot parse expression: {kind[:100]!r} is not a type of expression")


def _comparison(kind: str, expression: Json, columns: Columns) -> Filter:
    left = _operand(expression, "left")
    right = expression["right"] if "right" in expression else expression.get("value")
    if "left" in expression and _is_literal(left) and not _is_literal(right):
        if kind not in _MIRRORED:
            return Unjudged(expression)
        kind, left, right = _MIRRORED[kind], right, left
    if right is None:
        raise BadRequest("Cannot parse expression: a comparison needs a value")
    return _bound(kind, left, [right], expression, columns)


def _bound(kind: str, operand: Any, literals: list[Any], expression: Json, columns: Columns) -> Filter:
    term = _term(operand, columns)
    if term is None or not all(_is_literal(literal) for literal in literals):
        return Unjudged(expression)
    try:
        values = tuple(_value(literal, result_type(term.transform, term.column.type)) for literal in literals)
    except NotComparable:
        return Unjudged(expression)
    if kind in _SETS and not values:
        return kind == "not-in"
    if "starts-with" in kind and not all(isinstance(value, str) for value in values):
        raise BadRequest(f"Cannot parse expression: {kind} compares strings")
    if term.column.repeated:
        return Unjudged(expression)
    return Test(kind, term.column, term.transform, values, expression)


def _operand(expression: Json, name: str) -> Any:
    """What is tested, under its name in the specification or the older `term`."""
    operand = expression[name] if name in expression else expression.get("term")
    if operand is None:
        raise BadRequest(f"Cannot parse missing field: {name}")
    return operand


def _term(operand: Any, columns: Columns) -> _Term | None:
    """The column, or a known transform of it; None for anything else that may stand there."""
    if isinstance(operand, str):
        return _Term(columns.named(operand), "identity")
    json = as_object(operand, "term")
    kind = a_string(json, "type")
    if kind == "reference":
        return _Term(_referred(json, columns), "identity")
    if kind == "transform":
        return _transformed(a_string(json, "transform"), json.get("term"), columns)
    if kind == "apply":
        return _applied(json, columns)
    if kind == "literal":
        return None
    raise BadRequest(f"Cannot parse term: {kind[:100]!r} is not a type of term")


def _referred(json: Json, columns: Columns) -> Column:
    # Java's clients write a reference's name as its `term`.
    name = json.get("name", json.get("term"))
    if isinstance(name, str):
        return columns.named(name)
    field_id = json.get("id")
    if isinstance(field_id, bool) or not isinstance(field_id, int):
        raise BadRequest("Cannot parse reference: it has neither a name nor an id")
    return columns.numbered(field_id)


def _transformed(transform: str, operand: Any, columns: Columns) -> _Term | None:
    found = _term(operand, columns)
    return _Term(found.column, transform) if found and found.transform == "identity" and is_known(transform) else None


def _applied(json: Json, columns: Columns) -> _Term | None:
    function, arguments = json.get("function"), a_list(json, "arguments")
    if not isinstance(function, str) or len(arguments) != 1 or not isinstance(arguments[0], dict):
        return None
    return _transformed(function, arguments[0], columns)


def _values(expression: Json) -> list[Any]:
    values = expression.get("values")
    if isinstance(values, dict):
        return a_list(cast(Json, values), "values")
    return a_list(expression, "values")


def _is_literal(value: Any) -> bool:
    return not isinstance(value, dict) or cast(Json, value).get("type") == "literal"


def _value(literal: Any, kind: str) -> Value:
    value = cast(Json, literal).get("value") if isinstance(literal, dict) else literal
    return from_json(value, kind)
