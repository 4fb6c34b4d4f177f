"""The catalog and its peers, one after another under the same load: a group on one disk, and a group over S3.

BENCH_SERVERS=nessie,seaweedfs runs only those; BENCH_TABLES and BENCH_SCALE make the load smaller.
"""

import os
import sys
from typing import Any

from benchmarks.catalog.operations import OPERATIONS, Operation
from benchmarks.catalog.s3_servers import fixture_on_s3, nessie, ours_on_s3, seaweedfs
from benchmarks.catalog.servers import (
    Server,
    Start,
    fixture_jars,
    nessie_jar,
    ours_on_etcd,
    ours_on_sqlite,
    reference_fixture,
)
from benchmarks.lakehouse import finish
from benchmarks.plain_http import Refused
from benchmarks.timing import Cannot
from boathouse.kit.settings import load_settings
from boathouse.stack.etcd_program import install_etcd

ALONE = "BENCH_IN_NAMESPACE"
OURS = "boathouse-"
GROUPS: dict[str, dict[str, Start]] = {
    "disk": {"boathouse-sqlite": ours_on_sqlite, "boathouse-etcd": ours_on_etcd, "fixture": reference_fixture},
    "S3": {
        "boathouse-sqlite-s3": ours_on_s3,
        "fixture-s3": fixture_on_s3,
        "nessie": nessie,
        "seaweedfs": seaweedfs,
    },
}
"""In each the first is the one whose ratios are printed."""
Json = dict[str, Any]


def main() -> None:
    chosen = _chosen()
    if ALONE not in os.environ:
        _leave_the_network()
    results = {
        group: {name: measure(name, start) for name, start in servers.items() if name in chosen}
        for group, servers in GROUPS.items()
    }
    ratios = {group: _report(group, servers) for group, servers in results.items() if servers}
    finish("catalog", {"servers": results, "ratios": ratios})


def _chosen() -> set[str]:
    known = {name for servers in GROUPS.values() for name in servers}
    wanted = {name.strip() for name in os.environ.get("BENCH_SERVERS", "").split(",")} - {""}
    if unknown := wanted - known:
        sys.exit(f"BENCH_SERVERS names {', '.join(sorted(unknown))}: there are {', '.join(sorted(known))}.")
    return wanted or known


def _leave_the_network() -> None:
    """Begin again where there is only loopback: Iceberg's fixture listens on every address. That takes root."""
    if os.geteuid() != 0:
        sys.exit("Run it as root: Iceberg's fixture listens on every address, and is kept in a network of its own.")
    # While there is still a network to fetch them by.
    fixture_jars()
    nessie_jar()
    install_etcd(load_settings())
    again = f"ip link set lo up && exec {sys.executable} -m benchmarks catalog"
    os.execvpe("unshare", ["unshare", "--net", "sh", "-c", again], {**os.environ, ALONE: "1"})


def measure(name: str, start: Start) -> Json:
    with start() as server:
        figures = {what: _counted(name, what, server, operation) for what, operation in OPERATIONS.items()}
        catalog, *others = server.megabytes()
        print(f"{name:20} {'memory after it all':26} {catalog:9} MB, and of what it needs {sum(others)} MB", flush=True)
        return {"figures": figures, "megabytes": catalog, "megabytes_beside": sum(others)}


def _counted(name: str, what: str, server: Server, operation: Operation) -> Json:
    try:
        # A connection of its own: servers close one that was idle while the operation before was measured.
        operation.prepare(server.client.again())
        before = server.cpu_seconds()
        figure = operation.ask(server.client)
    except (Cannot, Refused) as reason:
        print(f"{name:20} {what:26} cannot: {reason}", flush=True)
        return {"cannot": str(reason)}
    cpu = 1000 * (server.cpu_seconds() - before) / figure.operations
    print(
        f"{name:20} {what:26} {figure.per_second:9.1f}/s  p50 {figure.p50_ms:7.2f} ms  p99 {figure.p99_ms:7.2f} ms  "
        f"CPU {cpu:6.2f} ms",
        flush=True,
    )
    return {
        "per_second": round(figure.per_second, 1),
        "p50_ms": round(figure.p50_ms, 2),
        "p99_ms": round(figure.p99_ms, 2),
        "cpu_ms": round(cpu, 2),
    }


def _report(group: str, servers: dict[str, Json]) -> dict[str, float]:
    figures = {name: result["figures"] for name, result in servers.items()}
    first = next(iter(GROUPS[group]))
    ratios = _ratios(first, figures)
    print(f"\n{group + ', operations a second':34}" + "".join(f"{name:>20}" for name in figures), end="")
    print(f"{'to the best peer':>20}{first + ', p99':>26}")
    for what in OPERATIONS:
        print(
            f"{what:34}" + "".join(f"{figures[name][what].get('per_second', 'cannot'):>20}" for name in figures), end=""
        )
        slowest = figures.get(first, {}).get(what, {}).get("p99_ms")
        print(f"{ratios.get(what, '-'):>20}" + (f"{slowest:>23} ms" if slowest is not None else ""))
    return ratios


def _ratios(ours: str, figures: dict[str, Json]) -> dict[str, float]:
    """Of what both we and a peer that was run can do."""
    peers = [measured for name, measured in figures.items() if not name.startswith(OURS)]
    ratios: dict[str, float] = {}
    for what, figure in figures.get(ours, {}).items():
        best = max((each[what]["per_second"] for each in peers if "per_second" in each[what]), default=None)
        if best and "per_second" in figure:
            ratios[what] = round(figure["per_second"] / best, 2)
    return ratios
