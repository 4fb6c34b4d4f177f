"""Partition specs: checked against a schema, given field ids, compared."""

import re
from typing import Any

from boathouse.catalog.errors import IllegalArgument, Validation
from boathouse.catalog.metadata.fields import LARGEST_INT, Json, a_string, an_int, as_object, ints, objects
from boathouse.catalog.metadata.schemas import Field, all_fields, fields_by_id, is_primitive

FIRST_FIELD_ID = 1000
"""Partition fields are counted from here, as the table format has it."""
UNPARTITIONED: Json = {"spec-id": 0, "fields": []}

_TRANSFORM = re.compile(r"identity|void|year|month|day|hour|bucket\[\d+\]|truncate\[\d+\]")
_WIDTH = re.compile(r"(bucket|truncate)\[(\d+)\]")
_DIGITS = 20
_DATES = frozenset({"date", "timestamp", "timestamptz", "timestamp_ns", "timestamptz_ns"})
_UNORDERED = re.compile(r"variant|geometry.*|geography.*")
_TRUNCATED = re.compile(r"int|long|string|binary|decimal.*")
_HASHED = re.compile(r"int|long|date|time|timestamp.*|string|uuid|binary|fixed.*|decimal.*")


def checked_fields(spec: Any) -> list[Json]:
    """The spec's fields, each with a source, a name and a transform."""
    fields = objects(as_object(spec, "partition spec"), "fields")
    for field in fields:
        sources(field)
        a_string(field, "name")
        a_string(field, "transform")
        if field.get("field-id") is not None:
            an_int(field, "field-id")
    return fields


def sources(field: Json) -> list[int]:
    """The columns a field is made from: one, or several for a transform of several arguments."""
    return ints(field, "source-ids") if field.get("source-ids") is not None else [an_int(field, "source-id")]


def last_field_id(fields: list[Json]) -> int:
    return max((field["field-id"] for field in fields), default=FIRST_FIELD_ID - 1)


def with_ids(fields: list[Json], last: int) -> list[Json]:
    """Fields that came without an id get the next ones after `last`."""
    last = max(
        [last, FIRST_FIELD_ID - 1, *(field["field-id"] for field in fields if field.get("field-id") is not None)]
    )
    numbered: list[Json] = []
    for field in fields:
        if field.get("field-id") is None:
            last += 1
            if last > LARGEST_INT:
                raise Validation(f"Cannot assign a partition field ID: no number is left after {LARGEST_INT}")
            numbered.append({**field, "field-id": last})
        else:
            numbered.append(field)
    return numbered


def same_fields(one: list[Json], other: list[Json]) -> bool:
    """Whether they partition alike, whatever ids their fields have."""

    def essence(fields: list[Json]) -> list[tuple[Any, ...]]:
        return [(sources(field), field["name"], field["transform"]) for field in fields]

    return essence(one) == essence(other)


def check_compatible(fields: list[Json], schema: Json) -> None:
    """Every field's source is a primitive column of the schema, to which its transform can be applied."""
    columns = fields_by_id(schema)
    for field in fields:
        if field["transform"] != "void":
            for source in sources(field):
                check_source(columns.get(source), field["name"], field["transform"], "partition")


def check_names(fields: list[Json], schema: Json) -> None:
    """A partition's name is its own, or that of the very column it holds."""
    columns = {column.name: column.id for column in all_fields(schema)}
    seen: set[str] = set()
    for field in fields:
        name = field["name"]
        if not name:
            raise IllegalArgument(f"Cannot use empty or null partition name: {name}")
        if name in seen:
            raise IllegalArgument(f"Cannot use partition name more than once: {name}")
        seen.add(name)
        _check_conflict(field, columns.get(name))


def check_ids(fields: list[Json]) -> None:
    """Values of a partition are found by the ids of its fields."""
    ids = [field["field-id"] for field in fields]
    twice = next((one for place, one in enumerate(ids) if one in ids[:place]), None)
    if twice is not None:
        raise IllegalArgument(f"Cannot use partition field ID more than once: {twice}")


def check_source(column: Field | None, name: str, transform: str, what: str) -> None:
    if column is None:
        raise Validation(f"Cannot find source column for {what} field: {name}")
    if not is_primitive(column.type):
        raise Validation(f"Cannot {what} by non-primitive source field: {column.name}")
    _check_width(transform)
    if not _applies(transform, column.type):
        raise Validation(f"Invalid source type {column.type} for transform: {transform}")


def check_sequential(fields: list[Json]) -> None:
    """v1 knows no field ids: readers count them."""
    if [field["field-id"] for field in fields] != [FIRST_FIELD_ID + i for i in range(len(fields))]:
        raise Validation("Spec does not use sequential IDs that are required in v1")


def _check_width(transform: str) -> None:
    found = _WIDTH.fullmatch(transform)
    if found and not 0 < int(found[2][:_DIGITS]) <= LARGEST_INT:
        what = "number of buckets" if found[1] == "bucket" else "truncate width"
        raise IllegalArgument(f"Invalid {what}: {found[2][:_DIGITS]} (must be > 0 and <= {LARGEST_INT})")


def _applies(transform: str, kind: str) -> bool:
    if not _TRANSFORM.fullmatch(transform):
        return True  # a transform of a newer format: readers that do not know it ignore it
    if transform in {"year", "month", "day"}:
        return kind in _DATES
    if transform == "hour":
        return kind in _DATES - {"date"}
    if transform.startswith("bucket"):
        return _HASHED.fullmatch(kind) is not None
    if transform.startswith("truncate"):
        return _TRUNCATED.fullmatch(kind) is not None
    return transform == "void" or _UNORDERED.fullmatch(kind) is None


def _check_conflict(field: Json, column_id: int | None) -> None:
    if column_id is None or field["transform"] == "void":
        return
    if field["transform"] != "identity":
        raise IllegalArgument(f"Cannot create partition from name that exists in schema: {field['name']}")
    if sources(field) != [column_id]:
        raise IllegalArgument(
            f"Cannot create identity partition sourced from different field in schema: {field['name']}"
        )
