"""One run: clients at work, everything breaking, and in the end what is found in storage."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import httpx
import obstore
import orjson
from obstore.exceptions import BaseError

from boathouse.kit.objects import path_below
from tests.behaviour.catalog.http_catalog import SCHEMA, table_path
from tests.chaos.catalog.clients import MARK, PREFIX, Client, Records
from tests.chaos.catalog.deployments import Deployment
from tests.chaos.catalog.faults import torment
from tests.chaos.catalog.history import Fault, History, Outcome, Version
from tests.integration.catalog_process import TOKEN

WRITERS, READERS = 8, 3
TABLES = ("red", "green", "blue", "black")
_AT_ONCE = 16
_LAST_COMMITS = 3


async def experiment(deployment: Deployment, seed: int, seconds: float) -> History:
    await _create_tables(deployment.servers[0].uri)
    records = Records()
    clients = [Client(f"w{number}", deployment.uris, TABLES, seed, records) for number in range(WRITERS)]
    readers = [Client(f"r{number}", deployment.uris, TABLES, seed, records) for number in range(READERS)]
    try:
        faults = await _run(deployment, clients, readers, seed, seconds)
        # Nothing is broken any more, so everybody gets through.
        stuck = [client.name for client in clients if not await _gets_through(client)]
    finally:
        for client in (*clients, *readers):
            await client.close()
    found = _Found(deployment)
    await found.look()
    complaints = [*(f"{name} cannot commit although nothing is broken any more" for name in stuck), *found.complaints]
    return History(records.commits, records.reads, found.versions, faults, complaints)


async def _run(
    deployment: Deployment, writers: Sequence[Client], readers: Sequence[Client], seed: int, seconds: float
) -> list[Fault]:
    tormenting = asyncio.create_task(torment(deployment.ways, random.Random(f"{seed} faults"), seconds))
    async with asyncio.TaskGroup() as work:
        for writer in writers:
            work.create_task(writer.write_until(tormenting.done))
        for reader in readers:
            work.create_task(reader.read_until(tormenting.done))
        return await tormenting


async def _gets_through(client: Client) -> bool:
    return any([await client.set_property() is Outcome.APPLIED for _ in range(_LAST_COMMITS)])


class _Found:
    """What a new server tells, once all others have finished what they accepted, and what lies in storage."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment = deployment
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self.versions: dict[str, Sequence[Version]] = {}
        self.complaints: list[str] = []

    async def look(self) -> None:
        for server in self._deployment.servers:
            await asyncio.to_thread(server.stop)
        first = self._deployment.servers[0]
        await asyncio.to_thread(first.start)
        async with _http(first.uri) as http:
            for table in TABLES:
                answer = await http.get(table_path(table))
                if answer.is_success:
                    self.versions[table] = await self._versions(answer.json()["metadata-location"])
                else:
                    self.versions[table] = []
                    self.complaints.append(f"table {table} cannot be read: {answer.text}")

    async def _versions(self, current: str) -> list[Version]:
        """The oldest first. A log reaches back only so far, and its oldest file's log farther."""
        known = [await self._version(current)]
        while known[0].log:
            known = [*await asyncio.gather(*(self._version(place) for place in known[0].log)), *known]
        return known

    async def _version(self, location: str) -> Version:
        path = path_below(self._deployment.root, location)
        assert path is not None
        async with self._gate:
            try:
                content = await (await obstore.get_async(self._deployment.objects, path)).bytes_async()
                metadata: dict[str, Any] = orjson.loads(bytes(content))
            except (BaseError, OSError, orjson.JSONDecodeError) as error:
                self.complaints.append(f"version {location} cannot be read: {str(error)[:100]}")
                return Version(location, None)
        log = [entry["metadata-file"] for entry in metadata["metadata-log"]]
        return Version(location, metadata["properties"].get(MARK), log)


async def _create_tables(uri: str) -> None:
    async with _http(uri) as http:
        (await http.post("/namespaces", json={"namespace": ["ns"]})).raise_for_status()
        for table in TABLES:
            (await http.post("/namespaces/ns/tables", json={"name": table, "schema": SCHEMA})).raise_for_status()


def _http(uri: str) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return httpx.AsyncClient(base_url=uri + PREFIX, headers=headers, trust_env=False, timeout=30)
