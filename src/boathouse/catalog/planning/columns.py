"""The columns of a schema by name: nested ones with their parents' names before them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from boathouse.catalog.errors import Validation
from boathouse.catalog.metadata import Json


@dataclass(frozen=True)
class Column:
    id: int
    name: str
    type: str
    """A primitive type's name, or the kind of a nested one."""
    repeated: bool = False
    """Inside a list or map: a row has many values, so that no bounds speak for it."""


class Columns:
    def __init__(self, schema: Json, *, case_sensitive: bool = True) -> None:
        self._case_sensitive = case_sensitive
        columns = list(_columns(schema))
        self._by_name = {self._key(column.name): column for column in columns}
        self._by_id = {column.id: column for column in columns}

    def find(self, name: str) -> Column | None:
        return self._by_name.get(self._key(name))

    def named(self, name: str) -> Column:
        column = self.find(name)
        if column is None:
            raise Validation(f"Cannot find field '{name[:100]}' in the table's schema")
        return column

    def numbered(self, field_id: int) -> Column:
        column = self._by_id.get(field_id)
        if column is None:
            raise Validation(f"Cannot find field id {field_id} in the table's schema")
        return column

    def _key(self, name: str) -> str:
        return name if self._case_sensitive else name.lower()


def types_by_id(metadata: Json) -> dict[int, str]:
    """Of every column the table has or had: a partition may be by one that was dropped since."""
    current = metadata["current-schema-id"]
    schemas = sorted(metadata["schemas"], key=lambda schema: schema["schema-id"] == current)
    return {column.id: column.type for schema in schemas for column in _columns(schema)}


def _columns(schema: Json) -> Iterator[Column]:
    return _walk({**schema, "type": "struct"}, "", repeated=False)


def _walk(nested: Json, prefix: str, *, repeated: bool) -> Iterator[Column]:
    for name, field_id, kind, inside in _parts(nested):
        yield Column(field_id, prefix + name, kind if isinstance(kind, str) else kind["type"], repeated or inside)
        if isinstance(kind, dict):
            yield from _walk(kind, f"{prefix}{name}.", repeated=repeated or inside)


def _parts(nested: Json) -> Iterator[tuple[str, int, Any, bool]]:
    """What a nested type consists of: name, id, type, and whether a row has many of it."""
    if nested["type"] == "struct":
        yield from ((field["name"], field["id"], field["type"], False) for field in nested["fields"])
    elif nested["type"] == "list":
        yield "element", nested["element-id"], nested["element"], True
    elif nested["type"] == "map":
        yield "key", nested["key-id"], nested["key"], True
        yield "value", nested["value-id"], nested["value"], True
