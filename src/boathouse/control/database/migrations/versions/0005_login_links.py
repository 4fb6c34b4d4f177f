"""Links that log a browser in once."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import Moment

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "login_links",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("user_id", sa.String(36), sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("code_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("expires_at", Moment(), nullable=False, index=True),
    )


def downgrade() -> None:
    op.drop_table("login_links")
