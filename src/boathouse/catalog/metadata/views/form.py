"""The form a view's metadata has in a file, and how it is told from a table's."""

from typing import Any

from boathouse.catalog.errors import BadRequest
from boathouse.catalog.metadata.fields import Json, a_long, a_string, an_int, as_object, by_id, objects, string_map
from boathouse.catalog.metadata.schemas import checked_schema
from boathouse.catalog.metadata.views.versions import checked_version

SUPPORTED_VERSION = 1


def is_view(metadata: Json) -> bool:
    return "view-uuid" in metadata and "table-uuid" not in metadata


def read_view(json: Any) -> Json:
    """Metadata from a file somebody else may have written, in the one form the rest of this package expects."""
    metadata = dict(as_object(json, "view metadata"))
    if an_int(metadata, "format-version") < 1:
        raise BadRequest(f"Cannot read unsupported version {metadata['format-version']}")
    a_string(metadata, "view-uuid")
    a_string(metadata, "location")
    metadata["properties"] = string_map(metadata, "properties") if metadata.get("properties") is not None else {}
    for schema in objects(metadata, "schemas"):
        an_int(checked_schema(schema), "schema-id")
    for version in objects(metadata, "versions"):
        checked_version(version)
    for entry in objects(metadata, "version-log"):
        an_int(entry, "version-id")
        a_long(entry, "timestamp-ms")
    _check_current(metadata)
    return metadata


def _check_current(metadata: Json) -> None:
    current = by_id(metadata["versions"], "version-id", an_int(metadata, "current-version-id"))
    if current is None:
        known = [version["version-id"] for version in metadata["versions"]]
        raise BadRequest(f"Cannot find current version {metadata['current-version-id']} in view versions: {known}")
    if by_id(metadata["schemas"], "schema-id", current["schema-id"]) is None:
        known = [schema["schema-id"] for schema in metadata["schemas"]]
        raise BadRequest(f"Cannot find current schema with id {current['schema-id']} in schemas: {known}")
