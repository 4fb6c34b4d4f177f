"""The tables of jobs and of their versions."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import ID_LENGTH, Base, Identified, Json, now
from boathouse.control.users.models import NAME_LENGTH


class Job(Identified, Base):
    __tablename__ = "jobs"
    __table_args__ = (UniqueConstraint("workspace_id", "name"),)

    workspace_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("workspaces.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(60))
    version: Mapped[int] = mapped_column()
    """The current one."""
    paused: Mapped[bool] = mapped_column(default=False)
    """Whether its schedule rests."""
    due_at: Mapped[datetime | None] = mapped_column(index=True)
    """When its schedule next starts a run; None without one, or while it rests."""
    failing: Mapped[bool] = mapped_column(default=False)
    """Whether the last of its runs that came to an end by itself failed."""
    updated_at: Mapped[datetime] = mapped_column(default=now)


class JobVersion(Base):
    """Never changed once it is there: a run names the version it carries out."""

    __tablename__ = "job_versions"

    job_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    definition: Mapped[Json] = mapped_column()
    made_by: Mapped[str] = mapped_column(String(NAME_LENGTH))
    by_platform_admin: Mapped[bool] = mapped_column(default=False)
    """Whether who made it might act as one then: only what such wrote is handed secrets that are shared."""
    made_at: Mapped[datetime] = mapped_column(default=now)
