"""Schemas: checked, given fresh field ids, compared."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from boathouse.catalog.errors import BadRequest, IllegalArgument
from boathouse.catalog.metadata.fields import Json, a_bool, a_list, a_string, an_int, as_object, ints, objects

# A type's nesting is walked by recursion; no real table comes near this.
_DEEPEST = 64
_PRIMITIVE = re.compile(
    r"boolean|int|long|float|double|date|time|timestamp|timestamptz|timestamp_ns|timestamptz_ns|string|uuid|binary|"
    r"variant|unknown|geometry(\(.*\))?|geography(\(.*\))?|fixed\[\s*\d+\s*\]|decimal\(\s*\d+\s*,\s*\d+\s*\)"
)
_SINCE_V3 = re.compile(r"timestamp_ns|timestamptz_ns|variant|unknown|geometry.*|geography.*")


@dataclass(frozen=True)
class Field:
    """A column or a field inside one, with its dotted name."""

    id: int
    name: str
    type: Any
    json: Json


def checked_schema(json: Any) -> Json:
    """The schema, once it is known to be one: every type is known, no id and no name is used twice."""
    schema = as_object(json, "schema")
    if schema.get("type", "struct") != "struct":
        raise BadRequest(f"Cannot create schema, not a struct type: {str(schema.get('type'))[:100]}")
    fields = list(all_fields(schema))
    _refuse_twice([field.id for field in fields], "Multiple entries with same key: field id {}")
    _refuse_twice([field.name for field in fields], "Invalid schema: multiple fields for name {}")
    if schema.get("identifier-field-ids") is not None:
        _check_identifiers(schema, fields)
    return schema


def all_fields(schema: Json) -> Iterator[Field]:
    """Every field at every depth, each level before the ones inside it."""
    return _fields_of({**schema, "type": "struct"}, "", 0)


def fields_by_id(schema: Json) -> dict[int, Field]:
    return {field.id: field for field in all_fields(schema)}


def highest_field_id(schema: Json) -> int:
    return max((field.id for field in all_fields(schema)), default=0)


def is_primitive(kind: Any) -> bool:
    return isinstance(kind, str)


def same_schema(one: Json, other: Json) -> bool:
    """Whether they describe the same columns, whatever ids the schemas have."""
    return _essence(one) == _essence(other)


def check_version(schema: Json, version: int) -> None:
    """A type or default that came with v3 is refused in older tables."""
    if version >= 3:
        return
    problems = [problem for field in all_fields(schema) if (problem := _too_new(field))]
    if problems:
        raise IllegalArgument(f"Invalid schema for v{version}:\n" + "\n".join(f"- {problem}" for problem in problems))


def with_fresh_ids(schema: Json) -> Json:
    """The schema with ids counted from 1: all of a level first, then what is inside its fields in turn."""
    last = 0
    new_ids: dict[int, int] = {}

    def fresh(old: int) -> int:
        nonlocal last
        last += 1
        new_ids[old] = last
        return last

    struct = _renumbered({**schema, "type": "struct"}, fresh)
    identifiers = [new_ids[old] for old in schema.get("identifier-field-ids") or ()]
    return {**struct, "schema-id": 0, **({"identifier-field-ids": identifiers} if identifiers else {})}


def _fields_of(kind: Any, prefix: str, depth: int) -> Iterator[Field]:
    if depth > _DEEPEST:
        raise BadRequest(f"Cannot parse type: nested deeper than {_DEEPEST} levels")
    if isinstance(kind, str):
        if not _PRIMITIVE.fullmatch(kind):
            raise BadRequest(f"Cannot parse type string: not a known type: {kind[:100]}")
        return
    parts = list(_parts(as_object(kind, "type"), prefix))
    yield from parts
    for part in parts:
        yield from _fields_of(part.type, f"{part.name}.", depth + 1)


def _parts(kind: Json, prefix: str) -> Iterator[Field]:
    match kind.get("type"):
        case "struct":
            for field in objects(kind, "fields"):
                a_bool(field, "required")
                yield Field(an_int(field, "id"), prefix + a_string(field, "name"), field.get("type"), field)
        case "list":
            a_bool(kind, "element-required")
            yield Field(an_int(kind, "element-id"), f"{prefix}element", kind.get("element"), kind)
        case "map":
            a_bool(kind, "value-required")
            yield Field(an_int(kind, "key-id"), f"{prefix}key", kind.get("key"), kind)
            yield Field(an_int(kind, "value-id"), f"{prefix}value", kind.get("value"), kind)
        case other:
            raise BadRequest(f"Cannot parse type from json: {str(other)[:100]}")


def _renumbered(kind: Any, fresh: Callable[[int], int]) -> Any:
    if is_primitive(kind):
        return kind
    match kind["type"]:
        case "struct":
            numbered = [{**field, "id": fresh(field["id"])} for field in kind["fields"]]
            return {**kind, "fields": [{**field, "type": _renumbered(field["type"], fresh)} for field in numbered]}
        case "list":
            new = {**kind, "element-id": fresh(kind["element-id"])}
            return {**new, "element": _renumbered(kind["element"], fresh)}
        case _:
            new = {**kind, "key-id": fresh(kind["key-id"]), "value-id": fresh(kind["value-id"])}
            key = _renumbered(kind["key"], fresh)
            return {**new, "key": key, "value": _renumbered(kind["value"], fresh)}


def _essence(schema: Json) -> tuple[Any, frozenset[int]]:
    return a_list(schema, "fields"), frozenset(schema.get("identifier-field-ids") or ())


def _too_new(field: Field) -> str | None:
    if isinstance(field.type, str) and _SINCE_V3.fullmatch(field.type):
        return f"Invalid type for {field.name}: {field.type} is not supported until v3"
    if field.json.get("initial-default") is not None:
        return f"Invalid initial default for {field.name}: non-null default is not supported until v3"
    return None


def _check_identifiers(schema: Json, fields: list[Field]) -> None:
    known = {field.id: field for field in fields}
    for identifier in ints(schema, "identifier-field-ids"):
        field = known.get(identifier)
        if field is None:
            raise IllegalArgument(f"Cannot add fieldId {identifier} as an identifier field: field does not exist")
        if not is_primitive(field.type):
            raise IllegalArgument(f"Cannot add field {field.name} as an identifier field: not a primitive type field")
        if not field.json.get("required", True):
            raise IllegalArgument(f"Cannot add field {field.name} as an identifier field: not a required field")


def _refuse_twice(values: list[Any], message: str) -> None:
    seen: set[Any] = set()
    for value in values:
        if value in seen:
            raise IllegalArgument(message.format(value))
        seen.add(value)
