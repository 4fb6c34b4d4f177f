"""Metadata out of a file: a table's or a view's, which is told by the kind of its uuid."""

from typing import Any

from boathouse.catalog.metadata.fields import Json, as_object
from boathouse.catalog.metadata.form import read_table
from boathouse.catalog.metadata.views.form import is_view, read_view


def uuid_of(metadata: Json) -> str | None:
    return metadata.get("table-uuid") or metadata.get("view-uuid")


def read_metadata(json: Any) -> Json:
    return read_view(json) if is_view(as_object(json, "metadata")) else read_table(json)
