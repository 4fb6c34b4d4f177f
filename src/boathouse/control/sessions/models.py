"""The tables of browser sessions and of failed logins."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import ID_LENGTH, Base, Identified

HASH_LENGTH = 64


class BrowserSession(Identified, Base):
    __tablename__ = "browser_sessions"

    user_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("users.id", ondelete="CASCADE"), index=True)
    secret_hash: Mapped[str] = mapped_column(String(HASH_LENGTH), unique=True)
    csrf: Mapped[str] = mapped_column(String(64))
    expires_at: Mapped[datetime] = mapped_column(index=True)
    ends_at: Mapped[datetime | None] = mapped_column()
    """When the token ends that it came from by a link: nothing that is made with it lives longer."""


class FailedLogins(Base):
    """How often in a row a login failed, by whom it was tried for or by where it came from."""

    __tablename__ = "failed_logins"

    key: Mapped[str] = mapped_column(String(160), primary_key=True)
    failures: Mapped[int] = mapped_column()
    blocked_until: Mapped[datetime] = mapped_column()
