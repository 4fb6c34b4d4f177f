"""Avro's schemas: the columns that a record has."""

from typing import Any

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.types import ColumnType, Decimal, ListOf, MapOf, Primitive, Struct

_NAMED: dict[str, ColumnType] = {
    "boolean": Primitive("boolean"),
    "int": Primitive("int"),
    "long": Primitive("long"),
    "float": Primitive("float"),
    "double": Primitive("double"),
    "bytes": Primitive("binary"),
    "string": Primitive("string"),
    "enum": Primitive("string"),
    "fixed": Primitive("binary"),
}
_LOGICAL: dict[str, ColumnType] = {
    "date": Primitive("date"),
    "timestamp-millis": Primitive("timestamptz"),
    "timestamp-micros": Primitive("timestamptz"),
    "local-timestamp-millis": Primitive("timestamp"),
    "local-timestamp-micros": Primitive("timestamp"),
}
WITHIN, END = "event", "end"
MARK = b"boathouse\xfe\xdb\xca\x98\x76\x54\x32"
"""What is put behind a message, so that it can be told whether the event ends where the message does."""


def within_a_record(schema: Any) -> dict[str, Any]:
    """One that has MARK behind the event. Avro writes nothing but the values of fields, one after another."""
    mark = {"type": "fixed", "name": "_bh_end", "size": len(MARK)}
    fields = [{"name": WITHIN, "type": schema}, {"name": END, "type": mark}]
    return {"type": "record", "name": "_bh_message", "fields": fields}


def record_columns(schema: Any) -> dict[str, ColumnType]:
    if not isinstance(schema, dict) or schema.get("type") != "record" or not isinstance(schema.get("fields"), list):
        raise InvalidInput(
            "avro_schema is not a record.", hint="Give the schema of the whole event, as Avro writes it."
        )
    return {field["name"]: column_type(field["type"]) for field in schema["fields"]}


def column_type(kind: Any) -> ColumnType:
    if isinstance(kind, dict):
        return _logical(kind) or _nested(kind)
    if isinstance(kind, list):
        kinds = [each for each in kind if each != "null"]
        # Spark reads a union of several as their members; nothing else is a column.
        return column_type(kinds[0]) if len(kinds) == 1 else _union(kinds)
    return _NAMED.get(kind, Primitive("string"))


def _union(kinds: list[Any]) -> ColumnType:
    return Struct(tuple((f"member{place}", column_type(kind)) for place, kind in enumerate(kinds)))


def _logical(kind: dict[str, Any]) -> ColumnType | None:
    if kind.get("logicalType") == "decimal":
        return Decimal(kind["precision"], kind.get("scale", 0))
    return _LOGICAL.get(kind.get("logicalType", ""))


def _nested(kind: dict[str, Any]) -> ColumnType:
    match kind.get("type"):
        case "record":
            return Struct(tuple(record_columns(kind).items()))
        case "array":
            return ListOf(column_type(kind["items"]))
        case "map":
            return MapOf(Primitive("string"), column_type(kind["values"]))
        case plain:
            return column_type(plain)
