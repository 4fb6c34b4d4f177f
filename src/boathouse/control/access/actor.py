"""Who is asking, once that is known."""

from dataclasses import dataclass
from datetime import datetime

from boathouse.control.access.roles import Role


@dataclass(frozen=True)
class Actor:
    user_id: str
    name: str
    is_platform_admin: bool
    ceiling: Role = Role.ADMIN
    """The most that the token they came with may do."""
    only_workspace: str | None = None
    """The id of the only workspace that token opens."""
    session_id: str | None = None
    """Of a browser; None for a token."""
    token_id: str | None = None
    """None for a browser."""
    ends_at: datetime | None = None
    """When that token does, or the one that a browser came from by a link: what is made with it ends then too."""

    @property
    def administers(self) -> bool:
        """Whether they may act as platform admin, by what they came with too."""
        return self.is_platform_admin and self.ceiling is Role.ADMIN and self.only_workspace is None


@dataclass(frozen=True)
class Scope:
    """An actor in a workspace. Repositories take it, so that no query can forget the workspace."""

    actor: Actor
    workspace_id: str
    workspace: str
    role: Role
