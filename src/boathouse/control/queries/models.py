"""The tables of queries."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import ID_LENGTH, Base, Identified, now
from boathouse.control.users.models import NAME_LENGTH


class Query(Identified, Base):
    """Something that was asked. How it went is with its run."""

    __tablename__ = "queries"
    __table_args__ = (Index("ix_queries_of_user", "workspace_id", "user_id", "id"),)

    workspace_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("workspaces.id", ondelete="CASCADE"))
    user_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("users.id", ondelete="CASCADE"), index=True)
    run_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("runs.id", ondelete="CASCADE"), unique=True)
    sql: Mapped[str] = mapped_column(Text())
    engine: Mapped[str] = mapped_column(String(30))


class SavedQuery(Identified, Base):
    __tablename__ = "saved_queries"
    __table_args__ = (UniqueConstraint("workspace_id", "name"),)

    workspace_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("workspaces.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(60))
    sql: Mapped[str] = mapped_column(Text())
    description: Mapped[str] = mapped_column(String(2000), default="")
    connection: Mapped[str | None] = mapped_column(String(60))
    """Its name: where it is asked, if not of the lake's own Spark."""
    parameters: Mapped[list[Any]] = mapped_column()
    saved_by: Mapped[str] = mapped_column(String(NAME_LENGTH))
    updated_at: Mapped[datetime] = mapped_column(default=now)
