"""Who users are at identity providers."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import Moment

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "identities",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("user_id", sa.String(36), sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("issuer", sa.String(500), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.UniqueConstraint("issuer", "subject"),
    )


def downgrade() -> None:
    op.drop_table("identities")
