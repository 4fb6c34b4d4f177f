"""The example's changes in a real Postgres: its tables change meanwhile, and some readings are such as no lake can hold."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import asyncpg
import pytest

from tests.postgres_server import PostgresServer

COLUMNS = (
    "SELECT table_name || '.' || column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'"
)


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with PostgresServer() as started:
        yield started


def generated(server: PostgresServer, *options: str) -> str:
    """What it says of 10,000 changes."""
    command = [sys.executable, "-m", "boathouse.cli.meters.generate", "--rate", "0", "--seconds", "1", *options]
    environment = {**os.environ, "METERS_DSN": server.url()}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(server: PostgresServer, query: str) -> list[tuple[Any, ...]]:
    async def asked() -> list[tuple[Any, ...]]:
        connection = await asyncpg.connect(server.url())
        try:
            return [tuple(row.values()) for row in await connection.fetch(query)]
        finally:
            await connection.close()

    return asyncio.run(asked())


def test_tables_change_in_the_middle_and_readings_are_poisoned_if_that_is_asked_for(server: PostgresServer) -> None:
    nan = "SELECT count(*) FROM readings WHERE kwh = 'NaN'"
    generated(server, "--customers", "50")
    before = dict(rows(server, COLUMNS))
    assert {"customers.city", "readings.note"} <= before.keys()
    assert (before["meters.pulses"], rows(server, nan)) == ("integer", [(0,)])
    said = generated(server, "--customers", "50", "--schema-change", "--poison")
    after = dict(rows(server, COLUMNS))
    assert after.keys() - before.keys() == {"customers.email", "customers.town"}
    assert before.keys() - after.keys() == {"customers.city", "readings.note"}
    assert after["meters.pulses"] == "bigint"
    for change in ("email is added", "becomes a bigint", "is renamed town", "note is dropped"):
        assert said.count(change) == 1
    # Each went on being written to: changes came before and after.
    assert rows(server, "SELECT count(*) > 0 FROM customers WHERE email IS NOT NULL") == [(True,)]
    assert rows(server, "SELECT max(pulses) > 2147483647 FROM meters") == [(True,)]
    assert 0 < rows(server, nan)[0][0] < 10
