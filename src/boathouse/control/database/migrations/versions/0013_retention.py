"""What of ended runs is no longer kept, and results that are to be removed from storage."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import Moment

revision = "0013"
down_revision = "0012"
_KEPT = ("result", "log")


def upgrade() -> None:
    for kept in _KEPT:
        op.add_column("runs", sa.Column(f"{kept}_gone_at", Moment()))
        there = sa.text(f"{kept}_gone_at IS NULL")
        op.create_index(
            f"ix_runs_with_{kept}", "runs", ["ended_at"], unique=False, sqlite_where=there, postgresql_where=there
        )
    op.create_table(
        "discarded_results",
        sa.Column("place", sa.String(100), primary_key=True),
        sa.Column("at", Moment(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("discarded_results")
    for kept in _KEPT:
        op.drop_index(f"ix_runs_with_{kept}", "runs")
        op.drop_column("runs", f"{kept}_gone_at")
