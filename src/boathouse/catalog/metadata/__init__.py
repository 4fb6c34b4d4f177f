"""Table and view metadata as plain JSON: made, checked and changed by pure functions.

Nothing here reads, writes or keeps anything. Metadata that comes in is never changed in place, and fields that are
not known here pass through untouched, so that newer writers lose nothing.
"""

from boathouse.catalog.metadata.changing import change_table, create_table, referenced_only
from boathouse.catalog.metadata.creation import new_table
from boathouse.catalog.metadata.fields import Json
from boathouse.catalog.metadata.reading import read_metadata, uuid_of
from boathouse.catalog.metadata.registering import check_registered_table, check_registered_view
from boathouse.catalog.metadata.requirements import asserts_create, check_requirements
from boathouse.catalog.metadata.retention import outdated_files
from boathouse.catalog.metadata.views import change_view, check_view_requirements, is_view, new_view

__all__ = [
    "Json",
    "asserts_create",
    "change_table",
    "change_view",
    "check_registered_table",
    "check_registered_view",
    "check_requirements",
    "check_view_requirements",
    "create_table",
    "is_view",
    "new_table",
    "new_view",
    "outdated_files",
    "read_metadata",
    "referenced_only",
    "uuid_of",
]
