"""The people, their workspaces and the audit."""

import sqlalchemy as sa
from alembic import op

from boathouse.control.database.base import JSON_TYPE, Moment

revision = "0001"
down_revision = None

_ID = sa.String(36)
_HASH = sa.String(64)


def _identified() -> tuple[sa.Column[str], sa.Column[sa.types.DateTime]]:
    return sa.Column("id", _ID, primary_key=True), sa.Column("created_at", Moment(), nullable=False)


def _reference(column: str, table: str, *, nullable: bool = False, primary_key: bool = False) -> sa.Column[str]:
    target = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(column, _ID, target, nullable=nullable, primary_key=primary_key, index=column != "workspace_id")


def upgrade() -> None:
    op.create_table(
        "users",
        *_identified(),
        sa.Column("name", sa.String(100), nullable=False, unique=True),
        sa.Column("display_name", sa.String(200), nullable=False),
        sa.Column("email", sa.String(254)),
        sa.Column("password_hash", sa.String(200)),
        sa.Column("must_change_password", sa.Boolean, nullable=False),
        sa.Column("is_platform_admin", sa.Boolean, nullable=False),
        sa.Column("disabled_at", Moment()),
    )
    op.create_table(
        "failed_logins",
        sa.Column("key", sa.String(160), primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("blocked_until", Moment(), nullable=False),
    )
    op.create_table(
        "browser_sessions",
        *_identified(),
        _reference("user_id", "users"),
        sa.Column("secret_hash", _HASH, nullable=False, unique=True),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False, index=True),
    )
    op.create_table(
        "workspaces",
        *_identified(),
        sa.Column("name", sa.String(60), nullable=False, unique=True),
        sa.Column("description", sa.String(2000), nullable=False),
        sa.Column("most_runs", sa.Integer, nullable=False),
        sa.Column("most_cores", sa.Integer, nullable=False),
        sa.Column("most_memory_mb", sa.Integer, nullable=False),
        sa.Column("defaults", JSON_TYPE, nullable=False),
    )
    op.create_table(
        "members",
        _reference("workspace_id", "workspaces", primary_key=True),
        _reference("user_id", "users", primary_key=True),
        sa.Column("role", sa.String(20), nullable=False),
    )
    op.create_table(
        "tokens",
        *_identified(),
        _reference("user_id", "users"),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("secret_hash", _HASH, nullable=False, unique=True),
        sa.Column("role", sa.String(20), nullable=False),
        _reference("workspace_id", "workspaces", nullable=True),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.Column("last_used_at", Moment()),
    )
    op.create_index("ix_tokens_workspace_id", "tokens", ["workspace_id"])
    op.create_table(
        "audit",
        sa.Column(
            "number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True, autoincrement=False
        ),
        sa.Column("at", Moment(), nullable=False, index=True),
        sa.Column("user_id", _ID, index=True),
        sa.Column("user_name", sa.String(100)),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("action", sa.String(60), nullable=False, index=True),
        sa.Column("workspace_id", _ID, index=True),
        sa.Column("target", sa.String(300), nullable=False),
        sa.Column("result", sa.String(40), nullable=False),
        sa.Column("details", JSON_TYPE, nullable=False),
        sa.Column("request_id", sa.String(64), nullable=False),
        sa.Column("previous", _HASH, nullable=False),
        sa.Column("hash", _HASH, nullable=False),
    )
    for statement in _only_appended():
        op.execute(statement)


def downgrade() -> None:
    for table in ("audit", "tokens", "members", "workspaces", "browser_sessions", "failed_logins", "users"):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_is_only_appended_to")


def _only_appended() -> list[str]:
    """The database itself refuses to change or remove an entry."""
    if op.get_bind().dialect.name == "sqlite":
        return [
            f"CREATE TRIGGER audit_no_{what.lower()} BEFORE {what} ON audit "
            "BEGIN SELECT RAISE(ABORT, 'the audit is only appended to'); END"
            for what in ("UPDATE", "DELETE")
        ]
    return [
        """CREATE FUNCTION audit_is_only_appended_to() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the audit is only appended to'; END $$""",
        """CREATE TRIGGER audit_only_appended BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION audit_is_only_appended_to()""",
    ]
