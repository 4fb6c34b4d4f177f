"""The table of users."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import Base, Identified

NAME_LENGTH = 100


class User(Identified, Base):
    __tablename__ = "users"

    name: Mapped[str] = mapped_column(String(NAME_LENGTH), unique=True)
    """What they log in with, in lower case."""
    display_name: Mapped[str] = mapped_column(String(200), default="")
    email: Mapped[str | None] = mapped_column(String(254))
    password_hash: Mapped[str | None] = mapped_column(String(200))
    """None for who comes by an identity provider alone."""
    must_change_password: Mapped[bool] = mapped_column(default=False)
    is_platform_admin: Mapped[bool] = mapped_column(default=False)
    disabled_at: Mapped[datetime | None] = mapped_column()
    last_login_at: Mapped[datetime | None] = mapped_column()

    @property
    def has_password(self) -> bool:
        return self.password_hash is not None
