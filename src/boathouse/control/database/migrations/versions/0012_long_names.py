"""Room for the names of all users wherever one is kept: they may have a hundred characters."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_KEPT = (("runs", "requested_by"), ("runs", "stop_by"), ("job_versions", "made_by"), ("saved_queries", "saved_by"))


def upgrade() -> None:
    _make(60, 100)


def downgrade() -> None:
    _make(100, 60)


def _make(before: int, after: int) -> None:
    if op.get_bind().dialect.name == "sqlite":
        # It keeps text of any length whatever is declared, and to declare it anew is to make the table anew.
        return
    for table, column in _KEPT:
        op.alter_column(
            table,
            column,
            existing_type=sa.String(before),
            type_=sa.String(after),
            # What is longer is cut, and not refused.
            postgresql_using=f"{column}::varchar({after})",
        )
