"""What can go wrong, each for as long as its context is open, and who makes it happen.

Nothing here depends on chance but for the dice it is given, so a seed brings the same faults in the same order.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from boathouse.catalog.store.etcd.connection import BRIDGE_SECONDS
from tests.chaos.catalog.faulty_link import FaultyLink
from tests.chaos.catalog.faulty_storage import FaultyStorage
from tests.chaos.catalog.history import Fault
from tests.etcd_cluster import EtcdCluster
from tests.integration.catalog_process import CatalogProcess

Direction = Literal["requests", "replies"]


@dataclass(frozen=True)
class Nemesis:
    """One way to do harm."""

    name: str
    strike: Callable[[random.Random], AbstractAsyncContextManager[None]]
    lasts: tuple[float, float] = (0.8, 2.5)


async def torment(ways: Sequence[Nemesis], dice: random.Random, seconds: float) -> list[Fault]:
    """All of them in some order, and all over again until the time is over; nothing is broken when it ends."""
    ends, happened = time.monotonic() + seconds, list[Fault]()
    while True:
        for way in dice.sample(ways, len(ways)):
            await asyncio.sleep(dice.uniform(0.2, 0.8))
            start = time.monotonic()
            async with way.strike(dice):
                await asyncio.sleep(dice.uniform(*way.lasts))
            happened.append(Fault(way.name, start, time.monotonic()))
        if time.monotonic() > ends:
            return happened


def on_etcd(cluster: EtcdCluster, links: Sequence[FaultyLink]) -> list[Nemesis]:
    """Each of the links leads to the member at the same place in the cluster."""

    @asynccontextmanager
    async def killed(_dice: random.Random) -> AsyncGenerator[None]:
        leader = await asyncio.to_thread(cluster.leader)
        await asyncio.to_thread(leader.kill)
        try:
            yield
        finally:
            leader.restart()

    @asynccontextmanager
    async def paused(_dice: random.Random) -> AsyncGenerator[None]:
        leader = await asyncio.to_thread(cluster.leader)
        leader.pause()
        try:
            yield
        finally:
            leader.resume()

    @asynccontextmanager
    async def without_quorum(dice: random.Random) -> AsyncGenerator[None]:
        members = dice.sample(cluster.members, 2)
        for member in members:
            member.pause()
        try:
            yield
        finally:
            for member in members:
                member.resume()

    def cut_off(direction: Direction) -> Nemesis:
        @asynccontextmanager
        async def strike(_dice: random.Random) -> AsyncGenerator[None]:
            leader = await asyncio.to_thread(cluster.leader)
            async with _losing(links[cluster.members.index(leader)], direction):
                yield

        return Nemesis(f"{direction} of the etcd leader lost", strike)

    return [
        Nemesis("etcd leader killed", killed),
        Nemesis("etcd leader paused", paused),
        # Longer than a server tries: what it then tells is that nobody knows.
        Nemesis("etcd without a majority", without_quorum, lasts=(BRIDGE_SECONDS + 1, BRIDGE_SECONDS + 3)),
        cut_off("requests"),
        cut_off("replies"),
        _flaky("connections to etcd break", links),
    ]


def on_catalogs(servers: Sequence[CatalogProcess], links: Sequence[FaultyLink]) -> list[Nemesis]:
    @asynccontextmanager
    async def killed(dice: random.Random) -> AsyncGenerator[None]:
        server = dice.choice(servers)
        await asyncio.to_thread(server.kill)
        try:
            yield
        finally:
            await asyncio.to_thread(server.start)

    @asynccontextmanager
    async def paused(dice: random.Random) -> AsyncGenerator[None]:
        """It goes on afterwards where it was, with what it knew then."""
        server = dice.choice(servers)
        server.pause()
        try:
            yield
        finally:
            server.resume()

    def cut_off(direction: Direction) -> Nemesis:
        @asynccontextmanager
        async def strike(dice: random.Random) -> AsyncGenerator[None]:
            async with _losing(dice.choice(links), direction):
                yield

        return Nemesis(f"{direction} of a catalog lost", strike)

    deaths = [Nemesis("catalog killed", killed), Nemesis("catalog paused", paused)]
    return [*deaths, cut_off("requests"), cut_off("replies"), _flaky("connections to catalogs break", links)]


def on_storage(storage: FaultyStorage) -> list[Nemesis]:
    @asynccontextmanager
    async def failing(dice: random.Random) -> AsyncGenerator[None]:
        storage.failing = dice.uniform(0.3, 1.0)
        try:
            yield
        finally:
            storage.failing = 0.0

    @asynccontextmanager
    async def slow(dice: random.Random) -> AsyncGenerator[None]:
        storage.slow_seconds = dice.uniform(0.5, 4.0)
        try:
            yield
        finally:
            storage.slow_seconds = 0.0

    return [Nemesis("storage answers 500", failing), Nemesis("storage answers slowly", slow)]


def _flaky(name: str, links: Sequence[FaultyLink]) -> Nemesis:
    """What was asked for is done, and nobody is told: the hardest case, so it has to happen often."""

    @asynccontextmanager
    async def strike(dice: random.Random) -> AsyncGenerator[None]:
        for link in links:
            link.flaky = dice.uniform(0.05, 0.3)
        try:
            yield
        finally:
            for link in links:
                link.mend()

    return Nemesis(name, strike, lasts=(2.0, 4.0))


@asynccontextmanager
async def _losing(link: FaultyLink, direction: Direction) -> AsyncGenerator[None]:
    if direction == "requests":
        link.requests_lost = True
    else:
        link.replies_lost = True
    try:
        yield
    finally:
        link.mend()
