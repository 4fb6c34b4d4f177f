"""Jobs with their versions, and runs with their attempts and logs."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import JSON_TYPE, Moment

revision = "0003"
down_revision = "0002"

_ID = sa.String(36)
_UNDER_WAY = sa.text("state IN ('pending', 'starting', 'running')")


def _belongs_to(column: str, table: str, *, nullable: bool = False, primary_key: bool = False) -> sa.Column[str]:
    target = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(column, _ID, target, nullable=nullable, primary_key=primary_key)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[sa.types.DateTime]:
    return sa.Column(name, Moment(), nullable=nullable)


def _under_way(name: str, *columns: str) -> None:
    op.create_index(name, "runs", list(columns), sqlite_where=_UNDER_WAY, postgresql_where=_UNDER_WAY)


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", _ID, primary_key=True),
        _moment("created_at"),
        _belongs_to("workspace_id", "workspaces"),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        _moment("due_at", nullable=True),
        _moment("updated_at"),
        sa.UniqueConstraint("workspace_id", "name"),
    )
    op.create_index("ix_jobs_due_at", "jobs", ["due_at"])
    op.create_table(
        "job_versions",
        _belongs_to("job_id", "jobs", primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("definition", JSON_TYPE, nullable=False),
        sa.Column("made_by", sa.String(60), nullable=False),
        _moment("made_at"),
    )
    _create_runs()
    _create_attempts_and_logs()


def downgrade() -> None:
    for table in ("run_logs", "run_attempts", "runs", "job_versions", "jobs"):
        op.drop_table(table)


def _create_runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", _ID, primary_key=True),
        _moment("created_at"),
        _belongs_to("workspace_id", "workspaces"),
        _belongs_to("job_id", "jobs", nullable=True),
        sa.Column("job", sa.String(60), nullable=False),
        sa.Column("definition", JSON_TYPE),
        sa.Column("is_listed", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(30), nullable=False),
        sa.Column("values", JSON_TYPE, nullable=False),
        sa.Column("trigger", sa.String(20), nullable=False),
        sa.Column("requested_by", sa.String(60), nullable=False),
        sa.Column("key", sa.String(100)),
        _moment("scheduled_for", nullable=True),
        _belongs_to("flow_id", "runs", nullable=True),
        sa.Column("task", sa.String(60)),
        sa.Column("rules", JSON_TYPE, nullable=False),
        sa.Column("most_at_once", sa.Integer(), nullable=False),
        sa.Column("cores", sa.Integer(), nullable=False),
        sa.Column("memory_mb", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("takeovers", sa.Integer(), nullable=False),
        _moment("available_at"),
        sa.Column("worker", sa.String(100)),
        _moment("lease_until", nullable=True),
        sa.Column("stop_by", sa.String(60)),
        _moment("started_at", nullable=True),
        _moment("ended_at", nullable=True),
        sa.Column("error", sa.String(2000)),
        sa.Column("progress", JSON_TYPE),
        sa.Column("result", JSON_TYPE),
        sa.UniqueConstraint("workspace_id", "key"),
        sa.UniqueConstraint("job_id", "scheduled_for"),
        sa.UniqueConstraint("flow_id", "task"),
    )
    op.create_index("ix_runs_listed", "runs", ["workspace_id", "is_listed", "id"])
    op.create_index("ix_runs_of_job", "runs", ["workspace_id", "job", "id"])
    op.create_index("ix_runs_in_state", "runs", ["workspace_id", "state", "id"])
    _under_way("ix_runs_under_way", "state", "available_at")
    _under_way("ix_runs_under_way_in", "workspace_id", "state")
    _under_way("ix_runs_under_way_of", "job_id", "state")


def _create_attempts_and_logs() -> None:
    op.create_table(
        "run_attempts",
        _belongs_to("run_id", "runs", primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("worker", sa.String(100), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        _moment("claimed_at"),
        _moment("started_at", nullable=True),
        _moment("ended_at", nullable=True),
        sa.Column("error", sa.String(2000)),
        sa.Column("progress", JSON_TYPE),
        sa.Column("timeline", JSON_TYPE),
    )
    op.create_table(
        "run_logs",
        _belongs_to("run_id", "runs", primary_key=True),
        sa.Column("attempt", sa.Integer(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("lines", JSON_TYPE, nullable=False),
    )
