"""The tables of workspaces and of who belongs to them."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.access.roles import Role
from boathouse.control.database.base import ID_LENGTH, Base, Identified, Json, chosen_from


class Workspace(Identified, Base):
    __tablename__ = "workspaces"

    name: Mapped[str] = mapped_column(String(60), unique=True)
    """As it stands in addresses: lower-case letters, digits and dashes."""
    description: Mapped[str] = mapped_column(String(2000), default="")
    most_runs: Mapped[int] = mapped_column()
    """How many runs may be under way at once."""
    most_cores: Mapped[int] = mapped_column()
    most_memory_mb: Mapped[int] = mapped_column()
    defaults: Mapped[Json] = mapped_column(default=dict)
    """What jobs take that do not say otherwise, such as the timeout."""


class Member(Base):
    __tablename__ = "members"

    workspace_id: Mapped[str] = mapped_column(
        String(ID_LENGTH), ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[str] = mapped_column(
        String(ID_LENGTH), ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    role: Mapped[Role] = mapped_column(chosen_from(Role))
