"""The audit's table. The database refuses to change or remove what stands in it."""

from datetime import datetime

from sqlalchemy import BigInteger, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import ID_LENGTH, Base, Json
from boathouse.control.sessions.models import HASH_LENGTH


class AuditEntry(Base):
    """References are plain text: an entry outlives what it speaks of."""

    __tablename__ = "audit"

    number: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=False
    )
    """Without gaps, in the order of the commits."""
    at: Mapped[datetime] = mapped_column(index=True)
    user_id: Mapped[str | None] = mapped_column(String(ID_LENGTH), index=True)
    user_name: Mapped[str | None] = mapped_column(String(100))
    address: Mapped[str] = mapped_column(String(64))
    action: Mapped[str] = mapped_column(String(60), index=True)
    workspace_id: Mapped[str | None] = mapped_column(String(ID_LENGTH), index=True)
    target: Mapped[str] = mapped_column(String(300))
    result: Mapped[str] = mapped_column(String(40))
    details: Mapped[Json] = mapped_column()
    request_id: Mapped[str] = mapped_column(String(64))
    previous: Mapped[str] = mapped_column(String(HASH_LENGTH))
    hash: Mapped[str] = mapped_column(String(HASH_LENGTH))
