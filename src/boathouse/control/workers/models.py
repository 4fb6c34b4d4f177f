"""The table of workers."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import Base


class WorkerSeen(Base):
    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(String(100), primary_key=True)
    """As it is called in the runs it has."""
    host: Mapped[str] = mapped_column(String(255))
    pid: Mapped[int] = mapped_column()
    slots: Mapped[int] = mapped_column()
    """Runs at once."""
    version: Mapped[str] = mapped_column(String(60))
    started_at: Mapped[datetime] = mapped_column()
    seen_at: Mapped[datetime] = mapped_column()
