"""Bringing a database to the shape that the code expects, and back."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from boathouse.control.database.database import Database
from boathouse.kit.errors import ConfigurationError

_SCRIPTS = Path(__file__).parent / "migrations"
# Any number, the same in every process: whoever migrates first holds it.
_LOCK = 7_203_441


async def migrate(database: Database, revision: str = "head") -> None:
    """Upgrade to the revision. Several processes may start at once: one migrates, the others find it done."""
    async with database.engine.execution_options(boathouse_changes=True).begin() as connection:
        await _alone(connection)
        current = await connection.run_sync(_current)
        if current is not None and current not in _known():
            raise ConfigurationError(
                f"The database is of a newer Boathouse (revision {current}).",
                hint="Upgrade this installation, or restore a backup made with it.",
            )
        await connection.run_sync(_upgrade, revision)


async def downgrade(database: Database, revision: str) -> None:
    async with database.engine.execution_options(boathouse_changes=True).begin() as connection:
        await _alone(connection)
        await connection.run_sync(_downgrade, revision)


async def revision_of(database: Database) -> str | None:
    """The one that the database is at."""
    async with database.engine.connect() as connection:
        return await connection.run_sync(_current)


async def _alone(connection: AsyncConnection) -> None:
    if connection.dialect.name == "postgresql":
        await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection, revision: str) -> None:
    command.upgrade(_config(connection), revision)


def _downgrade(connection: Connection, revision: str) -> None:
    command.downgrade(_config(connection), revision)


def _current(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _known() -> set[str]:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    return {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
