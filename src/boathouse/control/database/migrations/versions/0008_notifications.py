"""Notifications with their deliveries, deadlines of runs, and workers."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import JSON_TYPE, Moment

revision = "0008"
down_revision = "0007"

_ID = sa.String(36)
_UNDER_WAY = sa.text("state IN ('pending', 'starting', 'running')")
_WAITING = sa.text("state = 'waiting'")
_LAST = "SELECT max(ended_at) FROM runs WHERE job_id = jobs.id AND flow_id IS NULL AND state"


def upgrade() -> None:
    _add_columns()
    op.create_table(
        "notification_rules",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("workspace_id", _ID, sa.ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("description", sa.String(2000), nullable=False),
        sa.Column("connection_id", _ID, sa.ForeignKey("connections.id"), nullable=False, index=True),
        sa.Column("recipients", JSON_TYPE, nullable=False),
        sa.Column("events", JSON_TYPE, nullable=False),
        sa.Column("jobs", JSON_TYPE, nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.UniqueConstraint("workspace_id", "name"),
    )
    op.create_table(
        "notification_deliveries",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("rule_id", _ID, sa.ForeignKey("notification_rules.id", ondelete="CASCADE"), nullable=False),
        sa.Column("event", sa.String(20), nullable=False),
        sa.Column("job", sa.String(60), nullable=False),
        sa.Column("run_id", _ID),
        sa.Column("body", JSON_TYPE, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("try_at", Moment(), nullable=False),
        sa.Column("ended_at", Moment()),
        sa.Column("answer", sa.String(1000)),
    )
    table = "notification_deliveries"
    op.create_index("ix_notification_deliveries_of_rule", table, ["rule_id", "id"])
    op.create_index(
        "ix_notification_deliveries_waiting", table, ["try_at"], sqlite_where=_WAITING, postgresql_where=_WAITING
    )
    op.create_table(
        "workers",
        sa.Column("id", sa.String(100), primary_key=True),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(60), nullable=False),
        sa.Column("started_at", Moment(), nullable=False),
        sa.Column("seen_at", Moment(), nullable=False),
    )


def downgrade() -> None:
    for table in ("workers", "notification_deliveries", "notification_rules"):
        op.drop_table(table)
    op.drop_index("ix_runs_under_way_until", "runs")
    op.drop_column("runs", "deadline_missed")
    op.drop_column("runs", "deadline_at")
    op.drop_column("jobs", "failing")


def _add_columns() -> None:
    # SQLite adds a column that may not be empty only with a default, which is of no more use once the rows have it.
    op.add_column("jobs", sa.Column("failing", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("runs", sa.Column("deadline_at", Moment()))
    op.add_column("runs", sa.Column("deadline_missed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index(
        "ix_runs_under_way_until", "runs", ["deadline_at"], sqlite_where=_UNDER_WAY, postgresql_where=_UNDER_WAY
    )
    failed, succeeded = f"({_LAST} IN ('failed', 'timed-out'))", f"({_LAST} = 'succeeded')"
    op.execute(f"UPDATE jobs SET failing = true WHERE {failed} > COALESCE({succeeded}, '1970-01-01')")  # noqa: S608
