"""The operations that are measured, by the names they are printed under, in the order they are asked."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.catalog import loads
from benchmarks.catalog.client import Client
from benchmarks.catalog.loads import GROWN, NAMESPACE
from benchmarks.timing import Figure, Work, parallel, sequential

TABLES = int(os.environ.get("BENCH_TABLES", "10000"))
SCALE = float(os.environ.get("BENCH_SCALE", "1"))
"""Of how often each operation is asked; a tenth is enough to see that everything works."""
FEWEST = 20


@dataclass(frozen=True)
class Operation:
    ask: Callable[[Client], Figure]
    prepare: Callable[[Client], None] = lambda _client: None
    """What has to be there first; neither its time nor its CPU is counted."""


def _scaled(times: int) -> int:
    return max(FEWEST, round(times * SCALE))


def _one(work: Work[Client], times: int) -> Callable[[Client], Figure]:
    return lambda client: sequential(client, work, times=_scaled(times))


def _eight(work: Work[Client], times: int) -> Callable[[Client], Figure]:
    return lambda client: parallel(client, work, times=_scaled(times))


def _warm(client: Client) -> None:
    """A server that has just started has classes to load and files to open."""
    client.create_namespace(NAMESPACE)
    client.create_namespace("warm")
    sequential(client, loads.create_in("warm"), times=FEWEST)


def _fill(client: Client) -> None:
    client.create_namespace("many")
    parallel(client, loads.create_in("many"), times=TABLES)


def _list(client: Client, _number: int) -> None:
    began = time.perf_counter()
    assert client.list("many") == TABLES
    client.times.append(time.perf_counter() - began)


OPERATIONS: dict[str, Operation] = {
    "create table": Operation(_one(loads.create, 200), _warm),
    "commit": Operation(_one(loads.commit_to("t1"), 400)),
    "snapshot commit": Operation(_one(loads.snapshot_to(f"t{FEWEST}"), 200)),
    "8 writers, 8 tables": Operation(_eight(loads.commit_to("t1{}"), 1_600)),
    "8 writers, one table": Operation(_eight(loads.commit_to("t9"), 800)),
    "load": Operation(_one(loads.load_of("t2"), 3_000)),
    "load by 8 clients": Operation(_eight(loads.load_of("t2"), 8_000)),
    "commit at 1,000 snapshots": Operation(_one(loads.commit_to(GROWN), 50), loads.grow),
    "load at 1,000 snapshots": Operation(_one(loads.load_of(GROWN), 100), loads.require_snapshots),
    f"list {TABLES:,} tables": Operation(lambda client: sequential(client, _list, times=20), _fill),
}
