"""The tables of lineage: what each run touched, and of each job the latest."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import ID_LENGTH, Base, Identified, chosen_from
from boathouse.control.datasets.models import NAME_LENGTH

JOB_LENGTH = 150
NAMESPACE_LENGTH = 150


class Direction(StrEnum):
    READS = "reads"
    WRITES = "writes"


class LineageRun(Identified, Base):
    """A run that told what it touched: ours when it has succeeded, another's from its first event on."""

    __tablename__ = "lineage_runs"
    __table_args__ = (UniqueConstraint("workspace_id", "run_id"),)

    workspace_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("workspaces.id", ondelete="CASCADE"))
    job_id: Mapped[str | None] = mapped_column(String(ID_LENGTH), ForeignKey("jobs.id", ondelete="CASCADE"), index=True)
    """None for a query, and for a job that is not ours."""
    namespace: Mapped[str] = mapped_column(String(NAMESPACE_LENGTH))
    """As OpenLineage has it; nothing for a job of ours."""
    job: Mapped[str] = mapped_column(String(JOB_LENGTH))
    """Nothing for a query."""
    run_id: Mapped[str] = mapped_column(String(ID_LENGTH))
    state: Mapped[str] = mapped_column(String(20))
    """The type of the last event that OpenLineage told."""
    at: Mapped[datetime] = mapped_column()


class LineageUse(Base):
    __tablename__ = "lineage_uses"

    lineage_run_id: Mapped[str] = mapped_column(
        String(ID_LENGTH), ForeignKey("lineage_runs.id", ondelete="CASCADE"), primary_key=True
    )
    direction: Mapped[Direction] = mapped_column(chosen_from(Direction), primary_key=True)
    dataset: Mapped[str] = mapped_column(String(NAME_LENGTH), primary_key=True)


class LineageEdge(Base):
    """A job and a dataset, with the last run that successfully read or wrote it: few, however many runs there were."""

    __tablename__ = "lineage_edges"
    __table_args__ = (
        Index("ix_lineage_edges_dataset", "workspace_id", "dataset"),
        Index("ix_lineage_edges_job", "workspace_id", "namespace", "job"),
    )

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """A hash of all that makes it, for all that is too long for an index of Postgres."""
    workspace_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("workspaces.id", ondelete="CASCADE"))
    job_id: Mapped[str | None] = mapped_column(String(ID_LENGTH), ForeignKey("jobs.id", ondelete="CASCADE"), index=True)
    namespace: Mapped[str] = mapped_column(String(NAMESPACE_LENGTH))
    job: Mapped[str] = mapped_column(String(JOB_LENGTH))
    direction: Mapped[Direction] = mapped_column(chosen_from(Direction))
    dataset: Mapped[str] = mapped_column(String(NAME_LENGTH))
    last_run: Mapped[str] = mapped_column(String(ID_LENGTH))
    last_at: Mapped[datetime] = mapped_column()
