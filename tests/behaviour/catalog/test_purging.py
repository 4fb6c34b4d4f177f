"""Two servers purge the same location, and the slower one leaves alone what came to it afterwards."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import obstore
import pytest
from obstore.store import LocalStore
from structlog.testing import capture_logs

from boathouse.catalog.names import location_key
from boathouse.catalog.service import purging
from boathouse.catalog.service.purging import Purging
from boathouse.catalog.store import Put, open_store
from boathouse.catalog.store.protocol import Store
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import Unavailable


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = open_store(f"sqlite:///{tmp_path}/state.db")
    yield store
    await store.close()


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    (tmp_path / "lake").mkdir()
    return Warehouse.at("lake", f"file://{tmp_path}/lake", LocalStore(tmp_path / "lake"))


async def test_a_server_that_comes_late_leaves_the_next_tables_files_and_claim(
    store: Store, warehouse: Warehouse
) -> None:
    fast, slow = Purging(store, warehouse), Purging(store, warehouse)
    await obstore.put_async(warehouse.objects, "a/t/old.parquet", b"old")
    await store.commit([], fast.writes(warehouse.url("a/t")))
    (seen_by_the_slow_one,) = await store.list("purge/lake/", limit=10)
    fast.start()
    await fast.finished()
    assert await store.read(location_key("lake", "a/t")) is None
    await obstore.put_async(warehouse.objects, "a/t/new.parquet", b"new")
    await store.commit([], [Put(location_key("lake", "a/t"), b"table a.t")])
    await slow._try(seen_by_the_slow_one)
    kept = await obstore.get_async(warehouse.objects, "a/t/new.parquet")
    assert bytes(await kept.bytes_async()) == b"new"
    claim = await store.read(location_key("lake", "a/t"))
    assert claim is not None
    assert claim.value == b"table a.t"


async def test_a_purge_that_fails_is_tried_again_and_keeps_nobody_waiting(
    store: Store, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purging, "FIRST_PAUSE_SECONDS", 0.01)
    broken = Purging(store, warehouse)
    looked, deleted = store.list, broken._purge
    failures = iter([Unavailable("no store"), Unavailable("no storage")])

    async def first_no_store(*given: Any, **more: Any) -> Any:
        if error := next(failures, None):
            raise error
        return await looked(*given, **more)

    async def then_no_storage(*given: Any) -> bool:
        if error := next(failures, None):
            raise error
        return await deleted(*given)

    monkeypatch.setattr(store, "list", first_no_store)
    monkeypatch.setattr(broken, "_purge", then_no_storage)
    await obstore.put_async(warehouse.objects, "a/t/old.parquet", b"old")
    await store.commit([], broken.writes(warehouse.url("a/t")))
    broken.start()
    with capture_logs() as logs:
        await broken.finished()
        assert await store.read(location_key("lake", "a/t")) is not None, "and whoever waits is not kept waiting"
        # It is said after it was done.
        for _ in range(1000):
            if "purged" in [line["event"] for line in logs]:
                break
            await asyncio.sleep(0.01)
    said = [line["event"] for line in logs]
    assert await store.read(location_key("lake", "a/t")) is None
    assert said[-1] == "purged"
    assert "purges not looked up" in said
    await broken.stop()
