"""Datasets, and which runs read and wrote them."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import JSON_TYPE, Moment

revision = "0007"
down_revision = "0006"

_ID = sa.String(36)


def _belongs_to(column: str, table: str, *, nullable: bool = False, index: bool = False) -> sa.Column[str]:
    return sa.Column(column, _ID, sa.ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=nullable, index=index)


def upgrade() -> None:
    op.create_table(
        "datasets",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("created_at", Moment(), nullable=False),
        _belongs_to("workspace_id", "workspaces"),
        sa.Column("name", sa.String(300), nullable=False),
        sa.Column("format", sa.String(20), nullable=False),
        sa.Column("location", sa.String(2000), nullable=False),
        sa.Column("owner", sa.String(100), nullable=False),
        sa.Column("description", sa.String(2000), nullable=False),
        sa.Column("tags", JSON_TYPE, nullable=False),
        sa.Column("in_lake", sa.Boolean(), nullable=False),
        sa.Column("connection_id", _ID, sa.ForeignKey("connections.id", ondelete="SET NULL"), index=True),
        sa.Column("table_uuid", sa.String(64)),
        sa.Column("columns", JSON_TYPE, nullable=False),
        sa.Column("rows", sa.BigInteger()),
        sa.Column("files", sa.BigInteger()),
        sa.Column("bytes", sa.BigInteger()),
        sa.Column("committed_at", Moment()),
        sa.Column("gone_at", Moment()),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.UniqueConstraint("workspace_id", "name"),
    )
    _create_lineage()


def downgrade() -> None:
    for table in ("lineage_edges", "lineage_uses", "lineage_runs", "datasets"):
        op.drop_table(table)


def _create_lineage() -> None:
    op.create_table(
        "lineage_runs",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("created_at", Moment(), nullable=False),
        _belongs_to("workspace_id", "workspaces"),
        _belongs_to("job_id", "jobs", nullable=True, index=True),
        sa.Column("namespace", sa.String(150), nullable=False),
        sa.Column("job", sa.String(150), nullable=False),
        sa.Column("run_id", _ID, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.UniqueConstraint("workspace_id", "run_id"),
    )
    op.create_table(
        "lineage_uses",
        sa.Column("lineage_run_id", _ID, sa.ForeignKey("lineage_runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("direction", sa.String(20), primary_key=True),
        sa.Column("dataset", sa.String(300), primary_key=True),
    )
    op.create_table(
        "lineage_edges",
        sa.Column("id", sa.String(64), primary_key=True),
        _belongs_to("workspace_id", "workspaces"),
        _belongs_to("job_id", "jobs", nullable=True, index=True),
        sa.Column("namespace", sa.String(150), nullable=False),
        sa.Column("job", sa.String(150), nullable=False),
        sa.Column("direction", sa.String(20), nullable=False),
        sa.Column("dataset", sa.String(300), nullable=False),
        sa.Column("last_run", _ID, nullable=False),
        sa.Column("last_at", Moment(), nullable=False),
    )
    op.create_index("ix_lineage_edges_dataset", "lineage_edges", ["workspace_id", "dataset"])
    op.create_index("ix_lineage_edges_job", "lineage_edges", ["workspace_id", "namespace", "job"])
