"""What reads cost with a hundred thousand runs in the database, on one process."""

import os
from typing import Any

import psutil

from benchmarks.control.databases import DATABASES, control_on
from benchmarks.control.peer import peer_on
from benchmarks.plain_http import PlainClient
from benchmarks.timing import Figure, parallel, sequential
from tests.integration.worker_process import Workspace
from tests.long_history import lengthen

RUNS = int(os.environ.get("BENCH_RUNS", "100000"))
FEW = 1_000
JOBS = 20
ONE_CLIENT = 300
EIGHT_CLIENTS = 2_000
Json = dict[str, Any]


def measure() -> Json:
    return {database: _measured(database) for database in DATABASES}


def _measured(database: str) -> Json:
    with control_on(database) as control:
        assert control.process is not None
        pid = control.process.pid
        workspace = Workspace(control)
        for number in range(JOBS):
            workspace.job(f"job-{number:02}", kind="sql", spec={"sql": "select 1"})
        workspace.submit("job-00")
        headers = {"Authorization": workspace.http.headers["Authorization"]}
        client = PlainClient(f"{control.url}/api/v1/workspaces/north", headers)
        lengthen(control.database, FEW)
        few = sequential(client, _asking("/runs"), times=ONE_CLIENT)
        lengthen(control.database, RUNS - FEW)
        figures = {what: _counted(database, what, pid, client, path) for what, path in _paths(client).items()}
        growth = round(figures["list of runs"]["p50_ms"] / few.p50_ms, 2)
        with peer_on(control.database) as (peer, peer_pid):
            paths = {"peer: a list": "/runs", "peer: nothing": "/nothing"}
            peers = {what: _counted(database, what, peer_pid, peer, path) for what, path in paths.items()}
    ratio = round(figures["list of runs"]["eight"]["per_second"] / peers["peer: a list"]["eight"]["per_second"], 2)
    print(f"{database:9} lists a second, of the peer's: {ratio}")
    print(f"{database:9} a list with {RUNS:,} runs takes {growth} times as long as one with {FEW:,}", flush=True)
    return {"runs": RUNS, "figures": {**figures, **peers}, "of_peer": ratio, "growth_of_list": growth}


def _paths(client: PlainClient) -> dict[str, str]:
    first = client.call("GET", f"{client.root}/runs")
    run = first["items"][0]["id"]
    middle = client.call("GET", f"{client.root}/runs?state=failed&limit=500")["items"][-1]["id"]
    return {
        "list of runs": "/runs",
        "list of runs, 25": "/runs?limit=25",
        "runs of a job": "/runs?job=job-07",
        "runs that failed": "/runs?state=failed",
        "a page far back": f"/runs?cursor={middle}",
        "one run": f"/runs/{run}",
        "its log": f"/runs/{run}/logs",
        "list of jobs": "/jobs",
    }


def _counted(database: str, what: str, pid: int, client: PlainClient, path: str) -> Json:
    server = psutil.Process(pid)
    alone = sequential(client, _asking(path), times=ONE_CLIENT)
    before = sum(server.cpu_times()[:2])
    crowd = parallel(client, _asking(path), times=EIGHT_CLIENTS)
    cpu = 1000 * (sum(server.cpu_times()[:2]) - before) / EIGHT_CLIENTS
    print(
        f"{database:9} {what:18} p50 {alone.p50_ms:6.2f} ms  p99 {alone.p99_ms:6.2f} ms  by eight clients "
        f"{crowd.per_second:6.0f}/s  p99 {crowd.p99_ms:6.2f} ms  CPU {cpu:5.2f} ms",
        flush=True,
    )
    return {**_told(alone), "eight": _told(crowd), "cpu_ms": round(cpu, 2)}


def _told(figure: Figure) -> Json:
    return {
        "per_second": round(figure.per_second),
        "p50_ms": round(figure.p50_ms, 2),
        "p99_ms": round(figure.p99_ms, 2),
    }


def _asking(path: str):  # noqa: ANN202
    def work(client: PlainClient, _number: int) -> None:
        client.timed("GET", client.root + path)

    return work
