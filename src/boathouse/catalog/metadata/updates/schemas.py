"""Updates of a table's schemas."""

from boathouse.catalog.errors import IllegalArgument, Validation
from boathouse.catalog.metadata.draft import TableDraft
from boathouse.catalog.metadata.fields import Json, an_int, an_object, by_id, ints, next_id
from boathouse.catalog.metadata.schemas import check_version, checked_schema, highest_field_id, same_schema


def add_schema(draft: TableDraft, update: Json) -> None:
    """A schema that is already there keeps its id; it is the last added only if this commit added it."""
    schema = checked_schema(an_object(update, "schema"))
    check_version(schema, draft.version)
    last_column = max(draft.get("last-column-id"), highest_field_id(schema))
    schemas: list[Json] = draft.get("schemas")
    found = next((known["schema-id"] for known in schemas if same_schema(known, schema)), None)
    if found is not None and last_column == draft.get("last-column-id"):
        draft.last_schema = found if found in draft.added_schemas else None
        return
    draft.set("last-column-id", last_column)
    if found is None:
        found = next_id(schemas, "schema-id", 0 if schemas else draft.get("current-schema-id"))
        draft.append("schemas", {**schema, "type": "struct", "schema-id": found})
    draft.added_schemas.append(found)
    draft.last_schema = found


def set_current_schema(draft: TableDraft, update: Json) -> None:
    schema_id = an_int(update, "schema-id")
    if schema_id == -1:
        if draft.last_schema is None:
            raise Validation("Cannot set last added schema: no schema has been added")
        schema_id = draft.last_schema
    if by_id(draft.get("schemas"), "schema-id", schema_id) is None:
        raise IllegalArgument(f"Cannot set current schema to unknown schema: {schema_id}")
    if schema_id != draft.get("current-schema-id"):
        draft.set("current-schema-id", schema_id)


def remove_schemas(draft: TableDraft, update: Json) -> None:
    removed = set(ints(update, "schema-ids"))
    if draft.get("current-schema-id") in removed:
        raise IllegalArgument("Cannot remove the current schema")
    if removed:
        draft.set("schemas", [schema for schema in draft.get("schemas") if schema["schema-id"] not in removed])
