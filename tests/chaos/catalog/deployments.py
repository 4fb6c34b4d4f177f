"""Catalogs as they run in earnest, every part a process of its own, with something that can break between any two."""

import asyncio
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from obstore.store import LocalStore, S3Store

from boathouse.kit.objects import open_store
from tests.chaos.catalog.faults import Nemesis, on_catalogs, on_etcd, on_storage
from tests.chaos.catalog.faulty_link import FaultyLink
from tests.chaos.catalog.faulty_storage import FaultyStorage
from tests.etcd_cluster import EtcdCluster
from tests.integration.catalog_process import CatalogProcess
from tests.seaweedfs import URL, SeaweedFs

SERVERS = 3


@dataclass(frozen=True)
class Deployment:
    servers: Sequence[CatalogProcess]
    links: Sequence[FaultyLink]
    """From clients to the server at the same place."""
    ways: Sequence[Nemesis]
    """What can go wrong here."""
    root: str
    objects: S3Store | LocalStore
    """Where the metadata files lie, below the root, past all that is made to break."""

    @property
    def uris(self) -> list[str]:
        return [f"http://127.0.0.1:{link.port}" for link in self.links]


@asynccontextmanager
async def replicated(directory: Path, dice: random.Random) -> AsyncGenerator[Deployment]:
    """Three servers on three etcd members and an S3 store."""
    async with AsyncExitStack() as parts:
        weed = SeaweedFs(directory / "weed")
        parts.callback(weed.stop)
        await asyncio.to_thread(weed.start)
        storage = await parts.enter_async_context(FaultyStorage(weed.port, dice))
        cluster = parts.enter_context(EtcdCluster(directory / "etcd", members=3))
        links = [await parts.enter_async_context(FaultyLink(member.port, dice)) for member in cluster.members]
        endpoints = ",".join(f"127.0.0.1:{link.port}" for link in links)
        environment = {**weed.environment, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{storage.port}"}
        servers: list[CatalogProcess] = []
        for number in range(SERVERS):
            (place := directory / f"catalog-{number}").mkdir()
            store = f"etcd://{endpoints}/chaos"
            servers.append(CatalogProcess(place, store=store, warehouse=URL, environment=environment))
        doors = await _started(servers, parts, dice)
        ways = [*on_etcd(cluster, links), *on_catalogs(servers, doors), *on_storage(storage)]
        yield Deployment(servers, doors, ways, URL, weed.objects())


@asynccontextmanager
async def single(directory: Path, dice: random.Random) -> AsyncGenerator[Deployment]:
    """One server on SQLite and a directory."""
    async with AsyncExitStack() as parts:
        server = CatalogProcess(directory)
        root = f"file://{server.root}"
        doors = await _started([server], parts, dice)
        yield Deployment([server], doors, on_catalogs([server], doors), root, open_store(root))


async def _started(servers: Sequence[CatalogProcess], parts: AsyncExitStack, dice: random.Random) -> list[FaultyLink]:
    """The servers, and a link to each. In threads, because the proxies need this one meanwhile."""
    for server in servers:
        await asyncio.to_thread(server.start)
        parts.push_async_callback(asyncio.to_thread, server.stop)
    return [await parts.enter_async_context(FaultyLink(server.port, dice)) for server in servers]
