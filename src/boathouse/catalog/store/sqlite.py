"""The store in one SQLite file, for one machine.

Commits wait in a queue for one writer thread, which takes all that are waiting into one SQLite transaction: each is
still decided on its own, but they share the flush to disk, which is what a commit costs. Reads are done at once on
the event loop: a point read takes microseconds, less than handing it to a thread would.
"""

import asyncio
import os
import queue
import sqlite3
import threading
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, assert_never

from boathouse.catalog.errors import CommitStateUnknown
from boathouse.catalog.store.protocol import (
    Absent,
    Comparison,
    Cut,
    Delete,
    Empty,
    Entry,
    Present,
    Put,
    StoreHealth,
    Unchanged,
    Write,
)
from boathouse.kit.errors import ConfigurationError, NotFound, Unavailable
from boathouse.kit.files import PRIVATE
from boathouse.kit.sqlite import use_write_ahead_log

# Past this many a batch holds the file's lock so long that readers of the answer notice.
_LARGEST_BATCH = 128
_BUSY_SECONDS = 10.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value BLOB NOT NULL, revision INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL);
INSERT OR IGNORE INTO clock VALUES (1, 0);
"""
_ONE = "SELECT key, value, revision FROM entry WHERE key = ?"
_PAGE = "SELECT key, value, revision FROM entry WHERE key >= ? AND key > ? AND key < ? ORDER BY key LIMIT ?"
_KEYS = "SELECT key FROM entry WHERE key >= ? AND key > ? AND key < ? ORDER BY key LIMIT ?"


@dataclass(frozen=True)
class _Commit:
    comparisons: Sequence[Comparison]
    writes: Sequence[Write]
    applied: "Future[bool]" = field(default_factory=Future[bool])


class SqliteStore:
    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Where there is none yet, one is made only if told so."""
        self._path = path
        self._waiting: queue.SimpleQueue[_Commit | None] = queue.SimpleQueue()
        self._closed = False
        if not create and not path.exists():
            raise NotFound(
                f"There is no store at {path.absolute()}.",
                hint="Name the one that `serve` was told. A path from the root has four slashes: sqlite:////var/lib/catalog.db.",
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _make_private(path)
            self._writes = _connect(path)
            self._writes.executescript(_SCHEMA)
            self._reads = _connect(path)
            self._file = _identity(path)
        except (OSError, sqlite3.Error) as error:
            raise ConfigurationError(
                f"The store {path} cannot be opened: {error}.", hint="Name a file in a directory you may write to."
            ) from error
        self._writer = threading.Thread(target=self._write_batches, name="catalog-store-writer", daemon=True)
        self._writer.start()

    async def read(self, key: str) -> Entry | None:
        rows = _rows(self._reads, _ONE, (key,))
        return Entry(*rows[0]) if rows else None

    async def list(self, prefix: str, *, after: str = "", limit: int) -> list[Entry]:
        return _page(self._reads, prefix, after, limit)

    async def keys(self, prefix: str, *, after: str = "", limit: int) -> Sequence[str]:
        return [key for (key,) in _rows(self._reads, _KEYS, _bounds(prefix, after, limit))]

    @asynccontextmanager
    async def cut(self) -> AsyncGenerator[Cut]:
        """A read transaction of its own: it sees the file as it was when it began."""
        with closing(_connect(self._path)) as connection:
            connection.execute("BEGIN")
            (revision,) = connection.execute("SELECT revision FROM clock").fetchone()
            yield _SqliteCut(revision, connection)

    async def commit(self, comparisons: Sequence[Comparison], writes: Sequence[Write]) -> bool:
        if self._closed:
            raise Unavailable("The catalog is shutting down.", hint="Try again.")
        commit = _Commit(comparisons, writes)
        self._waiting.put(commit)
        # Shielded: a caller who goes away does not take the commit along, it is already in the queue.
        return await asyncio.shield(asyncio.wrap_future(commit.applied))

    async def health(self) -> StoreHealth:
        here = (str(self._path),)
        well = not self._closed and _identity(self._path) == self._file
        return StoreHealth(form="sqlite", endpoints=here, reachable=here if well else (), leader=str(self._path))

    async def check(self) -> None:
        self._check_file()

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)
        self._reads.close()
        self._writes.close()

    def _check_file(self) -> None:
        """A file that was taken away can still be written, and what is written is lost."""
        if _identity(self._path) != self._file:
            raise Unavailable(
                f"The catalog's store is not the file that was opened: {self._path} is gone or was replaced.",
                hint="Put it back, or start the catalog again.",
            )

    def _write_batches(self) -> None:
        while (batch := self._next_batch()) is not None:
            self._write(batch)

    def _next_batch(self) -> "list[_Commit] | None":
        first = self._waiting.get()
        if first is None:
            return None
        batch = [first]
        with suppress(queue.Empty):
            while len(batch) < _LARGEST_BATCH:
                following = self._waiting.get_nowait()
                if following is None:
                    self._waiting.put(None)
                    break
                batch.append(following)
        return batch

    def _write(self, batch: "list[_Commit]") -> None:
        try:
            self._check_file()
            self._writes.execute("BEGIN IMMEDIATE")
            decisions = self._decide(batch)
        except Unavailable as error:
            _fail(batch, error)
            return
        except Exception as error:  # noqa: BLE001 - the only writer must outlive whatever a commit holds
            self._roll_back()
            _fail(batch, Unavailable(f"The catalog's store cannot be written: {error}.", hint="Try again."))
            return
        try:
            self._writes.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            _fail(batch, CommitStateUnknown(f"The catalog's store did not confirm the commit: {error}."))
            return
        for commit, applied in zip(batch, decisions, strict=True):
            commit.applied.set_result(applied)

    def _decide(self, batch: "list[_Commit]") -> "list[bool]":
        """Each sees what the ones before it wrote, as if it had been alone."""
        (revision,) = self._writes.execute("SELECT revision FROM clock").fetchone()
        decisions: list[bool] = []
        for commit in batch:
            holds = all(self._holds(comparison) for comparison in commit.comparisons)
            if holds:
                revision += 1
                self._apply(commit.writes, revision)
            decisions.append(holds)
        self._writes.execute("UPDATE clock SET revision = ?", (revision,))
        return decisions

    def _holds(self, comparison: Comparison) -> bool:
        match comparison:
            case Unchanged(key, revision):
                return self._revision(key) == revision
            case Absent(key):
                return self._revision(key) is None
            case Present(key):
                return self._revision(key) is not None
            case Empty(prefix):
                query = "SELECT 1 FROM entry WHERE key >= ? AND key < ? LIMIT 1"
                return self._writes.execute(query, (prefix, _end_of(prefix))).fetchone() is None
            case _:
                assert_never(comparison)

    def _revision(self, key: str) -> int | None:
        row = self._writes.execute("SELECT revision FROM entry WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def _apply(self, writes: Sequence[Write], revision: int) -> None:
        for write in writes:
            match write:
                case Put(key, value):
                    self._writes.execute("INSERT OR REPLACE INTO entry VALUES (?, ?, ?)", (key, value, revision))
                case Delete(key):
                    self._writes.execute("DELETE FROM entry WHERE key = ?", (key,))
                case _:
                    assert_never(write)

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):
            self._writes.execute("ROLLBACK")


@dataclass(frozen=True)
class _SqliteCut:
    revision: int
    connection: sqlite3.Connection

    async def list(self, prefix: str, *, after: str = "", limit: int) -> list[Entry]:
        return _page(self.connection, prefix, after, limit)


def _page(connection: sqlite3.Connection, prefix: str, after: str, limit: int) -> list[Entry]:
    return [Entry(*row) for row in _rows(connection, _PAGE, _bounds(prefix, after, limit))]


def _bounds(prefix: str, after: str, limit: int) -> tuple[str | int, ...]:
    return max(prefix, after), after, _end_of(prefix), limit


def _rows(connection: sqlite3.Connection, query: str, parameters: tuple[str | int, ...]) -> list[tuple[Any, ...]]:
    try:
        return connection.execute(query, parameters).fetchall()
    except sqlite3.Error as error:
        raise Unavailable(f"The catalog's store cannot be read: {error}.", hint="Try again.") from error


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=_BUSY_SECONDS)
    use_write_ahead_log(connection.execute, patience=_BUSY_SECONDS)
    # FULL flushes the log at every commit: what was acknowledged survives a power cut.
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _make_private(path: Path) -> None:
    """It holds the keys that tokens are signed with. What SQLite puts beside it has the same mode.

    One that is there is not opened here: closing it would end the locks that this process holds on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
    for one in (path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))):
        with suppress(FileNotFoundError, PermissionError):  # another's: then it is for them to say
            if one.stat().st_mode & 0o077:
                one.chmod(PRIVATE)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - asked before every write
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _end_of(prefix: str) -> str:
    """The first key after all those that start with `prefix`. No key holds U+10FFFF: names and places with it are refused."""
    return prefix + "\U0010ffff"


def _fail(batch: "list[_Commit]", error: Exception) -> None:
    for commit in batch:
        commit.applied.set_exception(error)
