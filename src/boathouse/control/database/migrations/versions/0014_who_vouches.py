"""Which versions of jobs, and so which runs, a platform admin answers for, and when logins by a link end."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import Moment

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    for table in ("job_versions", "runs"):
        # None of those that are there: their maker's name is known, and not what they might do then.
        op.add_column(table, sa.Column("by_platform_admin", sa.Boolean(), nullable=False, server_default=sa.false()))
    for table in ("login_links", "browser_sessions"):
        op.add_column(table, sa.Column("ends_at", Moment()))


def downgrade() -> None:
    for table in ("browser_sessions", "login_links"):
        op.drop_column(table, "ends_at")
    for table in ("runs", "job_versions"):
        op.drop_column(table, "by_platform_admin")
