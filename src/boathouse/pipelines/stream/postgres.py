"""What Postgres says of the tables that are followed: their columns, their keys, and whether they can be followed at all."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from boathouse.kit.access import PostgresAccess
from boathouse.kit.errors import InvalidInput, Unavailable
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
_QUERY = """
SELECT n.nspname || '.' || c.relname AS "table", c.relreplident::text AS identity, a.attname AS "column",
       format_type(a.atttypid, CASE WHEN a.atttypid = 'numeric'::regtype THEN a.atttypmod END) AS "type",
       coalesce(a.attnum = ANY (i.indkey), false) AS "in_key"
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE n.nspname || '.' || c.relname = ANY ($1::text[]) AND c.relkind IN ('r', 'p')
ORDER BY 1, array_position(i.indkey::smallint[], a.attnum), a.attnum
"""


_SERVER = """
SELECT current_setting('wal_level') AS wal_level, rolreplication OR rolsuper AS may_replicate, rolname AS "user"
FROM pg_roles WHERE rolname = current_user
"""


@dataclass(frozen=True)
class SourceTable:
    name: str
    """As schema.table."""
    columns: dict[str, ColumnType]
    key: tuple[str, ...]
    identity: str
    """What of an old row is logged: d its key, f all of it, i those of an index, n nothing."""


def own_name(source: str) -> str:
    """What a source table is called in the lake and in ClickHouse."""
    schema, _, name = source.partition(".")
    return name if schema == "public" else f"{schema}_{name}"


def ask(access: PostgresAccess, tables: Sequence[str]) -> dict[str, SourceTable]:
    """Those of them that there are."""
    return asyncio.run(_ask(access, tables))


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
        if not table.key and table.identity != "f":
            raise InvalidInput(
                f"The table {name} has no primary key, so Postgres would refuse to change its rows once it is followed.",
                hint=f"ALTER TABLE {name} ADD PRIMARY KEY (…), or ALTER TABLE {name} REPLICA IDENTITY FULL.",
            )
        if table.identity == "n":
            raise InvalidInput(
                f"The table {name} logs nothing of the rows it changes (REPLICA IDENTITY NOTHING).",
                hint=f"ALTER TABLE {name} REPLICA IDENTITY DEFAULT.",
            )
        if name in whole and table.identity != "f":
            raise InvalidInput(
                f"A rollup of {name} must know what a changed row was before, and Postgres logs only its key.",
                hint=f"ALTER TABLE {name} REPLICA IDENTITY FULL.",
            )


def column_type(name: str) -> ColumnType:
    """By the name that Postgres has for it. What the lake has no type for is kept as its text."""
    if name.endswith("[]"):
        return ListOf(column_type(name.removesuffix("[]")))
    numeric = _NUMERIC.fullmatch(name)
    if numeric and int(numeric[1]) <= MAX_PRECISION and 0 <= int(numeric[2]) <= int(numeric[1]):
        return Decimal(int(numeric[1]), int(numeric[2]))
    return _BY_NAME.get(name, _STRING)


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
    rows = await _fetch(access, _QUERY, list(tables))
    found: dict[str, SourceTable] = {}
    for row in rows:
        table = found.setdefault(row["table"], SourceTable(row["table"], {}, (), row["identity"]))
        if row["column"] is not None:
            table.columns[row["column"]] = column_type(row["type"])
    keys = {name: tuple(row["column"] for row in rows if row["table"] == name and row["in_key"]) for name in found}
    return {name: SourceTable(name, table.columns, keys[name], table.identity) for name, table in found.items()}
