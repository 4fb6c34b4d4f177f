"""View metadata as plain JSON, by the same rules as that of tables."""

from boathouse.catalog.metadata.views.changing import change_view, new_view
from boathouse.catalog.metadata.views.form import is_view, read_view
from boathouse.catalog.metadata.views.requirements import check_view_requirements

__all__ = ["change_view", "check_view_requirements", "is_view", "new_view", "read_view"]
