"""The table of datasets."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import ID_LENGTH, Base, Identified, now

NAME_LENGTH = 300


class Dataset(Identified, Base):
    __tablename__ = "datasets"
    __table_args__ = (UniqueConstraint("workspace_id", "name"),)

    workspace_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("workspaces.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    format: Mapped[str] = mapped_column(String(20))
    location: Mapped[str] = mapped_column(String(2000), default="")
    owner: Mapped[str] = mapped_column(String(100), default="")
    description: Mapped[str] = mapped_column(String(2000), default="")
    tags: Mapped[list[str]] = mapped_column(default=list)
    in_lake: Mapped[bool] = mapped_column(default=False)
    """Found in the catalog of the lakehouse's own. Only a sync by a platform admin says so."""
    connection_id: Mapped[str | None] = mapped_column(
        String(ID_LENGTH), ForeignKey("connections.id", ondelete="SET NULL"), index=True
    )
    """The catalog it is in, if that is another."""
    table_uuid: Mapped[str | None] = mapped_column(String(64))
    """By which a table is known that was renamed."""
    columns: Mapped[list[str]] = mapped_column(default=list)
    """Their names, as of the last sync."""
    rows: Mapped[int | None] = mapped_column(BigInteger())
    files: Mapped[int | None] = mapped_column(BigInteger())
    bytes: Mapped[int | None] = mapped_column(BigInteger())
    committed_at: Mapped[datetime | None] = mapped_column()
    """Of the last commit, as of the last sync."""
    gone_at: Mapped[datetime | None] = mapped_column()
    """When a sync no longer found it."""
    words: Mapped[str] = mapped_column(Text())
    """All that is searched, in small letters."""
    updated_at: Mapped[datetime] = mapped_column(default=now)
