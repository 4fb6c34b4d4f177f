"""ClickHouse as the speed hop uses it: statements, inserts that are known again, and how far topics have come."""

import hashlib
import json
import re
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any

import clickhouse_connect
import pyarrow as pa
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import ClickHouseError

from boathouse.kit.access import ClickHouseAccess
from boathouse.kit.errors import Unavailable
from boathouse.pipelines.stream.clickhouse_tables import AT_THE_ENDS, full, quoted
from boathouse.pipelines.stream.offsets import Ids, Offsets
from boathouse.pipelines.stream.order import NOWHERE, Order
from boathouse.pipelines.stream.targets import EMPTIED, ODD, OFFSETS

# Of 64 letters and digits each, that is half of what ClickHouse takes as a statement (256 KiB).
_FORGOTTEN_AT_ONCE = 2000
# A table of a billion rows is copied within that. Who has gone away meanwhile is noticed by the connection itself.
_LONGEST_COMMAND = 24 * 60 * 60
# In what ClickHouse says itself.
_SAID = "Code: "
_ERRNO = re.compile(r"\[Errno -?\d+\] ([^'\")]+)")


def connect(access: ClickHouseAccess, database: str | None = None, **options: Any) -> Client:
    with _away(access):
        return clickhouse_connect.get_client(
            dsn=access.uri,
            username=access.user,
            password=access.password.get_secret_value(),
            database=database or access.database,
            autogenerate_session_id=False,
            query_limit=0,
            **options,
        )


class Warehouse:
    """One database."""

    def __init__(self, access: ClickHouseAccess, database: str) -> None:
        self._access = access
        self._database = database
        self._client: Client | None = None
        self._patient: Client | None = None
        self._noted_at: dict[str, int] = {}
        """By pipeline, in microseconds since 1970: when the offsets were noted that are known."""

    def command(self, statement: str) -> None:
        """However long it takes: ClickHouse says nothing before it is done, and one given up would be begun again for ever."""
        with _away(self._access):
            self._open_patiently().command(statement)

    def commands(self, statements: Iterable[str]) -> None:
        for statement in statements:
            self.command(statement)

    def columns(self, name: str) -> dict[str, str]:
        with _away(self._access):
            told = self._open().query(f"DESCRIBE TABLE {full(self._database, name)}")
        return {row[0]: row[1] for row in told.result_rows}

    def has_table(self, name: str) -> bool:
        with _away(self._access):
            return bool(self._open().command(f"EXISTS TABLE {full(self._database, name)}"))

    def columns_of_query(self, query: str) -> dict[str, str]:
        with _away(self._access):
            told = self._open().query(f"DESCRIBE TABLE ({query})")
        return {row[0]: row[1] for row in told.result_rows}

    def ids(self, *names: str) -> dict[str, str]:
        """Of those of these tables that are there: another one if a table was put in another's place."""
        query = "SELECT name, toString(uuid) FROM system.tables WHERE database = %(database)s AND name IN %(names)s"
        with _away(self._access):
            told = self._open().query(query, {"database": self._database, "names": names})
        return {row[0]: row[1] for row in told.result_rows}

    def is_empty(self, name: str) -> bool:
        with _away(self._access):
            return not self._open().query(f"SELECT 1 FROM {full(self._database, name)} LIMIT 1").result_rows  # noqa: S608

    def last(self, name: str) -> Order:
        """Of the change that came last. Of a large table that is two columns to read, sixteen bytes a row."""
        query = f"SELECT count(), max((_place, _lsn)) FROM {full(self._database, name)}"  # noqa: S608 - a quoted name
        with _away(self._access):
            ((count, last),) = self._open().query(query).result_rows
        return last if count else NOWHERE

    def insert(self, name: str, rows: Any, token: str) -> None:
        """With a token that was used before, nothing: neither here nor in what a view makes of it."""
        body = pa.BufferOutputStream()
        with pa.ipc.new_stream(body, rows.schema) as writer:
            writer.write_table(rows.combine_chunks())
        settings = {
            "insert_deduplication_token": f"{token}/{name}",
            "deduplicate_blocks_in_dependent_materialized_views": 1,
            "async_insert": 0,
            **AT_THE_ENDS,
        }
        with _away(self._access):
            self._open().raw_insert(
                full(self._database, name),
                rows.column_names,
                body.getvalue().to_pybytes(),
                settings=settings,
                fmt="ArrowStream",
            )

    def make(self) -> None:
        self.command(f"CREATE DATABASE IF NOT EXISTS {quoted(self._database)}")
        self.command(
            f"CREATE TABLE IF NOT EXISTS {full(self._database, OFFSETS)} "
            "(pipeline String, offsets String, at DateTime64(6, 'UTC') DEFAULT now64(6)) "
            "ENGINE = ReplacingMergeTree(at) ORDER BY pipeline"
        )
        self.command(f"ALTER TABLE {full(self._database, OFFSETS)} ADD COLUMN IF NOT EXISTS topics String")
        self.command(
            f"CREATE TABLE IF NOT EXISTS {full(self._database, ODD)} (table String, key String) "
            "ENGINE = ReplacingMergeTree ORDER BY (table, key)"
        )
        self.command(
            f"CREATE TABLE IF NOT EXISTS {full(self._database, EMPTIED)} (table String, lsn UInt64) "
            "ENGINE = ReplacingMergeTree(lsn) ORDER BY table"
        )
        # Where it is in the log: `lsn` is where it counts.
        self.command(f"ALTER TABLE {full(self._database, EMPTIED)} ADD COLUMN IF NOT EXISTS own UInt64 DEFAULT lsn")

    def offsets(self, pipeline: str) -> tuple[Offsets, Ids]:
        """How far it has come here, in which topics."""
        told = "offsets, topics, toUnixTimestamp64Micro(at)"
        query = f"SELECT {told} FROM {full(self._database, OFFSETS)} FINAL WHERE pipeline = %(pipeline)s"  # noqa: S608
        with _away(self._access):
            rows = self._open().query(query, {"pipeline": pipeline}).result_rows
        offsets, ids, self._noted_at[pipeline] = rows[0] if rows else ("{}", "{}", 0)
        return json.loads(offsets), json.loads(ids or "{}")

    def note(self, pipeline: str, offsets: Offsets, ids: Ids) -> None:
        """In place of what is noted: later than that, also where a clock was put back, or what is older would count."""
        if pipeline not in self._noted_at:
            self.offsets(pipeline)
        at = max(time.time_ns() // 1000, self._noted_at[pipeline] + 1)
        with _away(self._access):
            table, row = full(self._database, OFFSETS), [pipeline, json.dumps(offsets), json.dumps(ids), at]
            self._open().insert(table, [row], column_names=["pipeline", "offsets", "topics", "at"])
        self._noted_at[pipeline] = at

    def odd(self, prefix: str = "") -> set[tuple[str, str]]:
        """Tables, and keys of theirs, whose sums are not what changes tell; with a prefix, the keys that are nothing or begin so."""
        query = f"SELECT DISTINCT table, key FROM {full(self._database, ODD)}"  # noqa: S608 - a quoted name
        only = " WHERE key = '' OR startsWith(key, %(prefix)s)" if prefix else ""
        with _away(self._access):
            rows = self._open().query(query + only, {"prefix": prefix}).result_rows
        return {(row[0], row[1]) for row in rows}

    def note_odd(self, marks: Sequence[tuple[str, str]]) -> None:
        with _away(self._access):
            rows = [list(mark) for mark in marks]
            self._open().insert(full(self._database, ODD), rows, column_names=["table", "key"])

    def forget_odd(self, marks: Sequence[tuple[str, str]]) -> None:
        digest = "lower(hex(SHA256(concat(table, '\\0', key))))"
        statement = f"DELETE FROM {full(self._database, ODD)} WHERE {digest} IN %(digests)s"  # noqa: S608
        digests = [_digest(mark) for mark in marks]
        with _away(self._access):
            for start in range(0, len(digests), _FORGOTTEN_AT_ONCE):
                self._open().command(statement, {"digests": digests[start : start + _FORGOTTEN_AT_ONCE]})

    def emptied(self) -> dict[str, Order]:
        """Where each table was emptied last."""
        query = f"SELECT table, max((lsn, own)) FROM {full(self._database, EMPTIED)} GROUP BY table"  # noqa: S608
        with _away(self._access):
            return {row[0]: row[1] for row in self._open().query(query).result_rows}

    def note_emptied(self, table: str, order: Order) -> None:
        with _away(self._access):
            self._open().insert(full(self._database, EMPTIED), [[table, *order]], column_names=["table", "lsn", "own"])

    def close(self) -> None:
        for client in (self._client, self._patient):
            if client is not None:
                client.close()
        self._client = self._patient = None

    def _open(self) -> Client:
        if self._client is None:
            self._client = connect(self._access)
        return self._client

    def _open_patiently(self) -> Client:
        if self._patient is None:
            self._patient = connect(self._access, send_receive_timeout=_LONGEST_COMMAND)
        return self._patient


def _digest(mark: tuple[str, str]) -> str:
    """What stands for it in a statement: a key may be as long as a message, longer than a statement may be."""
    return hashlib.sha256("\0".join(mark).encode()).hexdigest()


@contextmanager
def _away(access: ClickHouseAccess) -> Generator[None]:
    """What it says in its own words, or that it is not there."""
    try:
        yield
    except ClickHouseError as error:
        told = str(error).splitlines()[0]
        raise Unavailable(
            f"ClickHouse at {access.uri}: {told}"
            if _SAID in told
            else f"ClickHouse at {access.uri} {_not_there(told)}.",
            hint="See `boathouse status` and `boathouse logs clickhouse`.",
        ) from error


def _not_there(told: str) -> str:
    """What its client says of a connection has the whole question in it."""
    why = _ERRNO.search(told)
    return f"does not answer: {why[1]}" if why else "does not answer"


def is_refusal(error: Unavailable) -> bool:
    """Whether ClickHouse was there, and did not take what it was told."""
    return _SAID in str(error)
