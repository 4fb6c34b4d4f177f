"""Roles in a workspace, each with all that the one before it may."""

from enum import StrEnum


class Role(StrEnum):
    VIEWER = "viewer"
    """Sees everything in the workspace but secrets."""
    RUNNER = "runner"
    """Starts and stops runs, and asks questions in SQL."""
    EDITOR = "editor"
    """Changes jobs, connections and datasets."""
    ADMIN = "admin"
    """Changes members, quotas and the workspace itself."""

    def covers(self, other: "Role") -> bool:
        return _ORDER.index(self) >= _ORDER.index(other)

    def at_most(self, ceiling: "Role") -> "Role":
        return self if ceiling.covers(self) else ceiling


_ORDER = list(Role)
