"""Connections to SQLite, and a way to read by them at once.

The asynchronous driver gives every step of a query to a thread, which costs more than the queries do. Readers never wait
for anybody in write-ahead mode, so they are asked in place; writers wait for each other, and go by the thread.
"""

import sqlite3
from typing import Any

from pydantic_core import from_json
from sqlalchemy import event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from boathouse.kit.sqlite import use_write_ahead_log

# How long a writer waits for another, which takes a few milliseconds.
_BUSY_SECONDS = 10


class ReadInPlace(SQLiteDialect_pysqlite):
    """The library's own driver, said to be asynchronous: it never has anything to wait for."""

    driver = "inplace"
    is_async = True
    supports_statement_cache = True


class _Cursor(sqlite3.Cursor):
    async def _async_soft_close(self) -> None:
        """What the library asks of asynchronous drivers, before rows are taken from the cursor."""


class _Connection(sqlite3.Connection):
    def cursor(self, factory: type[sqlite3.Cursor] = _Cursor) -> sqlite3.Cursor:  # pyright: ignore[reportIncompatibleMethodOverride]
        return super().cursor(factory)


registry.register("sqlite.inplace", __name__, ReadInPlace.__name__)


def reading_engine(url: URL) -> AsyncEngine:
    engine = create_async_engine(
        url.set(drivername="sqlite+inplace"),
        poolclass=AsyncAdaptedQueuePool,
        connect_args={"factory": _Connection},
        json_deserializer=from_json,
    )
    event.listen(engine.sync_engine, "connect", prepare)
    event.listen(engine.sync_engine, "connect", _refuse_changes)
    return engine


def prepare(connection: Any, _record: Any) -> None:
    # The driver would begin transactions itself, too late and of the wrong kind.
    connection.isolation_level = None
    cursor = connection.cursor()
    use_write_ahead_log(cursor.execute, patience=_BUSY_SECONDS)
    for setting in ("synchronous=FULL", "foreign_keys=ON", f"busy_timeout={_BUSY_SECONDS * 1000}"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _refuse_changes(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA query_only=ON")
