"""The tables, made and unmade on both databases with data in them."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, String, inspect, select, text

from boathouse.control.database import Database, migrate, open_database
from boathouse.control.database.migrate import downgrade
from boathouse.control.jobs.models import JobVersion
from boathouse.control.jobs.touched import Touched
from boathouse.control.runs.models import DiscardedResult, Run
from boathouse.control.tables import METADATA
from boathouse.kit.errors import ConfigurationError, Unavailable
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.test_retention import Kept, count, let_pass
from tests.behaviour.control.test_runs import claimed
from tests.behaviour.control.work import RUNS, Work
from tests.receivers import SECRET


async def fill(control: ControlPlane) -> None:
    """Something of every noun."""
    await control.workspace("north")
    await control.user("ann", north="viewer")
    north = "/workspaces/north"
    webhook = {"url": "https://hooks.example.org"}
    given = {"name": "hook", "kind": "webhook", "config": webhook, "secrets": {"secret": SECRET}}
    await control.admin.post(f"{north}/connections", given)
    await control.admin.post(f"{north}/notifications", {"name": "all", "connection": "hook"})
    await control.admin.post(f"{north}/datasets", {"name": "sales.orders", "location": "s3://lake/orders"})
    await control.admin.post(f"{north}/queries", {"sql": "select 1"})
    saved = {"sql": "select :day", "parameters": [{"name": "day", "type": "date"}]}
    await control.admin.ask("PUT", f"{north}/saved-queries/tides", saved)
    await control.admin.post("/tokens", {"name": "t", "role": "viewer"})
    work = Work(control)
    await work.job()
    await work.submit()
    worker = work.worker()
    # The query waits in front of it.
    for failure in ("no oars", None):
        claim = await claimed(worker)
        await worker.begin(claim)
        touched = Touched(reads=frozenset({"sales.orders"}))
        await (worker.fail(claim, failure) if failure else worker.succeed(claim, None, touched, report={"rows": 3}))


def _differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": _differs})
    return list(compare_metadata(context, METADATA))


def _differs(context: MigrationContext, _found: Any, _wanted: Any, found: Any, wanted: Any) -> bool | None:
    """None is for the library to say. How long a text may be is nothing to SQLite, where such a change is left out."""
    texts = isinstance(found, String) and isinstance(wanted, String)
    return False if texts and context.dialect.name == "sqlite" else None


async def test_migrations_make_just_the_tables_that_the_code_expects(empty_url: str) -> None:
    database = open_database(empty_url)
    await migrate(database)
    async with database.engine.connect() as connection:
        assert await connection.run_sync(_differences) == []
    await database.close()


async def test_they_go_down_and_up_again_with_data(empty_url: str) -> None:
    database = open_database(empty_url)
    await migrate(database)
    async with ControlPlane(database) as control:
        await fill(control)
    await downgrade(database, "base")
    async with database.engine.connect() as connection:
        left = await connection.run_sync(lambda one: inspect(one).get_table_names())
    assert left == ["alembic_version"]
    await migrate(database)
    async with ControlPlane(database) as control:
        assert await control.admin.get("/workspaces") == {"items": [], "next": None}
    await database.close()


async def test_jobs_that_fail_are_known_as_such_by_the_migration_that_begins_to_note_it(empty_url: str) -> None:
    database = open_database(empty_url)
    await migrate(database)
    async with ControlPlane(database) as control:
        await control.workspace("north")
        work = Work(control)
        for name, outcomes in {"fails": (True, False), "works": (False, True), "never-ran": ()}.items():
            await work.job(name)
            for succeeds in outcomes:
                await work.submit(name)
                worker = work.worker()
                claim = await worker.claim()
                assert claim is not None
                await worker.begin(claim)
                await (worker.succeed(claim, None) if succeeds else worker.fail(claim, "no oars"))
        hook = {"name": "hook", "kind": "webhook", "config": {"url": "https://h/x"}, "secrets": {"secret": SECRET}}
        await control.admin.post("/workspaces/north/connections", hook)
        await control.admin.post("/workspaces/north/notifications", {"name": "all", "connection": "hook"})
    await downgrade(database, "0006")
    await migrate(database)
    async with database.reading() as session:
        failing = (await session.execute(text("SELECT name FROM jobs WHERE failing"))).scalars().all()
        assert failing == ["fails"]
        assert (await session.execute(text("SELECT DISTINCT deadline_missed FROM runs"))).scalars().all() in (
            [0],
            [False],
        )
    await database.close()


@pytest.mark.parametrize("revision", [f"{number:04}" for number in range(3, 15)])
async def test_what_a_revision_knows_survives_the_way_down_to_it_and_up_again(empty_url: str, revision: str) -> None:
    database = open_database(empty_url)
    await migrate(database)
    async with ControlPlane(database) as control:
        await fill(control)
        await downgrade(database, revision)
        await migrate(database)
        # As after a restart: Postgres's driver remembers what the tables were like.
        await database.close()
        north = "/workspaces/north"
        for path, names in (("/jobs", ["daily"]), ("/connections", ["hook"])):
            assert [one["name"] for one in (await control.admin.get(north + path))["items"]] == names
        assert {one["name"] for one in await control.admin.get(f"{north}/members")} == {"admin", "ann"}
        (run,) = (await control.admin.get(f"{north}/runs"))["items"]
        assert (run["job"], run["state"]) == ("daily", "succeeded")
        assert run["report"] == ({"rows": 3} if revision >= "0010" else None)
        saved = (await control.admin.get(f"{north}/saved-queries"))["items"]
        kept = [[one["name"] for one in query["parameters"]] for query in saved]
        assert kept == ([] if revision < "0004" else [[]] if revision < "0009" else [["day"]])
        assert (await control.admin.get("/audit/verify"))["holds"]
    await database.close()


@pytest.mark.parametrize("revision", ["0012", "0013"])
async def test_what_was_removed_from_runs_stays_so_or_is_found_out_again(
    empty_url: str, revision: str, tmp_path: Path
) -> None:
    database = open_database(empty_url)
    await migrate(database)
    async with ControlPlane(database) as control:
        await control.workspace("north")
        kept = Kept(control, tmp_path)
        await kept.work.job()
        old = await kept.ran()
        await kept.work.job("other")
        await kept.work.submit("other")
        await kept.carry_out()
        await let_pass(database, 100, old)
        await kept.keeper().tidy()
        # Rows that nobody has removed yet when their job goes.
        await control.admin.ask("DELETE", "/workspaces/north/jobs/other", status=204)
        await downgrade(database, revision)
        await migrate(database)
        await database.close()
        there_was_room = revision == "0013"
        assert (None not in await _gone(database)) == there_was_room
        assert await count(database, DiscardedResult) == there_was_room
        # The next look at what is old finds that out again. It has no way to find rows of which no run tells any more.
        await kept.keeper().tidy()
        assert None not in await _gone(database)
        assert [text.partition(":")[0] for text in await kept.log(old)] == ["The log was removed"]
        assert "no longer kept" in (await control.admin.get(f"{RUNS}/{old}/result", status=404))["message"]
        assert len(kept.files()) == (not there_was_room)
    await database.close()


async def _gone(database: Database) -> list[datetime | None]:
    async with database.reading() as session:
        return list((await session.execute(select(Run.result_gone_at, Run.log_gone_at))).one())


async def test_who_answered_for_a_version_is_forgotten_and_then_nobody_does(empty_url: str) -> None:
    database = open_database(empty_url)
    await migrate(database)
    async with ControlPlane(database) as control:
        await fill(control)
        await control.admin.post("/login-links")
        assert await _vouched(database) == {True}
        await downgrade(database, "0013")
        await migrate(database)
        await database.close()
        assert await _vouched(database) == {False}
        await control.admin.get("/me")
    await database.close()


async def _vouched(database: Database) -> set[bool]:
    """Of the job's version, and of its run."""
    async with database.reading() as session:
        versions = (await session.scalars(select(JobVersion.by_platform_admin))).all()
        return {*versions, *(await session.scalars(select(Run.by_platform_admin).where(Run.job_id.is_not(None))))}


async def test_long_names_are_cut_on_the_way_down_to_where_there_was_no_room_for_them(empty_url: str) -> None:
    database = open_database(empty_url)
    await migrate(database)
    async with ControlPlane(database) as control:
        await control.workspace("north")
        work = Work(control)
        work.caller = await control.user("n" * 100, north="editor")
        await work.job()
        run = await work.submit()
        await downgrade(database, "0011")
        await migrate(database)
        await database.close()
        kept = (await work.run(run))["requested_by"]
    # SQLite never minded how long they are.
    assert kept == "n" * (100 if database.dialect == "sqlite" else 60)
    await database.close()


async def test_several_processes_may_migrate_at_once(empty_url: str) -> None:
    databases = [open_database(empty_url) for _ in range(4)]
    await asyncio.gather(*(migrate(database) for database in databases))
    async with databases[0].engine.connect() as connection:
        assert await connection.run_sync(_differences) == []
    for database in databases:
        await database.close()


async def test_a_database_of_a_newer_version_is_left_alone(empty_url: str) -> None:
    database = open_database(empty_url)
    await migrate(database)
    async with database.engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ConfigurationError, match="newer Boathouse"):
        await migrate(database)
    await database.close()


@pytest.mark.parametrize("url", ["mysql://h/x", "nonsense", ""])
def test_a_url_that_cannot_be_used_is_said_so(url: str) -> None:
    with pytest.raises(ConfigurationError, match="database"):
        open_database(url)


async def test_a_database_that_is_away_is_unavailable() -> None:
    database = open_database("postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(Unavailable, match="does not answer"):
        await database.ping()
    await database.close()
