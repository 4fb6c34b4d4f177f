"""A view's versions: each the same query in one or more dialects of SQL."""

from typing import Any

from boathouse.catalog.errors import IllegalArgument
from boathouse.catalog.metadata.fields import Json, a_long, a_string, an_int, as_object, objects, string_map, strings

# What makes one version behave like another, whatever its number and its age.
_ESSENCE = ("summary", "representations", "default-catalog", "default-namespace", "schema-id")


def checked_version(json: Any) -> Json:
    """The version, once it is known to be one."""
    version = as_object(json, "view version")
    an_int(version, "version-id")
    a_long(version, "timestamp-ms")
    an_int(version, "schema-id")
    string_map(version, "summary")
    strings(version, "default-namespace")
    if version.get("default-catalog") is not None:
        a_string(version, "default-catalog")
    for representation in objects(version, "representations"):
        if a_string(representation, "type") == "sql":
            a_string(representation, "sql")
            a_string(representation, "dialect")
    return version


def dialects(version: Json) -> list[str]:
    """In lower case: that is how they are compared. Representations of kinds yet unknown have none."""
    return [entry["dialect"].lower() for entry in version["representations"] if entry["type"] == "sql"]


def refuse_dialects_twice(version: Json) -> None:
    seen: set[str] = set()
    for dialect in dialects(version):
        if dialect in seen:
            raise IllegalArgument(f"Invalid view version: Cannot add multiple queries for dialect {dialect}")
        seen.add(dialect)


def same_version(one: Json, other: Json) -> bool:
    return all(one.get(name) == other.get(name) for name in _ESSENCE)
