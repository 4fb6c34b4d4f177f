"""Where a saved query is asked, and what its parameters are."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import JSON_TYPE

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("saved_queries", sa.Column("connection", sa.String(60)))
    # SQLite adds a column that may not be empty only with a default, which is of no more use once the rows have it.
    op.add_column("saved_queries", sa.Column("parameters", JSON_TYPE, nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("saved_queries", "parameters")
    op.drop_column("saved_queries", "connection")
