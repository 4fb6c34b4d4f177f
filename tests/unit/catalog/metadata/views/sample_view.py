"""A small view to change, and the requests that change it."""

from typing import Any

from boathouse.catalog.metadata import Json, change_view, new_view
from tests.unit.catalog.metadata.sample import NOW, SCHEMA

UUID = "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0002"
LOCATION = "s3://lake/sales/recent"
WIDER: Json = {**SCHEMA, "fields": [*SCHEMA["fields"], {"id": 4, "name": "x", "required": False, "type": "int"}]}


def sql(query: str, dialect: str = "spark") -> Json:
    return {"type": "sql", "sql": query, "dialect": dialect}


def version(*queries: Json, **changes: Any) -> Json:
    made: Json = {
        "version-id": 1,
        "timestamp-ms": NOW,
        "schema-id": 0,
        "summary": {"engine-name": "spark"},
        "default-namespace": ["sales"],
        "representations": list(queries or (sql("SELECT 1"),)),
    }
    return made | changes


def view(**changes: Any) -> Json:
    request: dict[str, Any] = {
        "uuid": UUID,
        "location": LOCATION,
        "schema": SCHEMA,
        "version": version(),
        "properties": {},
        "now_ms": NOW,
    }
    return new_view(**(request | changes))


def changed(base: Json, *updates: Json, now_ms: int = NOW + 1000) -> Json:
    return change_view(base, updates, now_ms=now_ms)


def add_version(*queries: Json, **changes: Any) -> Json:
    return {"action": "add-view-version", "view-version": version(*queries, **changes)}


def set_current(version_id: int = -1) -> Json:
    return {"action": "set-current-view-version", "view-version-id": version_id}


def add_schema(schema: Json) -> Json:
    return {"action": "add-schema", "schema": schema}


def set_properties(**properties: str) -> Json:
    return {"action": "set-properties", "updates": properties}


def replaced(base: Json, query: str, now_ms: int = NOW + 1000) -> Json:
    return changed(base, add_version(sql(query), **{"timestamp-ms": now_ms}), set_current(), now_ms=now_ms)


def version_ids(metadata: Json) -> list[int]:
    return [entry["version-id"] for entry in metadata["versions"]]


def logged(metadata: Json) -> list[tuple[int, int]]:
    return [(entry["version-id"], entry["timestamp-ms"] - NOW) for entry in metadata["version-log"]]
