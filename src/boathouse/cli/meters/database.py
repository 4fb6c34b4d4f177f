"""The company's changes, made in Postgres: a batch is a transaction."""

from importlib.resources import files
from typing import Any

import asyncpg

from boathouse.cli.meters.company import Batch
from boathouse.cli.meters.form import Form, SchemaChange
from boathouse.kit.access import PostgresAccess
from boathouse.kit.errors import Unavailable

DSN_VARIABLE = "METERS_DSN"
"""Of a Postgres that is not the lakehouse's."""
_SECONDS = 10
_COLUMNS = """
SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, NULL) AS type
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.oid = ANY (ARRAY['public.customers', 'public.meters', 'public.readings']::regclass[]) AND a.attnum > 0
  AND NOT a.attisdropped
"""
_GREATEST = """
SELECT greatest((SELECT max(id) FROM customers), (SELECT max(id) FROM meters), (SELECT max(id) FROM readings), 0)
"""

Connection = Any
"""asyncpg's, whose class takes a type that it does not have when it runs."""


async def connect(address: PostgresAccess | str) -> Connection:
    """By what the lakehouse says of its Postgres, or by a DSN."""
    where = "the DSN's address" if isinstance(address, str) else f"{address.host}:{address.port}"
    try:
        if isinstance(address, str):
            return await asyncpg.connect(address, timeout=_SECONDS)
        return await asyncpg.connect(**address.client(), timeout=_SECONDS)
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        raise Unavailable(
            f"Postgres at {where} does not answer: {error or type(error).__name__}.",
            hint="See `boathouse status` and `boathouse logs postgres`.",
        ) from error


async def prepare(connection: Connection) -> Form:
    """Make the tables that are not there, and say what they look like."""
    there = await connection.fetchval("SELECT to_regclass('public.readings') IS NOT NULL")
    if not there:
        await connection.execute(files("boathouse.cli.meters").joinpath("schema.sql").read_text(encoding="utf-8"))
    columns: dict[str, str] = {row["name"]: row["type"] for row in await connection.fetch(_COLUMNS)}
    return Form(
        email="customers.email" in columns,
        wide=columns["meters.pulses"] == "bigint",
        town="customers.town" in columns,
        note="readings.note" in columns,
    )


async def greatest_id(connection: Connection) -> int:
    """After which a company's ids begin, so that it can join those that were there before."""
    return await connection.fetchval(_GREATEST)


async def write(connection: Connection, batch: Batch, form: Form) -> None:
    async with connection.transaction():
        for table, rows, columns in (
            ("customers", batch.customers, form.customers),
            ("meters", batch.meters, form.meters),
            ("readings", batch.readings, form.readings),
        ):
            if rows:
                await connection.copy_records_to_table(table, records=rows, columns=columns)
        for statement, rows in _changes(batch, form):
            if rows:
                await connection.executemany(statement, rows)


def _changes(batch: Batch, form: Form) -> list[tuple[str, list[Any]]]:
    email = ", email = $4" if form.email else ""
    return [
        (f"UPDATE customers SET street = $2, {form.city} = $3{email} WHERE id = $1", batch.moved),  # noqa: S608 - one of two names
        ("UPDATE meters SET serial = $2, installed_on = $3, pulses = $4 WHERE id = $1", batch.replaced),
        ("UPDATE readings SET kwh = $2, corrected = true WHERE id = $1", batch.corrected),
        ("DELETE FROM readings WHERE id = $1", _alone(batch.ended_readings)),
        ("DELETE FROM meters WHERE id = $1", _alone(batch.ended_meters)),
        ("DELETE FROM customers WHERE id = $1", _alone(batch.ended_customers)),
    ]


async def change_schema(connection: Connection, change: SchemaChange) -> None:
    async with connection.transaction():
        for statement in change.statements:
            await connection.execute(statement)
    # It remembers what it prepared, and with which types.
    await connection.reload_schema_state()


def _alone(ids: list[int]) -> list[tuple[int]]:
    return [(one,) for one in ids]
