"""An index over the runs of a job that workers have, so that those that wait are not counted through.

Of a workspace `ix_runs_in_state` finds them, and the index over what is under way in one is of no use to any query.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
_ACTIVE = sa.text("state IN ('starting', 'running')")
_UNDER_WAY = sa.text("state IN ('pending', 'starting', 'running')")


def upgrade() -> None:
    op.create_index("ix_runs_active_of", "runs", ["job_id"], sqlite_where=_ACTIVE, postgresql_where=_ACTIVE)
    op.drop_index("ix_runs_under_way_in", "runs")


def downgrade() -> None:
    op.create_index(
        "ix_runs_under_way_in",
        "runs",
        ["workspace_id", "state"],
        sqlite_where=_UNDER_WAY,
        postgresql_where=_UNDER_WAY,
    )
    op.drop_index("ix_runs_active_of", "runs")
