"""Nobody holds the others up: not who is paused within a change, and not who checks a password."""

import asyncio

import pytest
from sqlalchemy import text

from boathouse.control.access import passwords
from boathouse.control.database import database as databases
from boathouse.control.database import open_database
from boathouse.control.runs.clock import alone
from boathouse.kit.errors import Unavailable
from tests.behaviour.control.control_plane import PASSWORD, ControlPlane
from tests.postgres_server import PostgresServer

PATIENCE = 120


async def test_a_paused_change_gives_its_locks_back(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "_IDLE_SECONDS", 1)
    paused, other = open_database(postgres.url()), open_database(postgres.url())

    async def stand_still() -> None:
        async with paused.changing() as session:
            await alone(session)
            # As far as the database can see, the process does nothing any more.
            async with asyncio.timeout(PATIENCE), other.changing() as theirs:
                await alone(theirs)
            await session.execute(text("SELECT 1"))

    with pytest.raises(Unavailable, match="does not answer"):
        await stand_still()
    async with paused.changing() as session:
        await alone(session)
    for database in (paused, other):
        await database.close()


async def test_who_only_reads_may_take_its_time(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "_IDLE_SECONDS", 1)
    database = open_database(postgres.url())
    async with database.changing() as session:
        assert await session.scalar(text("SHOW idle_in_transaction_session_timeout")) == "1s"
    async with database.reading() as session:
        assert await session.scalar(text("SHOW idle_in_transaction_session_timeout")) == "0"
    await database.close()


async def test_others_may_change_something_while_a_password_is_checked(
    control: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    await control.user("ann")
    checking, going_on = asyncio.Event(), asyncio.Event()
    really = passwords.matches

    async def slowly(password: str, kept: str | None) -> bool:
        checking.set()
        await going_on.wait()
        return await really(password, kept)

    monkeypatch.setattr("boathouse.control.sessions.service.matches", slowly)
    login = asyncio.create_task(control.caller().log_in("ann", PASSWORD))
    async with asyncio.timeout(PATIENCE):
        await checking.wait()
        await control.workspace("north")
        going_on.set()
        await login


async def test_a_password_that_is_changed_while_it_is_checked_no_longer_counts(
    control: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    await control.user("ann")
    really = passwords.matches

    async def meanwhile(password: str, kept: str | None) -> bool:
        await control.admin.post("/users/ann/password", status=200)
        return await really(password, kept)

    monkeypatch.setattr("boathouse.control.sessions.service.matches", meanwhile)
    await control.caller().log_in("ann", PASSWORD, status=401)
