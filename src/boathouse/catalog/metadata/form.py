"""The form a table's metadata has in a file: what older writers left out is filled in, what v1 readers need is added."""

from typing import Any

from boathouse.catalog.errors import BadRequest
from boathouse.catalog.metadata.fields import (
    Json,
    a_list,
    a_long,
    a_string,
    an_int,
    an_object,
    as_object,
    objects,
    string_map,
)
from boathouse.catalog.metadata.partitioning import checked_fields, last_field_id, with_ids
from boathouse.catalog.metadata.schemas import checked_schema, highest_field_id
from boathouse.catalog.metadata.sorting import UNSORTED, checked_order

SUPPORTED_VERSION = 3
NO_SNAPSHOT = -1


def read_table(json: Any) -> Json:
    """Metadata from a file somebody else may have written, in the one form the rest of this package expects."""
    metadata = dict(as_object(json, "table metadata"))
    if an_int(metadata, "format-version") < 1:
        raise BadRequest(f"Cannot read unsupported version {metadata['format-version']}")
    a_string(metadata, "location")
    a_long(metadata, "last-updated-ms")
    _fill_schemas(metadata)
    _fill_specs(metadata)
    _fill_orders(metadata)
    _fill_snapshots(metadata)
    _fill_refs(metadata)
    _fill_keys(metadata)
    metadata["properties"] = string_map(metadata, "properties") if metadata.get("properties") is not None else {}
    a_string(metadata, "table-uuid")
    for name in ("last-column-id", "last-partition-id"):
        an_int(metadata, name)
    for name in ("last-sequence-number", "next-row-id"):
        if name in metadata:
            metadata[name] = a_long(metadata, name) if metadata[name] is not None else 0
    return metadata


def current_schema(metadata: Json) -> Json:
    return next(schema for schema in metadata["schemas"] if schema["schema-id"] == metadata["current-schema-id"])


def default_fields(metadata: Json) -> list[Json]:
    return next(s["fields"] for s in metadata["partition-specs"] if s["spec-id"] == metadata["default-spec-id"])


def complete(metadata: Json) -> Json:
    """Metadata as it is written: the fields of its version, none of a newer one."""
    whole = {
        **metadata,
        "properties": metadata.get("properties", {}),
        "current-snapshot-id": metadata.get("current-snapshot-id", NO_SNAPSHOT),
        "refs": metadata.get("refs", {}),
        "snapshots": metadata.get("snapshots", []),
        "statistics": metadata.get("statistics", []),
        "partition-statistics": metadata.get("partition-statistics", []),
        "snapshot-log": metadata.get("snapshot-log", []),
        "metadata-log": metadata.get("metadata-log", []),
    }
    version = metadata["format-version"]
    if version == 1:
        whole |= {"schema": current_schema(metadata), "partition-spec": default_fields(metadata)}
        whole.pop("last-sequence-number", None)
    else:
        for legacy in ("schema", "partition-spec"):
            whole.pop(legacy, None)
        whole.setdefault("last-sequence-number", 0)
    if version >= 3:
        whole.setdefault("next-row-id", 0)
    return whole


def _fill_schemas(metadata: Json) -> None:
    if not metadata.get("schemas"):
        schema = an_object(metadata, "schema")
        metadata["schemas"] = [{**schema, "schema-id": schema.get("schema-id", 0)}]
        metadata["current-schema-id"] = metadata["schemas"][0]["schema-id"]
    schema_id = an_int(metadata, "current-schema-id")
    if schema_id not in [an_int(checked_schema(schema), "schema-id") for schema in a_list(metadata, "schemas")]:
        raise BadRequest(f"Cannot find schema with current-schema-id={schema_id} from schemas")
    if metadata.get("last-column-id") is None:
        metadata["last-column-id"] = max(highest_field_id(schema) for schema in metadata["schemas"])


def _fill_specs(metadata: Json) -> None:
    if not metadata.get("partition-specs"):
        fields = with_ids(a_list(metadata, "partition-spec"), 0)
        metadata["partition-specs"] = [{"spec-id": 0, "fields": fields}]
        metadata["default-spec-id"] = 0
    spec_id = an_int(metadata, "default-spec-id")
    specs = objects(metadata, "partition-specs")
    if spec_id not in [an_int(spec, "spec-id") for spec in specs]:
        raise BadRequest(f"Cannot find partition spec with default-spec-id={spec_id}")
    metadata["partition-specs"] = [{**spec, "fields": with_ids(checked_fields(spec), 0)} for spec in specs]
    if metadata.get("last-partition-id") is None:
        metadata["last-partition-id"] = max(last_field_id(spec["fields"]) for spec in metadata["partition-specs"])


def _fill_orders(metadata: Json) -> None:
    if not metadata.get("sort-orders"):
        metadata["sort-orders"] = [UNSORTED]
        metadata["default-sort-order-id"] = 0
    an_int(metadata, "default-sort-order-id")
    for order in objects(metadata, "sort-orders"):
        an_int(checked_order(order), "order-id")


def _fill_snapshots(metadata: Json) -> None:
    current = metadata.get("current-snapshot-id")
    metadata["current-snapshot-id"] = NO_SNAPSHOT if current is None else a_long(metadata, "current-snapshot-id")
    for name in ("snapshots", "snapshot-log", "metadata-log", "statistics", "partition-statistics"):
        if metadata.get(name) is None:
            metadata[name] = []
        for entry in objects(metadata, name):
            if name != "metadata-log":
                a_long(entry, "snapshot-id")
            if name.endswith("-log"):
                a_long(entry, "timestamp-ms")


def _fill_keys(metadata: Json) -> None:
    if metadata.get("encryption-keys") is None:
        metadata.pop("encryption-keys", None)
    else:
        for key in objects(metadata, "encryption-keys"):
            a_string(key, "key-id")


def _fill_refs(metadata: Json) -> None:
    if metadata.get("refs") is None:
        current = metadata["current-snapshot-id"]
        metadata["refs"] = {} if current == NO_SNAPSHOT else {"main": {"snapshot-id": current, "type": "branch"}}
    for ref in an_object(metadata, "refs").values():
        a_long(as_object(ref, "snapshot ref"), "snapshot-id")
        a_string(ref, "type")
