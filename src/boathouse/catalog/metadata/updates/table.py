"""Updates of a table as a whole: its identity, version, place and properties. The last two are the same for views."""

from uuid import UUID

from boathouse.catalog.errors import BadRequest, IllegalArgument
from boathouse.catalog.metadata.draft import Draft
from boathouse.catalog.metadata.fields import Json, a_string, an_int, string_map, strings
from boathouse.catalog.metadata.form import SUPPORTED_VERSION


def assign_uuid(draft: Draft, update: Json) -> None:
    """Given once, as the specification has it: whose plans and repeats are whose is known by it."""
    uuid, known = uuid_of(update), draft.get("table-uuid")
    if known is None:
        draft.set("table-uuid", uuid)
    elif uuid.lower() != known.lower():
        raise IllegalArgument("Cannot reassign uuid")


def upgrade_format_version(draft: Draft, update: Json) -> None:
    version = an_int(update, "format-version")
    if not 1 <= version <= SUPPORTED_VERSION:
        raise IllegalArgument(
            f"Cannot upgrade table to unsupported format version: v{version} (supported: v{SUPPORTED_VERSION})"
        )
    if version < draft.version:
        raise IllegalArgument(f"Cannot downgrade v{draft.version} table to v{version}")
    if version > draft.version:
        draft.set("format-version", version)


def set_location(draft: Draft, update: Json) -> None:
    location = a_string(update, "location").rstrip("/")
    if location != draft.get("location"):
        draft.set("location", location)


def set_properties(draft: Draft, update: Json) -> None:
    updates = string_map(update, "updates" if "updates" in update else "updated")
    if updates:
        draft.set("properties", draft.get("properties", {}) | updates)


def remove_properties(draft: Draft, update: Json) -> None:
    removals = set(strings(update, "removals" if "removals" in update else "removed"))
    if removals:
        kept = {name: value for name, value in draft.get("properties", {}).items() if name not in removals}
        draft.set("properties", kept)


def uuid_of(update: Json) -> str:
    uuid = a_string(update, "uuid")
    try:
        UUID(uuid)
    except ValueError:
        raise BadRequest(f"Cannot assign UUID: {uuid[:100]!r} is not one") from None
    return uuid
