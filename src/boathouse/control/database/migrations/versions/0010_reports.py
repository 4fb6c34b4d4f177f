"""What a run did in figures."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import JSON_TYPE

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("runs", sa.Column("report", JSON_TYPE))


def downgrade() -> None:
    op.drop_column("runs", "report")
