"""What Postgres says of the tables that are followed: their columns, their keys, and whether they can be followed at all."""

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import asyncpg

from boathouse.kit.access import PostgresAccess
from boathouse.kit.errors import InvalidInput, Unavailable
from boathouse.pipelines.stream.own_columns import alike, is_ours
from boathouse.pipelines.types import MAX_PRECISION, ColumnType, Decimal, ListOf, Primitive

_SECONDS = 10
_STRING = Primitive("string")
_BY_NAME = {
    "boolean": Primitive("boolean"),
    "smallint": Primitive("int"),
    "integer": Primitive("int"),
    "bigint": Primitive("long"),
    "real": Primitive("float"),
    "double precision": Primitive("double"),
    "bytea": Primitive("binary"),
    "date": Primitive("date"),
    "timestamp without time zone": Primitive("timestamp"),
    "timestamp with time zone": Primitive("timestamptz"),
}
_NUMERIC = re.compile(r"numeric\((\d+),(-?\d+)\)")
# An index has what it INCLUDEs behind its key, and Postgres counts these from 0.
_QUERY = """
SELECT n.nspname || '.' || c.relname AS "table", a.attname AS "column",
       c.relreplident::text || coalesce((
           SELECT string_agg(p.relreplident::text, '') FROM pg_partition_tree(c.oid) t JOIN pg_class p ON p.oid = t.relid
           WHERE t.isleaf AND c.relkind = 'p'), '') AS identities,
       format_type(a.atttypid, CASE WHEN a.atttypid = 'numeric'::regtype THEN a.atttypmod END) AS "type",
       coalesce(array_position(i.indkey::smallint[], a.attnum) < i.indnkeyatts, false) AS "in_key",
       coalesce(array_position(r.indkey::smallint[], a.attnum) < r.indnkeyatts, false) AS "in_identity",
       a.attgenerated <> '' AS "generated",
       current_setting('server_version_num')::int >= 180000 AS "needs_generated",
       coalesce(NOT i.indimmediate, false) OR EXISTS (
           SELECT FROM pg_partition_tree(c.oid) t JOIN pg_index k ON k.indrelid = t.relid
           WHERE k.indisprimary AND NOT k.indimmediate) AS "deferrable"
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
LEFT JOIN pg_index r ON r.indrelid = c.oid AND r.indisreplident
WHERE n.nspname || '.' || c.relname = ANY ($1::text[]) AND c.relkind IN ('r', 'p')
ORDER BY 1, array_position(i.indkey::smallint[], a.attnum), a.attnum
"""


_SERVER = """
SELECT current_setting('wal_level') AS wal_level, rolreplication OR rolsuper AS may_replicate, rolname AS "user"
FROM pg_roles WHERE rolname = current_user
"""
_SLOTS = """
SELECT min(confirmed_flush_lsn) - '0/0'::pg_lsn AS read, pg_current_wal_lsn() - '0/0'::pg_lsn AS written
FROM pg_replication_slots WHERE slot_name = ANY ($1::text[])
"""
# What tells least of an old row comes first.
_IDENTITIES = "nidf"


_OF_NAME = """
SELECT slot_name::text AS "name" FROM pg_replication_slots
WHERE database = current_database() AND (slot_name = $1 OR starts_with(slot_name::text, $1 || '__'))
UNION SELECT pubname::text FROM pg_publication WHERE pubname = $1 OR starts_with(pubname::text, $1 || '__')
"""
_DROP_SLOT = """
SELECT CASE WHEN active THEN 'in use' ELSE pg_drop_replication_slot(slot_name)::text END
FROM pg_replication_slots WHERE slot_name = $1 AND database = current_database()
"""
"""A row as long as there is one; the last time it was there and is gone."""


@dataclass(frozen=True)
class SourceTable:
    name: str
    """As schema.table."""
    columns: dict[str, ColumnType]
    key: tuple[str, ...]
    identity: str
    """What of an old row is logged: d its key, f all of it, i those of an index, n nothing. Of partitions, the least."""
    indexed: tuple[str, ...] = ()
    """The columns of that index."""
    deferrable: bool = False
    """Whether its key is, or a partition's: Postgres tells no old row by one that need not hold before the commit."""
    generated: tuple[str, ...] = ()
    """Columns that Postgres computes from the others. It does not tell them with a change, so they are not followed."""
    needs_generated: bool = False
    """Whether Postgres would refuse to log a whole old row without them."""
    rows_from: int | None = None
    """Where the log stood before the rows were read that were there: no change that they lack stands before it.

    Debezium tells of them where they became consistent. A transaction that was under way by then may have changed them before
    that place, and committed after it: its changes come after the rows and are newer.
    """


@dataclass(frozen=True)
class LogPlace:
    """Bytes of Postgres's log: how many there are, and how many those who follow have read."""

    written: int
    read: int


def ask(access: PostgresAccess, tables: Sequence[str]) -> dict[str, SourceTable]:
    """Those of them that there are."""
    return asyncio.run(_ask(access, tables))


def log_place(access: PostgresAccess, slots: Sequence[str]) -> LogPlace | None:
    """By the slot that is furthest behind; None before there is one."""
    (told,) = asyncio.run(_fetch(access, _SLOTS, list(slots)))
    return None if told["read"] is None else LogPlace(int(told["written"]), int(told["read"]))


def log_end(access: PostgresAccess) -> int:
    """Where its log ends by now."""
    (told,) = asyncio.run(_fetch(access, _SLOTS, []))
    return int(told["written"])


def refuse_unready(access: PostgresAccess) -> None:
    """A server that logs too little, or lets this user not read its log."""
    (server,) = asyncio.run(_fetch(access, _SERVER))
    if server["wal_level"] != "logical":
        raise InvalidInput(
            f"Postgres at {access.host}:{access.port} logs too little to be followed: wal_level is {server['wal_level']}.",
            hint="ALTER SYSTEM SET wal_level = logical, and start it anew.",
        )
    if not server["may_replicate"]:
        raise InvalidInput(
            f"The user {server['user']} may not follow changes in Postgres at {access.host}:{access.port}.",
            hint=f'ALTER ROLE "{server["user"]}" REPLICATION.',
        )


def refuse_unfollowable(found: dict[str, SourceTable], wanted: Sequence[str], *, whole: Sequence[str] = ()) -> None:
    """`whole` are those whose old rows must be known as a whole."""
    for name in wanted:
        if name not in found:
            raise InvalidInput(f"Postgres has no table {name}.", hint="Correct source.tables, or make the table.")
        table = found[name]
        _refuse_names(table)
        if not table.key and table.identity != "f":
            raise InvalidInput(
                f"The table {name} has no primary key, so Postgres would refuse to change its rows once it is followed.",
                hint=f"ALTER TABLE {name} ADD PRIMARY KEY (…). With neither silver nor speed, ALTER TABLE {name} REPLICA IDENTITY FULL is enough.",
            )
        if table.identity == "n":
            raise InvalidInput(
                f"The table {name} logs nothing of the rows it changes (REPLICA IDENTITY NOTHING).",
                hint=f"ALTER TABLE {name} REPLICA IDENTITY DEFAULT.",
            )
        if lost := [column for column in table.key if column in table.generated]:
            raise InvalidInput(
                f"The key of {name} has a column that Postgres computes and does not tell with a change: {lost[0]}.",
                hint="Give it a primary key of columns that are stored as they come.",
            )
        if table.identity == "f" and table.generated and table.needs_generated:
            raise InvalidInput(
                f"The table {name} has REPLICA IDENTITY FULL and a generated column, {table.generated[0]}, so Postgres would "
                "refuse to change its rows once it is followed.",
                hint=f"ALTER TABLE {name} REPLICA IDENTITY DEFAULT, or make it a plain column. A view can compute it.",
            )
        if table.identity == "i" and not set(table.key) <= set(table.indexed):
            raise InvalidInput(
                f"The table {name} logs only columns of an index of a row it deletes, and its key is not among them.",
                hint=f"ALTER TABLE {name} REPLICA IDENTITY DEFAULT. Of a partitioned table each partition needs it.",
            )
        if table.identity == "d" and table.deferrable:
            raise InvalidInput(
                f"The primary key of {name} is DEFERRABLE, so Postgres would refuse to change its rows once it is followed.",
                hint=f"ALTER TABLE {name} REPLICA IDENTITY FULL. Of a partitioned table each partition needs it too. "
                "With silver or speed the key may not be DEFERRABLE at all.",
            )
        if name in whole and table.identity != "f":
            raise InvalidInput(
                f"A rollup of {name} must know what a changed row was before, and Postgres logs only its key.",
                hint=f"ALTER TABLE {name} REPLICA IDENTITY FULL. Of a partitioned table each partition needs it too.",
            )


def _refuse_names(table: SourceTable) -> None:
    for name in table.columns:
        hint = f'ALTER TABLE {table.name} RENAME COLUMN "{name}" TO …, or leave it out of the pipeline.'
        if is_ours(name):
            raise InvalidInput(
                f"The table {table.name} has a column {name}, a name that is kept for where a change came from.",
                hint=hint,
            )
        if other := alike(name, table.columns):
            raise InvalidInput(
                f"The table {table.name} has the columns {name} and {other}, which differ only in their case.",
                hint=hint,
            )


def refuse_keyless(table: SourceTable) -> None:
    """Those whose rows no key tells apart, or not at any time."""
    if not table.key:
        raise InvalidInput(
            f"The table {table.name} has no key, so its rows cannot be told apart in silver and speed.",
            hint="Give it a primary key, which its events then have as theirs, or keep its changes in bronze alone.",
        )
    if table.deferrable:
        # Of a row that takes another's key, the end of the other comes after it.
        raise InvalidInput(
            f"The primary key of {table.name} is DEFERRABLE, so rows may take each other's keys, and one that is there could "
            "be taken for one that is gone.",
            hint=f"Make its primary key one that is not: ALTER TABLE {table.name} DROP CONSTRAINT …, ADD PRIMARY KEY (…). "
            "Or keep its changes in bronze alone.",
        )


def column_type(name: str) -> ColumnType:
    """By the name that Postgres has for it. What the lake has no type for is kept as its text."""
    if name.endswith("[]"):
        return ListOf(column_type(name.removesuffix("[]")))
    numeric = _NUMERIC.fullmatch(name)
    if numeric and int(numeric[1]) <= MAX_PRECISION and 0 <= int(numeric[2]) <= int(numeric[1]):
        return Decimal(int(numeric[1]), int(numeric[2]))
    return _BY_NAME.get(name, _STRING)


def forget(access: PostgresAccess, name: str) -> None:
    """A slot and a publication of that name, if they are there. Whoever read the slot may take a moment to let it go."""
    until = time.monotonic() + _SECONDS
    while asyncio.run(_fetch(access, _DROP_SLOT, name)):
        if time.monotonic() > until:
            raise Unavailable(
                f"The slot {name} in Postgres is being read by somebody.", hint="Stop them, and try again."
            )
        time.sleep(0.5)
    # Whoever reads the slot needs it.
    asyncio.run(_fetch(access, f'DROP PUBLICATION IF EXISTS "{name}"'))


def slots(access: PostgresAccess, first: str) -> list[str]:
    """Slots and publications that are called so, and those of which it is the beginning."""
    return sorted(row["name"] for row in asyncio.run(_fetch(access, _OF_NAME, first)))


async def _fetch(access: PostgresAccess, query: str, *arguments: Any) -> list[Any]:
    try:
        connection = await asyncpg.connect(**access.client(), timeout=_SECONDS)
        try:
            return await connection.fetch(query, *arguments, timeout=_SECONDS)
        finally:
            await connection.close(timeout=_SECONDS)
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise Unavailable(
            f"Postgres at {access.host}:{access.port} does not answer: {error or type(error).__name__}.",
            hint="See `boathouse status` and `boathouse logs postgres`, or that postgres.host and its login are right.",
        ) from error


async def _ask(access: PostgresAccess, tables: Sequence[str]) -> dict[str, SourceTable]:
    found: dict[str, SourceTable] = {}
    for row in await _fetch(access, _QUERY, list(tables)):
        identity = min(row["identities"], key=_IDENTITIES.index)
        table = found.get(row["table"], SourceTable(row["table"], {}, (), identity, deferrable=row["deferrable"]))
        if (name := row["column"]) is not None:
            table = replace(
                table,
                columns=table.columns if row["generated"] else {**table.columns, name: column_type(row["type"])},
                key=(*table.key, name) if row["in_key"] else table.key,
                indexed=(*table.indexed, name) if row["in_identity"] else table.indexed,
                generated=(*table.generated, name) if row["generated"] else table.generated,
                needs_generated=row["needs_generated"],
            )
        found[table.name] = table
    return found
