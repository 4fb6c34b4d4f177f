"""A load of commits during which the etcd leader is killed. Its clients are as plain as can be: no retry, no second server."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import httpx

from tests.behaviour.catalog.http_catalog import SCHEMA, commit, set_properties, table_path
from tests.etcd_cluster import EtcdCluster
from tests.integration.catalog_process import TOKEN, CatalogProcess

WRITERS, SERVERS = 8, 2
_BEFORE_SECONDS = 1.5
_COMMITS_AFTERWARDS = 5


@dataclass(frozen=True)
class Acknowledged:
    start: float
    end: float


@dataclass(frozen=True)
class Failover:
    killed: float
    commits: list[Acknowledged]

    @property
    def gap(self) -> float:
        """The longest time around the kill in which no commit was acknowledged."""
        ends = sorted([self.killed, *(one.end for one in self.commits)])
        return max(later - earlier for earlier, later in pairwise(ends) if later > self.killed)

    @property
    def slowest(self) -> float:
        return max(one.end - one.start for one in self.commits if one.end > self.killed)


@asynccontextmanager
async def replicated_servers(directory: Path) -> AsyncGenerator[tuple[EtcdCluster, list[httpx.AsyncClient]]]:
    """Servers on three members at etcd's default timers, and a client of each writer; each has a table of its own."""
    async with AsyncExitStack() as parts:
        cluster = parts.enter_context(EtcdCluster(directory / "etcd", members=3))
        servers: list[CatalogProcess] = []
        for number in range(SERVERS):
            (place := directory / f"catalog-{number}").mkdir()
            server = CatalogProcess(place, store=cluster.address(), root=directory / "lake")
            servers.append(parts.enter_context(server))
        headers = {"Authorization": f"Bearer {TOKEN}"}
        clients = [
            await parts.enter_async_context(
                httpx.AsyncClient(base_url=f"{server.uri}/v1/lake", headers=headers, trust_env=False, timeout=30)
            )
            for server in servers * (WRITERS // SERVERS)
        ]
        (await clients[0].post("/namespaces", json={"namespace": ["ns"]})).raise_for_status()
        for number, client in enumerate(clients):
            body = {"name": f"t{number}", "schema": SCHEMA}
            (await client.post("/namespaces/ns/tables", json=body)).raise_for_status()
        yield cluster, clients


async def leader_killed_under_load(cluster: EtcdCluster, clients: list[httpx.AsyncClient]) -> Failover:
    """Every answer that is not a success is raised. The member is started again in the end."""
    made: list[list[Acknowledged]] = [[] for _ in clients]
    killed: list[float] = []

    def enough() -> bool:
        return bool(killed) and all(_after(each, killed[0]) >= _COMMITS_AFTERWARDS for each in made)

    async with asyncio.TaskGroup() as work:
        for number, client in enumerate(clients):
            work.create_task(_write(client, f"t{number}", made[number], enough))
        await asyncio.sleep(_BEFORE_SECONDS)
        leader = await asyncio.to_thread(cluster.leader)
        killed.append(time.monotonic())
        await asyncio.to_thread(leader.kill)
    leader.restart()
    return Failover(killed[0], [one for each in made for one in each])


def _after(commits: list[Acknowledged], moment: float) -> int:
    return sum(one.start > moment for one in commits)


async def _write(client: httpx.AsyncClient, table: str, made: list[Acknowledged], over: Callable[[], bool]) -> None:
    while not over():
        start = time.monotonic()
        body = commit(set_properties(number=str(len(made))))
        (await client.post(table_path(table), json=body)).raise_for_status()
        made.append(Acknowledged(start, time.monotonic()))
