"""The engine itself. One process has its directory at a time; within it every query has a connection of its own.

The engine writes a result to a pipe as it goes (INTO OUTFILE), so that a result of any size takes the memory of a pipe;
and takes an insert's data piece by piece. All of it blocks, without Python's lock: call it in threads.
"""

import fcntl
import os
import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from boathouse.kit.errors import Conflict
from boathouse.kit.files import private_directory, write_private
from boathouse.stack.embedded_clickhouse.errors import ClickHouseError, of_engine
from boathouse.stack.embedded_clickhouse.options import Options
from boathouse.stack.embedded_clickhouse.sql_text import quoted

# As a server has them: the library sets these as suits a command line.
_AS_SERVER = {
    "implicit_select": "0",
    "allow_introspection_functions": "0",
    "storage_file_read_method": "pread",
    # An insert is a part on disk when it is answered, whatever others insert meanwhile.
    "async_insert": "0",
}


# Names go into statements as they are.
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


@dataclass(frozen=True)
class Outcome:
    """What a query did, in the numbers of `X-ClickHouse-Summary`."""

    read_rows: int = 0
    read_bytes: int = 0
    written_rows: int = 0
    written_bytes: int = 0
    result_rows: int = 0
    result_bytes: int = 0
    total_rows: int = 0
    """How many were to be read, as far as that was known."""
    elapsed_ns: int = 0


class Engine:
    def __init__(self, options: Options) -> None:
        from chdb import _chdb

        self._library: Any = _chdb
        # Signals are the server's business; the library would print a stack and stay.
        self._library.set_signal_handlers_enabled(False)
        self._path = private_directory(options.data)
        self._lock = _only_here(self._path)
        config = self._path.parent / f"{self._path.name}.xml"
        write_private(config, _config(options).encode())
        # Held open: with its last connection the engine itself is closed.
        self._root = self._library.connect(f"{self._path / 'engine'}?config-file={config}")
        first = self.connect()
        first.run(f"CREATE DATABASE IF NOT EXISTS `{options.database}`")
        self.version = first.ask("SELECT version()")
        self.timezone = first.ask("SELECT timezone()")
        self.name = first.ask("SELECT displayName()")
        self.content_types = first.content_types()
        first.close()

    def connect(self) -> "Connection":
        connection = Connection(self._library.connect(str(self._path / "engine")))
        connection.set(_AS_SERVER)
        return connection

    def close(self) -> None:
        self._root.close()
        os.close(self._lock)


class Connection:
    """One query at a time. Settings, the database in use and temporary tables are its own."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    def run(
        self, sql: str, output_format: str = "TabSeparated", parameters: Mapping[str, str] | None = None
    ) -> tuple[bytes, Outcome]:
        """A statement whose result is small, or written elsewhere by itself."""
        try:
            result = self._raw.query(sql, output_format, params=dict(parameters or {}))
        except RuntimeError as error:
            raise of_engine(error) from error
        return result.bytes(), Outcome(
            read_rows=result.storage_rows_read(),
            read_bytes=result.storage_bytes_read(),
            written_rows=result.rows_written(),
            written_bytes=result.bytes_written(),
            result_rows=result.rows_read(),
            result_bytes=result.bytes_read(),
            elapsed_ns=int(result.elapsed() * 1e9),
        )

    def ask(self, sql: str) -> str:
        return self.run(sql)[0].decode().rstrip("\n")

    def insert(self, head: str, data_format: str, pieces: Iterator[bytes]) -> Outcome:
        """All of it or nothing, as far as ClickHouse goes: up to a block (a million rows) it is one part."""
        try:
            raw = self._raw.send_insert(head, data_format)
            with self._cancelled_unless_done(raw):
                for piece in pieces:
                    self._raw.insert_append(raw, piece)
                result = self._raw.insert_done(raw)
        except RuntimeError as error:
            raise of_engine(error) from error
        rows, size = result.rows_written(), result.bytes_written()
        return Outcome(written_rows=rows, written_bytes=size, elapsed_ns=int(result.elapsed() * 1e9))

    @contextmanager
    def _cancelled_unless_done(self, raw: Any) -> Generator[None]:
        """Whatever happened, the connection must not stay in the middle of an insert."""
        try:
            yield
        except BaseException:
            with suppress(RuntimeError):
                self._raw.insert_cancel(raw)
            raise

    def set(self, settings: Mapping[str, str | None]) -> None:
        """None is the default again."""
        if unknown := next((name for name in settings if not _NAME.fullmatch(name)), None):
            raise ClickHouseError(115, "UNKNOWN_SETTING", f"Unknown setting {quoted(unknown)}")
        if settings:
            pairs = (f"{name} = {'DEFAULT' if value is None else quoted(value)}" for name, value in settings.items())
            self.run(f"SET {', '.join(pairs)}")

    def only_reads(self, sql: str) -> bool:
        """As the engine's own parser sees it."""
        found = self._raw.classify_query(sql)
        if found["statement_count"] > 1:
            raise ClickHouseError(62, "SYNTAX_ERROR", "Syntax error: Multi-statements are not allowed.")
        return found["query_class"].name == "READ_ONLY"

    def content_types(self) -> dict[str, str]:
        """Of each format that it writes, by its name in small letters."""
        told = self.ask("SELECT lower(name), content_type FROM system.formats WHERE is_output")
        return dict(line.split("\t") for line in told.splitlines())

    def tell_progress_to(self, progress: dict[str, int]) -> None:
        """Keep in it how far a query has come."""
        self._raw.set_progress_callback(progress.update)

    def tell_progress_to_nobody(self) -> None:
        self._raw.set_progress_callback(None)

    def close(self) -> None:
        self._raw.close()


def _only_here(path: Path) -> int:
    """The kernel gives the lock back when the process dies, however it dies."""
    lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise Conflict(
            f"{path} is in use by another process.", hint="Stop that one, or give another directory."
        ) from None
    return lock


def _config(options: Options) -> str:
    log = "<database>system</database><flush_interval_milliseconds>2000</flush_interval_milliseconds>"
    kept = "<ttl>event_date + INTERVAL 7 DAY DELETE</ttl>"
    return f"""<clickhouse>
  <display_name>{escape("embedded ClickHouse")}</display_name>
  <max_server_memory_usage>{options.memory_bytes}</max_server_memory_usage>
  <query_log>{log}<table>query_log</table>{kept}</query_log>
</clickhouse>
"""
