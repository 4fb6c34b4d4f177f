"""Run by Alembic, on the connection that `migrate` gives it."""

from alembic import context

from boathouse.control.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    # SQLite changes a table by making it anew.
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
