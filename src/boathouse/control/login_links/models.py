"""The table of links that were not used yet. What is kept of one cannot be used as one."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import ID_LENGTH, Base, Identified
from boathouse.control.sessions.models import HASH_LENGTH


class LoginLink(Identified, Base):
    __tablename__ = "login_links"

    user_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("users.id", ondelete="CASCADE"), index=True)
    code_hash: Mapped[str] = mapped_column(String(HASH_LENGTH), unique=True)
    expires_at: Mapped[datetime] = mapped_column(index=True)
    ends_at: Mapped[datetime | None] = mapped_column()
    """When what it was asked for with ends, if that was a token: the session ends with that at the latest."""
