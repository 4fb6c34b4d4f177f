"""Sessions to read and to change, on both databases."""

import asyncio
from traceback import format_exception

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from boathouse.control.database import Database, open_database
from boathouse.control.database.base import table_of
from boathouse.control.workspaces.models import Workspace
from boathouse.kit.errors import BoathouseError, Unavailable
from tests.postgres_server import PostgresServer

_WORKSPACES = table_of(Workspace)


async def _add(database: Database, name: str, **defaults: object) -> None:
    async with database.changing() as session:
        session.add(Workspace(name=name, most_runs=1, most_cores=1, most_memory_mb=512, defaults=defaults))


async def _names(database: Database) -> list[str]:
    async with database.reading() as session:
        return list((await session.scalars(select(_WORKSPACES.c.name).order_by(_WORKSPACES.c.name))).all())


async def test_a_reader_sees_what_was_committed_between_two_of_its_questions(database: Database) -> None:
    async with database.reading() as session:
        assert (await session.scalars(select(Workspace))).all() == []
        await _add(database, "north")
        assert [one.name for one in (await session.scalars(select(Workspace))).all()] == ["north"]


async def test_a_reader_does_not_see_what_is_not_committed_and_waits_for_nobody(database: Database) -> None:
    async with database.changing() as session:
        session.add(Workspace(name="north", most_runs=1, most_cores=1, most_memory_mb=512))
        await session.flush()
        assert await _names(database) == []
    assert await _names(database) == ["north"]


async def test_many_may_read_at_once_while_others_write(database: Database) -> None:
    wanted = [f"w{number:02}" for number in range(20)]
    await asyncio.gather(*(_add(database, name) for name in wanted), *(_names(database) for _ in range(100)))
    assert await _names(database) == wanted


async def test_numbers_of_any_length_are_kept(database: Database) -> None:
    await _add(database, "north", large=2**80, small=-1, part=0.1)
    async with database.reading() as session:
        assert await session.scalar(select(_WORKSPACES.c.defaults)) == {"large": 2**80, "small": -1, "part": 0.1}


async def test_what_a_reader_changes_is_refused(database: Database) -> None:
    with pytest.raises((BoathouseError, DBAPIError), match=r"read-?only"):
        async with database.reading() as session:
            await session.execute(insert(_WORKSPACES).values(id="x", name="x"))
    assert await _names(database) == []


async def test_a_reader_leaves_no_transaction_open(database: Database) -> None:
    """One that is open for long keeps others from tidying up: Postgres's vacuum, SQLite's log."""
    if database.dialect == "sqlite":
        pytest.skip("There it is the driver that never begins one")
    async with database.reading() as session:
        await session.execute(text("SELECT 1"))
        async with database.reading() as other:
            idle = (
                "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND pid <> pg_backend_pid()"
            )
            own = " AND datname = current_database()"
            assert await other.scalar(text(idle + own)) == 0


async def test_a_connection_that_ended_at_rest_is_not_used_again(database: Database) -> None:
    """As after Postgres was restarted, or a firewall forgot a connection."""
    if database.dialect == "sqlite":
        pytest.skip("There is nothing that could end it")
    await asyncio.gather(*(_names(database) for _ in range(5)))
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    async with database.changing() as session:
        await session.execute(text(f"SELECT pg_terminate_backend(pid) {others}"))
    await asyncio.sleep(1.2)
    assert await asyncio.gather(*(_names(database) for _ in range(5))) == [[]] * 5


@pytest.mark.parametrize(
    ("state", "named"),
    [
        ("08006", "connection"),
        ("40P01", "deadlock"),
        ("53300", "too many"),
        ("53100", "disk full"),
        ("57P03", "starting"),
    ],
)
async def test_what_passes_by_itself_is_unavailable_and_may_be_tried_again(
    postgres: PostgresServer, state: str, named: str
) -> None:
    database = open_database(postgres.url())
    refusal = text(f"DO $$ BEGIN RAISE EXCEPTION '{named}' USING ERRCODE = '{state}'; END $$")
    for session_of in (database.reading, database.changing):
        with pytest.raises(Unavailable, match=named) as caught:
            async with session_of() as session:
                await session.execute(refusal)
        assert caught.value.retryable
    await database.close()


async def test_who_gets_no_connection_in_time_may_try_again(postgres: PostgresServer) -> None:
    url = postgres.url().replace("postgresql:", "postgresql+asyncpg:")
    engine = create_async_engine(url, pool_size=1, max_overflow=0, pool_timeout=0.1)
    database = Database(engine, engine)
    async with database.changing() as session:
        await session.execute(text("SELECT 1"))
        with pytest.raises(Unavailable, match="no connection"):
            await database.ping()
    await database.ping()
    await database.close()


async def test_no_error_says_what_was_in_the_statement(database: Database) -> None:
    statement, given = text("SELECT * FROM nowhere WHERE hash = :hash"), {"hash": "s3cret"}
    for session_of in (database.reading, database.changing):
        with pytest.raises((BoathouseError, DBAPIError)) as caught:
            async with session_of() as session:
                await session.execute(statement, given)
        told = "".join(format_exception(caught.value))
        assert "nowhere" in told
        assert "s3cret" not in told
