"""The metadata of a new table, from a request to create one."""

from boathouse.catalog.errors import IllegalArgument
from boathouse.catalog.metadata.fields import Json
from boathouse.catalog.metadata.form import SUPPORTED_VERSION, complete
from boathouse.catalog.metadata.partitioning import (
    check_compatible,
    check_names,
    checked_fields,
    last_field_id,
    sources,
    with_ids,
)
from boathouse.catalog.metadata.properties import kept_properties, whole_number
from boathouse.catalog.metadata.schemas import (
    Field,
    all_fields,
    check_version,
    checked_schema,
    fields_by_id,
    highest_field_id,
    with_fresh_ids,
)
from boathouse.catalog.metadata.sorting import UNSORTED, checked_order
from boathouse.catalog.metadata.sorting import check_compatible as check_order_compatible

DEFAULT_VERSION = 2


def new_table(
    *,
    uuid: str,
    location: str,
    schema: Json,
    partition_spec: Json | None,
    write_order: Json | None,
    properties: dict[str, str],
    now_ms: int,
) -> Json:
    """Field ids are assigned afresh, and the spec and order that refer to the request's ids follow them."""
    asked = checked_schema(schema)
    fresh = with_fresh_ids(asked)
    version = format_version(properties)
    check_version(fresh, version)
    follow = _Renaming(asked, fresh)
    spec: Json = {"spec-id": 0, "fields": _fresh_partitions(partition_spec, follow, fresh)}
    order = _fresh_order(write_order, follow, fresh)
    metadata: Json = {
        "format-version": version,
        "table-uuid": uuid,
        "location": location,
        "last-sequence-number": 0,
        "last-updated-ms": now_ms,
        "last-column-id": highest_field_id(fresh),
        "current-schema-id": 0,
        "schemas": [fresh],
        "default-spec-id": 0,
        "partition-specs": [spec],
        "last-partition-id": last_field_id(spec["fields"]),
        "default-sort-order-id": order["order-id"],
        "sort-orders": [order],
        "properties": kept_properties(properties),
    }
    return complete(metadata)


def format_version(properties: dict[str, str]) -> int:
    version = whole_number(properties, "format-version", DEFAULT_VERSION)
    if not 1 <= version <= SUPPORTED_VERSION:
        raise IllegalArgument(f"Unsupported format version: v{version} (supported: v{SUPPORTED_VERSION})")
    return version


class _Renaming:
    """From a field's id in the request to its fresh one: both schemas list the same fields in the same order."""

    def __init__(self, asked: Json, fresh: Json) -> None:
        self._old = fields_by_id(asked)
        self._new = {field.name: field for field in all_fields(fresh)}

    def field(self, old: int) -> Field | None:
        return self._new[self._old[old].name] if old in self._old else None

    def sources(self, entry: Json, what: str) -> Json:
        """`entry` with its sources renamed, in the form it came in."""
        found = [self._known(old, entry, what) for old in sources(entry)]
        return {**entry, "source-ids": found} if "source-ids" in entry else {**entry, "source-id": found[0]}

    def _known(self, old: int, entry: Json, what: str) -> int:
        field = self.field(old)
        if field is None:
            raise IllegalArgument(f"Cannot find source column for {what} field: {entry.get('name', old)}")
        return field.id


def _fresh_partitions(spec: Json | None, follow: _Renaming, schema: Json) -> list[Json]:
    if spec is None:
        return []
    fields = [follow.sources(field, "partition") for field in checked_fields(spec)]
    fields = with_ids([{name: value for name, value in field.items() if name != "field-id"} for field in fields], 0)
    check_names(fields, schema)
    check_compatible(fields, schema)
    return fields


def _fresh_order(order: Json | None, follow: _Renaming, schema: Json) -> Json:
    if order is None or not checked_order(order)["fields"]:
        return UNSORTED
    fresh = {**order, "order-id": 1, "fields": [follow.sources(field, "sort") for field in order["fields"]]}
    check_order_compatible(fresh, schema)
    return fresh
