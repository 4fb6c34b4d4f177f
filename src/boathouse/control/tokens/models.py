"""The table of API tokens. What is kept of a token cannot be used as one."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.access.roles import Role
from boathouse.control.database.base import ID_LENGTH, Base, Identified, chosen_from
from boathouse.control.sessions.models import HASH_LENGTH

LOCAL_ID = "local"
"""Of the token of a lakehouse on one machine. Those that people make have ids of another form: it is never taken for another."""


class Token(Identified, Base):
    __tablename__ = "tokens"

    user_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    secret_hash: Mapped[str] = mapped_column(String(HASH_LENGTH), unique=True)
    role: Mapped[Role] = mapped_column(chosen_from(Role))
    """The most it may do, however much its user may."""
    workspace_id: Mapped[str | None] = mapped_column(
        String(ID_LENGTH), ForeignKey("workspaces.id", ondelete="CASCADE"), index=True
    )
    """The only workspace it opens, or None for all of its user's."""
    expires_at: Mapped[datetime] = mapped_column()
    last_used_at: Mapped[datetime | None] = mapped_column()
