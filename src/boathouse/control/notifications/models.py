"""The tables of notification rules and of deliveries."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import ID_LENGTH, Base, Identified, Json, chosen_from, now

ERROR_LENGTH = 1000
_WAITING = text("state = 'waiting'")


class Event(StrEnum):
    RUN_FAILED = "run-failed"
    """A run ended as failed or timed-out, with no try left."""
    RUN_RECOVERED = "run-recovered"
    """A run succeeded after the one before it had failed."""
    SCHEDULE_MISSED = "schedule-missed"
    """A time of a schedule passed without a run beginning."""
    DEADLINE_MISSED = "deadline-missed"
    """A run was not over when it should have been."""
    STREAM_ALERT = "stream-alert"
    """A streaming run falls short of its aims, or a hop of it fails."""
    LINEAGE = "lineage"
    """A run began or ended, as OpenLineage has it: for receivers of those, and for them alone."""


class Outcome(StrEnum):
    WAITING = "waiting"
    """For its first try, or its next."""
    SENT = "sent"
    GIVEN_UP = "given-up"


class NotificationRule(Identified, Base):
    __tablename__ = "notification_rules"
    __table_args__ = (UniqueConstraint("workspace_id", "name"),)

    workspace_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("workspaces.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(60))
    description: Mapped[str] = mapped_column(String(2000), default="")
    # Not removed with it: a rule that is gone unnoticed would be missed when it is needed.
    connection_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("connections.id"), index=True)
    recipients: Mapped[list[str]] = mapped_column()
    events: Mapped[list[str]] = mapped_column()
    jobs: Mapped[list[str]] = mapped_column()
    """Names and patterns; none means all."""
    enabled: Mapped[bool] = mapped_column(default=True)
    updated_at: Mapped[datetime] = mapped_column(default=now)


class Delivery(Identified, Base):
    """One event for one rule. Its id is sent along with each try, so that a receiver can drop what it has already."""

    __tablename__ = "notification_deliveries"
    __table_args__ = (
        Index("ix_notification_deliveries_of_rule", "rule_id", "id"),
        Index("ix_notification_deliveries_waiting", "try_at", sqlite_where=_WAITING, postgresql_where=_WAITING),
    )

    rule_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("notification_rules.id", ondelete="CASCADE"))
    event: Mapped[Event] = mapped_column(chosen_from(Event))
    job: Mapped[str] = mapped_column(String(60))
    run_id: Mapped[str | None] = mapped_column(String(ID_LENGTH))
    """Not a reference: what was told stays when the run is gone."""
    body: Mapped[Json] = mapped_column()
    state: Mapped[Outcome] = mapped_column(chosen_from(Outcome))
    tries: Mapped[int] = mapped_column(default=0)
    """How many there were. The number fences: a try that took too long no longer says how it went."""
    try_at: Mapped[datetime] = mapped_column()
    """When it is next tried. Whoever tries it sets this first, to when another may."""
    ended_at: Mapped[datetime | None] = mapped_column()
    answer: Mapped[str | None] = mapped_column(String(ERROR_LENGTH))
    """What the receiver said to the last try, or what went wrong."""
