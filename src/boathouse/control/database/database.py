"""Sessions on the database: one to read, one to change and commit at its end.

A session to read is no transaction: each of its queries sees what was committed by then.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from pydantic_core import from_json
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine

from boathouse.control.database.rested import ask_after_rest
from boathouse.control.database.sqlite_reads import SessionInPlace, prepare, reading_engine
from boathouse.kit.errors import ConfigurationError, Conflict, InvalidInput, Unavailable

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
_CHANGES = "boathouse_changes"
# A process that is paused with locks in its hands keeps everybody from working: Postgres ends its session after so long.
# Between two statements of a change a healthy one needs milliseconds, and on a machine that swaps a few seconds.
_IDLE_SECONDS = 20
# Kept open. Those beyond are opened for one read and closed after it, which costs more than the read.
_READERS = 10
# Classes of Postgres' states that pass by themselves, which the driver has no error of their own for: connections, changes
# that stood in each other's way, no more memory, disk or connections, an operator at work (as at its start), its machine.
_PASSING = ("08", "40", "53", "57", "58")


class Database:
    def __init__(self, engine: AsyncEngine, reading: AsyncEngine | Engine) -> None:
        self.engine = engine
        self._reading = reading
        self._changing = engine.execution_options(**{_CHANGES: True})

    @property
    def dialect(self) -> str:
        return self.engine.dialect.name

    @property
    def place(self) -> str:
        """Where it is, without who logs in there."""
        url = self.engine.url
        name = url.database or ""
        return f"{url.host}:{url.port or 5432}/{name}" if url.host else name

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[AsyncSession]:
        async with _translated(), self._reader() as session:
            yield session

    @asynccontextmanager
    async def changing(self) -> AsyncGenerator[AsyncSession]:
        """Commits when the block ends, and rolls back if it raises."""
        async with (
            _translated(),
            AsyncSession(self._changing, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @asynccontextmanager
    async def part(self, session: AsyncSession) -> AsyncGenerator[None]:
        """A part of a change: if it raises, only the part is rolled back, and the rest may go on."""
        async with _translated(), session.begin_nested():
            yield

    async def ping(self) -> None:
        """Unavailable if it does not answer."""
        async with self.reading() as session:
            await session.execute(text("SELECT 1"))

    async def close(self) -> None:
        await self.engine.dispose()
        if isinstance(self._reading, Engine):
            self._reading.dispose()
        else:
            await self._reading.dispose()

    def _reader(self) -> AsyncSession:
        if isinstance(self._reading, Engine):
            return SessionInPlace(self._reading)
        return AsyncSession(self._reading, expire_on_commit=False)


def open_database(url: str) -> Database:
    """`sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST:PORT/NAME`.

    No error says what was in a statement, hashes of tokens or values of jobs, for errors are logged.
    """
    parsed = async_url(url)
    if parsed.get_backend_name() == "sqlite":
        return Database(_sqlite(parsed), reading_engine(parsed))
    engine = create_async_engine(parsed, pool_pre_ping=True, json_deserializer=from_json, hide_parameters=True)
    event.listen(engine.sync_engine, "begin", _on_postgres_begin)
    return Database(engine, _postgres_readers(parsed))


def async_url(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise ConfigurationError(
            "The database's URL cannot be read.",
            hint="Write sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME.",
        ) from None
    if parsed.drivername not in _DRIVERS:
        raise ConfigurationError(
            f"{parsed.drivername!r} is not a database that the control plane can use.",
            hint="Write sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME.",
        )
    return parsed.set(drivername=_DRIVERS[parsed.drivername])


def _sqlite(url: URL) -> AsyncEngine:
    engine = create_async_engine(url, json_deserializer=from_json, hide_parameters=True)
    event.listen(engine.sync_engine, "connect", prepare)
    event.listen(engine.sync_engine, "begin", _on_begin)
    return engine


def _postgres_readers(url: URL) -> AsyncEngine:
    """Connections of their own, on which the server itself refuses changes, as SQLite does for its readers."""
    engine = create_async_engine(
        url,
        json_deserializer=from_json,
        hide_parameters=True,
        isolation_level="AUTOCOMMIT",
        pool_size=_READERS,
        connect_args={"server_settings": {"default_transaction_read_only": "on", "timezone": "UTC"}},
    )
    ask_after_rest(engine)
    return engine


def _on_begin(connection: Connection) -> None:
    """A writer takes its turn at the start: one that reads first and then wants to write could only fail."""
    changes = connection.get_execution_options().get(_CHANGES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if changes else "BEGIN")


def _on_postgres_begin(connection: Connection) -> None:
    """Only for changes: who reads holds nobody up, and may have to wait long for something elsewhere."""
    if connection.get_execution_options().get(_CHANGES):
        connection.exec_driver_sql(f"SET LOCAL idle_in_transaction_session_timeout = '{_IDLE_SECONDS}s'")


@asynccontextmanager
async def _translated() -> AsyncGenerator[None]:
    try:
        yield
    except IntegrityError as error:
        raise Conflict(
            "Somebody changed the same at the same moment.", hint="Nothing was changed by this request. Try again."
        ) from error
    except DBAPIError as error:
        if _passes(error):
            raise _unavailable(error) from error
        if not _is_about_a_value(error):
            raise
        raise InvalidInput(
            f"The database cannot keep a value that was given: {_reason(error)}.",
            hint="A text may not hold the character NUL, and a number must not be too large.",
        ) from error
    except PoolTimeout as error:
        raise Unavailable(
            "The control plane has no connection to its database left.",
            hint="Nothing was changed. Try again; if it stays so, too much is asked of it at once.",
        ) from error
    except OSError as error:
        raise _unavailable(error) from error


def _unavailable(error: Exception) -> Unavailable:
    refuses = isinstance(error, DBAPIError) and _state(error).startswith(_PASSING) and not error.connection_invalidated
    return Unavailable(
        f"The control plane's database {'cannot do it now' if refuses else 'does not answer'}: {_reason(error)}.",
        hint="Nothing was changed. Try again; if it stays so, look at the database.",
    )


def _passes(error: DBAPIError) -> bool:
    """Whether it is the database that cannot, at the moment."""
    return isinstance(error, OperationalError) or error.connection_invalidated or _state(error).startswith(_PASSING)


def _is_about_a_value(error: DBAPIError) -> bool:
    """Postgres has a class of states for it; the library's own error covers but some of them."""
    return isinstance(error, DataError) or _state(error).startswith("22")


def _state(error: DBAPIError) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "")


def _reason(error: Exception) -> str:
    # The driver's own sentence: the library's goes on with the statement and its parameters, which may be secret.
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0].rstrip(".")
