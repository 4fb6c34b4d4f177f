"""A catalog that is killed again and again leaves metadata files behind; a sweep takes them and nothing else."""

import asyncio
import random
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from boathouse.catalog.storage.warehouses import open_warehouse
from boathouse.catalog.store import open_store
from boathouse.catalog.sweeping import Sweeper, Sweeping
from boathouse.kit.ids import new_uuid
from tests.behaviour.catalog.http_catalog import commit, replacement, set_properties
from tests.integration.catalog_process import TOKEN, CatalogProcess

SCHEMA = {"type": "struct", "fields": [{"id": 1, "name": "id", "required": True, "type": "long"}]}
TABLES = [f"t{number}" for number in range(4)]
# Not every kill leaves something behind: after the first few they go on until one has.
KILLS, KILLS_AT_MOST = 6, 40


def client(server: CatalogProcess) -> httpx.Client:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return httpx.Client(base_url=f"{server.uri}/v1/lake/namespaces/ns", headers=headers, trust_env=False, timeout=20)


class Writers:
    """Commit to tables and a view until the server is gone, noting what was acknowledged."""

    def __init__(self, server: CatalogProcess) -> None:
        self._server = server
        self.acknowledged: set[tuple[str, str]] = set()

    def run(self) -> list[threading.Thread]:
        threads = [threading.Thread(target=self._commit, args=(name,)) for name in TABLES for _ in range(2)]
        threads.append(threading.Thread(target=self._replace))
        for thread in threads:
            thread.start()
        return threads

    def _commit(self, table: str) -> None:
        with client(self._server) as http:
            while True:
                name = f"p-{new_uuid()}"
                try:
                    answer = http.post(f"/tables/{table}", json=commit(set_properties(**{name: "x"})))
                except httpx.TransportError:
                    return
                if answer.is_success:
                    self.acknowledged.add((table, name))

    def _replace(self) -> None:
        with client(self._server) as http:
            while True:
                try:
                    http.post("/views/v", json=commit(*replacement(f"SELECT '{new_uuid()}'")))
                except httpx.TransportError:
                    return


async def sweep(server: CatalogProcess) -> Sweeping:
    store = open_store(server.store)
    try:
        sweeper = Sweeper(store, open_warehouse(f"lake=file://{server.root}", {}))
        later = datetime.now(UTC) + timedelta(days=2)
        return await sweeper.sweep(timedelta(hours=24), delete=True, now=later)
    finally:
        await store.close()


@pytest.fixture(params=["sqlite", "etcd"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CatalogProcess]:
    store = request.getfixturevalue("etcd").address(new_uuid()) if request.param == "etcd" else None
    with CatalogProcess(tmp_path, store=store) as server:
        yield server


@pytest.mark.parametrize("seed", [1])
def test_after_kills_at_random_points_orphans_go_and_every_table_still_loads(server: CatalogProcess, seed: int) -> None:
    chance = random.Random(seed)
    with client(server) as http:
        http.post(f"{server.uri}/v1/lake/namespaces", json={"namespace": ["ns"]}).raise_for_status()
        for name in TABLES:
            http.post("/tables", json={"name": name, "schema": SCHEMA}).raise_for_status()
        view = {"name": "v", "schema": SCHEMA, "view-version": new_version(), "properties": {}}
        http.post("/views", json=view).raise_for_status()
    writers = Writers(server)
    deleted = 0
    for done in range(KILLS_AT_MOST):
        if done >= KILLS and deleted:
            break
        threads = writers.run()
        time.sleep(chance.uniform(0.2, 0.8))
        server.kill()
        for thread in threads:
            thread.join()
        deleted += asyncio.run(sweep(server)).deleted
        server.start()
        check(server, writers.acknowledged)
    assert deleted > 0, f"seed {seed}: no kill left anything behind, so nothing was shown"


def new_version() -> dict[str, object]:
    return {
        "version-id": 1,
        "timestamp-ms": 1_700_000_000_000,
        "schema-id": 0,
        "summary": {},
        "default-namespace": ["ns"],
        "representations": [{"type": "sql", "sql": "SELECT 1", "dialect": "spark"}],
    }


def check(server: CatalogProcess, acknowledged: set[tuple[str, str]]) -> None:
    """Everything acknowledged is there, and beside what the tables name there is nothing."""
    with client(server) as http:
        http.get("/views/v").raise_for_status()
        for table in TABLES:
            loaded = http.get(f"/tables/{table}").raise_for_status().json()
            metadata = loaded["metadata"]
            assert {name for owner, name in acknowledged if owner == table} <= metadata["properties"].keys()
            named = {entry["metadata-file"] for entry in metadata["metadata-log"]} | {loaded["metadata-location"]}
            there = {f"file://{path}" for path in (server.root / "ns" / table / "metadata").iterdir()}
            assert named == there
