"""Connections to SQLite, and a way to read by them at once.

The asynchronous driver gives every step of a query to a thread, which costs more than the queries do. Readers never wait
for anybody in write-ahead mode, so they are asked in place; writers wait for each other, and go by the thread.
"""

from typing import Any

from pydantic_core import from_json
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.pool import QueuePool

from boathouse.kit.sqlite import use_write_ahead_log

# How long a writer waits for another, which takes a few milliseconds.
_BUSY_SECONDS = 10


class SessionInPlace(AsyncSession):
    """For an engine that never has anything to wait for, asked by what waits for others: the library's own driver.

    Each statement saves the greenlet in which it would wait, and the session the task by which it would be closed.
    """

    def __init__(self, engine: Engine) -> None:
        super().__init__(expire_on_commit=False)
        self.sync_session.bind = engine

    async def execute(self, *given: Any, **options: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.sync_session.execute(*given, **options)

    async def scalar(self, *given: Any, **options: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.sync_session.scalar(*given, **options)

    async def scalars(self, *given: Any, **options: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.sync_session.scalars(*given, **options)

    async def get(self, *given: Any, **options: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.sync_session.get(*given, **options)

    async def close(self) -> None:
        self.sync_session.close()

    async def __aexit__(self, *_: object) -> None:
        self.sync_session.close()


def reading_engine(url: URL) -> Engine:
    engine = create_engine(
        url.set(drivername="sqlite"),
        poolclass=QueuePool,
        # Whoever waited for a connection would keep everybody waiting; one more is but a file that is opened.
        max_overflow=-1,
        json_deserializer=from_json,
        hide_parameters=True,
    )
    event.listen(engine, "connect", prepare)
    event.listen(engine, "connect", _refuse_changes)
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
