"""Queries with their history, and saved ones."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import Moment

revision = "0004"
down_revision = "0003"

_ID = sa.String(36)


def _belongs_to(column: str, table: str, *, unique: bool = False) -> sa.Column[str]:
    return sa.Column(column, _ID, sa.ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False, unique=unique)


def upgrade() -> None:
    op.create_table(
        "queries",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("created_at", Moment(), nullable=False),
        _belongs_to("workspace_id", "workspaces"),
        _belongs_to("user_id", "users"),
        _belongs_to("run_id", "runs", unique=True),
        sa.Column("sql", sa.Text(), nullable=False),
        sa.Column("engine", sa.String(30), nullable=False),
    )
    op.create_index("ix_queries_of_user", "queries", ["workspace_id", "user_id", "id"])
    op.create_index("ix_queries_user_id", "queries", ["user_id"])
    op.create_table(
        "saved_queries",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("created_at", Moment(), nullable=False),
        _belongs_to("workspace_id", "workspaces"),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("sql", sa.Text(), nullable=False),
        sa.Column("description", sa.String(2000), nullable=False),
        sa.Column("saved_by", sa.String(60), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.UniqueConstraint("workspace_id", "name"),
    )


def downgrade() -> None:
    op.drop_table("saved_queries")
    op.drop_table("queries")
