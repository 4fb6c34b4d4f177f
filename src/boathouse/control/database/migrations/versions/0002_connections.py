"""Connections."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import JSON_TYPE, Moment

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "connections",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("workspace_id", sa.String(36), sa.ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("kind", sa.String(30), nullable=False),
        sa.Column("description", sa.String(2000), nullable=False),
        sa.Column("config", JSON_TYPE, nullable=False),
        sa.Column("secrets", JSON_TYPE, nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.UniqueConstraint("workspace_id", "name"),
    )


def downgrade() -> None:
    op.drop_table("connections")
