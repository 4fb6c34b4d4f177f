"""Every update of a view, by its action."""

from collections.abc import Callable, Sequence

from boathouse.catalog.errors import IllegalArgument, Validation
from boathouse.catalog.metadata.draft import ViewDraft
from boathouse.catalog.metadata.fields import Json, an_int, an_object, by_id
from boathouse.catalog.metadata.schemas import checked_schema, same_schema
from boathouse.catalog.metadata.updates.table import remove_properties, set_location, set_properties, uuid_of
from boathouse.catalog.metadata.views.form import SUPPORTED_VERSION
from boathouse.catalog.metadata.views.versions import checked_version, refuse_dialects_twice, same_version

LAST_ADDED = -1
_LARGEST_ID = 2**31 - 1


def _assign_uuid(draft: ViewDraft, update: Json) -> None:
    if uuid_of(update).lower() != draft.get("view-uuid").lower():
        raise IllegalArgument("Cannot reassign uuid")


def _upgrade_format_version(draft: ViewDraft, update: Json) -> None:
    version = an_int(update, "format-version")
    if version < draft.version:
        raise IllegalArgument(f"Cannot downgrade v{draft.version} view to v{version}")
    if version > max(draft.version, SUPPORTED_VERSION):
        raise IllegalArgument(f"Unsupported format version: {version}")


def _add_schema(draft: ViewDraft, update: Json) -> None:
    """A schema that is already there keeps its id, and is the last added all the same: another may have been faster."""
    schema = checked_schema(an_object(update, "schema"))
    schemas: list[Json] = draft.get("schemas")
    found = next((known["schema-id"] for known in schemas if same_schema(known, schema)), None)
    if found is None:
        found = max((known["schema-id"] + 1 for known in schemas), default=0)
        draft.append("schemas", {**schema, "type": "struct", "schema-id": found})
    draft.last_schema = found


def _add_view_version(draft: ViewDraft, update: Json) -> None:
    """A version that behaves like one already there is that one."""
    version = _with_schema(draft, checked_version(an_object(update, "view-version")))
    versions: list[Json] = draft.get("versions")
    found = next((known["version-id"] for known in versions if same_version(known, version)), None)
    if found is None:
        refuse_dialects_twice(version)
        found = _next_id(version, versions)
        draft.append("versions", {**version, "version-id": found})
        draft.added_versions.add(found)
    draft.last_version = found


def _set_current_view_version(draft: ViewDraft, update: Json) -> None:
    version_id = an_int(update, "view-version-id")
    if version_id == LAST_ADDED:
        if draft.last_version is None:
            raise Validation("Cannot set last version id: no current version id has been set")
        version_id = draft.last_version
    if version_id == draft.get("current-version-id"):
        return
    version = by_id(draft.get("versions"), "version-id", version_id)
    if version is None:
        raise IllegalArgument(f"Cannot set current version to unknown version: {version_id}")
    # An older version is current again from now on, not from when it was made.
    since = version["timestamp-ms"] if version_id in draft.added_versions else draft.now_ms
    draft.set("current-version-id", version_id)
    draft.logged = {"timestamp-ms": since, "version-id": version_id}


def _next_id(version: Json, versions: Sequence[Json]) -> int:
    """The id asked for, unless it is taken or lies before one that is."""
    found = max(0, version["version-id"], *(known["version-id"] + 1 for known in versions))
    if found > _LARGEST_ID:
        raise IllegalArgument(f"Cannot add version: no version id is left after {_LARGEST_ID}")
    return found


def _with_schema(draft: ViewDraft, version: Json) -> Json:
    schema_id = version["schema-id"]
    if schema_id == LAST_ADDED:
        if draft.last_schema is None:
            raise Validation("Cannot set last added schema: no schema has been added")
        schema_id = draft.last_schema
    if by_id(draft.get("schemas"), "schema-id", schema_id) is None:
        raise IllegalArgument(f"Cannot add version with unknown schema: {schema_id}")
    return {**version, "schema-id": schema_id}


VIEW_UPDATES: dict[str, Callable[[ViewDraft, Json], None]] = {
    "assign-uuid": _assign_uuid,
    "upgrade-format-version": _upgrade_format_version,
    "add-schema": _add_schema,
    "set-location": set_location,
    "set-properties": set_properties,
    "remove-properties": remove_properties,
    "add-view-version": _add_view_version,
    "set-current-view-version": _set_current_view_version,
}
