"""The table of connections."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import ID_LENGTH, Base, Identified, Json, now
from boathouse.control.users.models import NAME_LENGTH


class Connection(Identified, Base):
    __tablename__ = "connections"
    __table_args__ = (UniqueConstraint("workspace_id", "name"),)

    workspace_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("workspaces.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(60))
    kind: Mapped[str] = mapped_column(String(30))
    description: Mapped[str] = mapped_column(String(2000), default="")
    config: Mapped[Json] = mapped_column()
    secrets: Mapped[Json] = mapped_column()
    """By field: what the vault sealed, or where the secret is taken from."""
    updated_at: Mapped[datetime] = mapped_column(default=now)
    updated_by: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    """The name of who changed it last, as it was then."""
    last_test: Mapped[Json | None] = mapped_column()
    """How its last test went. A change of how it connects forgets it."""

    def belongs_to(self, field: str) -> str:
        """What a sealed secret of it is tied to."""
        return f"connection {self.id} {field}"

    def sealed(self) -> dict[str, dict[str, Any]]:
        return {field: kept for field, kept in self.secrets.items() if "wrapped" in kept}
