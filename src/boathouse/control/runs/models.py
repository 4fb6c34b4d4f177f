"""The tables of runs, their attempts, and their logs."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, ForeignKey, Index, String, UniqueConstraint, column, literal_column, text
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column

from boathouse.control.database.base import ID_LENGTH, Base, Identified, Json, chosen_from
from boathouse.control.runs.states import State
from boathouse.control.users.models import NAME_LENGTH

ERROR_LENGTH = 2000
StateColumn = InstrumentedAttribute[State] | ColumnElement[State]
_STATE: ColumnElement[State] = column("state")


class Trigger(StrEnum):
    REQUEST = "request"
    """Somebody asked for it."""
    SCHEDULE = "schedule"
    FLOW = "flow"
    """A task of a flow."""
    QUERY = "query"
    """A question that somebody asked, without a job."""


def is_under_way(state: StateColumn) -> ColumnElement[bool]:
    """Whether it is not over.

    In the words of the indexes: SQLite takes one over a part of the rows only for a query that says which, letter by
    letter and not by parameters. Of two such conditions it takes the first for the index's columns.
    """
    return _is_one_of(state, State.PENDING, State.STARTING, State.RUNNING)


def is_active(state: StateColumn) -> ColumnElement[bool]:
    """Whether a worker has it; in the words of the index over those."""
    return _is_one_of(state, State.STARTING, State.RUNNING)


def _is_one_of(state: StateColumn, *states: State) -> ColumnElement[bool]:
    return state.in_([literal_column(f"'{one}'") for one in states])


def _under_way(name: str, *columns: str) -> Index:
    """Over the runs that are not over, which are few however long the history is."""
    return _over(name, is_under_way(_STATE), *columns)


def _active(name: str, *columns: str) -> Index:
    """Over the runs that a worker has, which are few however many wait."""
    return _over(name, is_active(_STATE), *columns)


def _over(name: str, part: ColumnElement[bool], *columns: str) -> Index:
    return Index(name, *columns, sqlite_where=part, postgresql_where=part)


def _still_with(what: str) -> Index:
    """Over the runs of which it was not removed yet, by their end."""
    there = text(f"{what}_gone_at IS NULL")
    return Index(f"ix_runs_with_{what}", "ended_at", sqlite_where=there, postgresql_where=there)


class Run(Identified, Base):
    __tablename__ = "runs"
    __table_args__ = (
        UniqueConstraint("workspace_id", "key"),
        UniqueConstraint("job_id", "scheduled_for"),
        UniqueConstraint("flow_id", "task"),
        Index("ix_runs_listed", "workspace_id", "is_listed", "id"),
        Index("ix_runs_of_job", "workspace_id", "job", "id"),
        Index("ix_runs_in_state", "workspace_id", "state", "id"),
        _under_way("ix_runs_under_way", "state", "available_at"),
        _under_way("ix_runs_under_way_of", "job_id", "state"),
        _under_way("ix_runs_under_way_until", "deadline_at"),
        _active("ix_runs_active_of", "job_id"),
        _still_with("result"),
        _still_with("log"),
    )

    workspace_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("workspaces.id", ondelete="CASCADE"))
    job_id: Mapped[str | None] = mapped_column(String(ID_LENGTH), ForeignKey("jobs.id", ondelete="CASCADE"))
    job: Mapped[str] = mapped_column(String(60))
    """Its name; nothing for a query."""
    definition: Mapped[Json | None] = mapped_column()
    """What the job's version does not say: of a run without a job all of it, of a flow with jobs as tasks what they were."""
    is_listed: Mapped[bool] = mapped_column(default=True)
    """Tasks are found with their flow and queries with their history, not among the runs."""
    version: Mapped[int] = mapped_column()
    by_platform_admin: Mapped[bool] = mapped_column(default=False)
    """Whether what it carries out was written by one. Kept with it: of a task that is a job, only the flow knows the version."""
    kind: Mapped[str] = mapped_column(String(30))
    values: Mapped[Json] = mapped_column()
    """Of the parameters."""
    trigger: Mapped[Trigger] = mapped_column(chosen_from(Trigger))
    requested_by: Mapped[str] = mapped_column(String(NAME_LENGTH))
    key: Mapped[str | None] = mapped_column(String(100))
    """Given by whoever asked, so that asking twice makes one run."""
    scheduled_for: Mapped[datetime | None] = mapped_column()
    flow_id: Mapped[str | None] = mapped_column(String(ID_LENGTH), ForeignKey("runs.id", ondelete="CASCADE"))
    """The run whose task this is."""
    task: Mapped[str | None] = mapped_column(String(60))
    rules: Mapped[Json] = mapped_column()
    """What held when it was asked for: retries, timeout."""
    most_at_once: Mapped[int] = mapped_column()
    cores: Mapped[int] = mapped_column()
    memory_mb: Mapped[int] = mapped_column()

    state: Mapped[State] = mapped_column(chosen_from(State))
    attempt: Mapped[int] = mapped_column(default=0)
    """How many there were. The number fences: who writes with an older one is refused."""
    failures: Mapped[int] = mapped_column(default=0)
    """Of attempts, since somebody last asked for it."""
    takeovers: Mapped[int] = mapped_column(default=0)
    """Attempts whose worker was lost, since somebody last asked for it."""
    available_at: Mapped[datetime] = mapped_column()
    """Not claimed before."""
    worker: Mapped[str | None] = mapped_column(String(100))
    lease_until: Mapped[datetime | None] = mapped_column()
    stop_by: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    """Who wants it stopped."""
    started_at: Mapped[datetime | None] = mapped_column()
    """Of the first attempt since somebody asked for it."""
    ended_at: Mapped[datetime | None] = mapped_column()
    deadline_at: Mapped[datetime | None] = mapped_column()
    """When it should be over; known from its first start on, or from the schedule."""
    deadline_missed: Mapped[bool] = mapped_column(default=False)
    """Whether that was told."""
    error: Mapped[str | None] = mapped_column(String(ERROR_LENGTH))
    progress: Mapped[Json | None] = mapped_column()
    result: Mapped[Json | None] = mapped_column()
    """Where the rows are and how many, if it has any."""
    report: Mapped[Json | None] = mapped_column()
    """What it did in figures, as its kind tells them."""

    result_gone_at: Mapped[datetime | None] = mapped_column()
    """When its rows were removed, or it was found to have none, because it had ended so long ago."""
    log_gone_at: Mapped[datetime | None] = mapped_column()


class DiscardedResult(Base):
    """A place in storage whose runs are gone. Written with their end, so that no crash leaves it there for ever."""

    __tablename__ = "discarded_results"

    place: Mapped[str] = mapped_column(String(100), primary_key=True)
    at: Mapped[datetime] = mapped_column()


class RunAttempt(Base):
    __tablename__ = "run_attempts"

    run_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    worker: Mapped[str] = mapped_column(String(100))
    state: Mapped[State] = mapped_column(chosen_from(State))
    """What it ended as; an attempt that was handed back or lost ends as failed."""
    claimed_at: Mapped[datetime] = mapped_column()
    started_at: Mapped[datetime | None] = mapped_column()
    ended_at: Mapped[datetime | None] = mapped_column()
    error: Mapped[str | None] = mapped_column(String(ERROR_LENGTH))
    progress: Mapped[Json | None] = mapped_column()
    timeline: Mapped[list[Any] | None] = mapped_column()
    """How Spark came along: [seconds, tasks done, tasks, stages done, stages, bytes read, of shuffles read and written]."""


class LogChunk(Base):
    """Lines as they came, some at a time."""

    __tablename__ = "run_logs"

    run_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    attempt: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    lines: Mapped[list[Any]] = mapped_column()
    """Of [milliseconds since 1970, stream, text]."""
