"""The control plane on each of its databases, asked over HTTP, in this process."""

import asyncio
import shutil
from collections.abc import AsyncGenerator, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from boathouse.control.access import passwords
from boathouse.control.database import Database, migrate, open_database
from boathouse.control.options import ApiOptions
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.lake import Lake
from tests.integration.catalog_process import CatalogProcess
from tests.postgres_server import PostgresServer

_NUMBERS = count(1)


@pytest.fixture(autouse=True)
def cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashing takes long by design; hundreds of logins would take minutes."""
    monkeypatch.setattr(passwords, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@pytest.fixture(scope="session")
def postgres() -> Generator[PostgresServer]:
    with PostgresServer() as server:
        server.execute("CREATE DATABASE migrated")
        # In a thread of its own: it may be a test with a running loop that asks first.
        with ThreadPoolExecutor(1) as beside:
            beside.submit(asyncio.run, _migrated(server.url("migrated"))).result()
        yield server


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SQLite with its tables, to be copied: bringing it up to date takes longer than most tests."""
    file = tmp_path_factory.mktemp("migrated") / "control.db"
    with ThreadPoolExecutor(1) as beside:
        beside.submit(asyncio.run, _migrated(f"sqlite:///{file}")).result()
    return file


async def _migrated(url: str) -> None:
    database = open_database(url)
    await migrate(database)
    await database.close()


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with nothing in it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/control.db"
    server: PostgresServer = request.getfixturevalue("postgres")
    name = f"test_{next(_NUMBERS)}"
    server.execute(f"CREATE DATABASE {name}")
    return server.url(name)


@pytest.fixture(params=["sqlite", "postgres"])
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Database]:
    """A database with its tables."""
    if request.param == "sqlite":
        # By its name: a test on Postgres needs none.
        shutil.copy(request.getfixturevalue("migrated_file"), tmp_path / "control.db")
        database = open_database(f"sqlite:///{tmp_path}/control.db")
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        name = f"test_{next(_NUMBERS)}"
        server.execute(f"CREATE DATABASE {name} TEMPLATE migrated STRATEGY file_copy")
        database = open_database(server.url(name))
    yield database
    await database.close()
    if database.dialect == "postgresql":
        request.getfixturevalue("postgres").execute(f"DROP DATABASE {database.engine.url.database} WITH (FORCE)")


@pytest.fixture
async def control(database: Database) -> AsyncGenerator[ControlPlane]:
    async with ControlPlane(database) as control:
        yield control


@pytest.fixture(scope="session")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Generator[CatalogProcess]:
    with CatalogProcess(tmp_path_factory.mktemp("catalog")) as catalog:
        yield catalog


@pytest.fixture
def lake(tmp_path: Path, catalog: CatalogProcess) -> Generator[Lake]:
    """A lakehouse in `home`, with nothing in it yet."""
    with closing(Lake(tmp_path / "home", catalog)) as lake:
        yield lake


@pytest.fixture
async def control_of_lake(database: Database, tmp_path: Path) -> AsyncGenerator[ControlPlane]:
    """The control plane of the lakehouse in `home`, with a workspace `north`."""
    async with ControlPlane(database, options=ApiOptions(lake=tmp_path / "home")) as control:
        await control.workspace("north")
        yield control
