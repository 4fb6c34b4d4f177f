"""An empty catalog for each test, on every form of the store."""

from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest

from boathouse.catalog.store import Store, open_store
from boathouse.catalog.store.sqlite import SqliteStore
from boathouse.kit.ids import new_uuid
from tests.behaviour.catalog.http_catalog import HttpCatalog

OpenStore = Callable[[], Store]
"""Opens the store of this test, again if need be: what one wrote the next finds."""


@pytest.fixture(params=["sqlite", "etcd"])
def opened_store(request: pytest.FixtureRequest, tmp_path: Path) -> OpenStore:
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "state.db")
    address = request.getfixturevalue("etcd").address(new_uuid())
    return lambda: open_store(address)


@pytest.fixture
async def store(opened_store: OpenStore) -> AsyncGenerator[Store]:
    store = opened_store()
    yield store
    await store.close()


@pytest.fixture
async def lake(tmp_path: Path, opened_store: OpenStore) -> AsyncGenerator[HttpCatalog]:
    lake = HttpCatalog(tmp_path, opened_store())
    yield lake
    await lake.close()
