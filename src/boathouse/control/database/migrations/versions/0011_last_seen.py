"""When users logged in last, who changed a connection last, and how its last test went."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import JSON_TYPE, Moment

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("users", sa.Column("last_login_at", Moment()))
    op.add_column("connections", sa.Column("updated_by", sa.String(100)))
    op.add_column("connections", sa.Column("last_test", JSON_TYPE))


def downgrade() -> None:
    op.drop_column("connections", "last_test")
    op.drop_column("connections", "updated_by")
    op.drop_column("users", "last_login_at")
