"""Metadata that somebody else wrote, before it becomes a table or view here. What is here already is read more leniently."""

from uuid import UUID

from boathouse.catalog.errors import BadRequest, Validation
from boathouse.catalog.metadata.fields import Json
from boathouse.catalog.metadata.form import NO_SNAPSHOT, SUPPORTED_VERSION
from boathouse.catalog.metadata.schemas import highest_field_id
from boathouse.catalog.metadata.views.form import SUPPORTED_VERSION as SUPPORTED_VIEW_VERSION


def check_registered_table(metadata: Json) -> None:
    """As Iceberg's own reader checks it: what is named must be there, or no client could load the table."""
    _check_identity(metadata, "table-uuid", SUPPORTED_VERSION)
    _check_snapshots(metadata)
    highest = max(highest_field_id(schema) for schema in metadata["schemas"])
    if metadata["last-column-id"] < highest:
        raise Validation(f"Invalid last column ID: {metadata['last-column-id']} < {highest} (highest field ID)")


def check_registered_view(metadata: Json) -> None:
    _check_identity(metadata, "view-uuid", SUPPORTED_VIEW_VERSION)


def _check_identity(metadata: Json, name: str, supported: int) -> None:
    if metadata["format-version"] > supported:
        raise BadRequest(f"Cannot read unsupported version {metadata['format-version']} (supported: v{supported})")
    try:
        UUID(metadata[name])
    except ValueError:
        raise BadRequest(f"Cannot read {name}: {metadata[name][:100]!r} is not a UUID") from None


def _check_snapshots(metadata: Json) -> None:
    known = {snapshot["snapshot-id"] for snapshot in metadata["snapshots"]}
    for name, ref in metadata["refs"].items():
        if ref["snapshot-id"] not in known:
            raise Validation(
                f"Snapshot for reference {name} does not exist in the existing snapshots list: {ref['snapshot-id']}"
            )
    current, main = metadata["current-snapshot-id"], metadata["refs"].get("main", {}).get("snapshot-id")
    if current == NO_SNAPSHOT:
        if main is not None:
            raise Validation(f"Current snapshot is not set, but main branch exists: {main}")
    elif current not in known:
        raise Validation(f"Current snapshot does not exist in the existing snapshots list: {current}")
    elif main not in {None, current}:
        raise Validation(f"Current snapshot ID does not match main branch ({current} != {main})")
