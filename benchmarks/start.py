"""How long the core takes to start, what it weighs before its first query, and how fast a warm command answers."""

import json
import statistics
import time

from benchmarks.lakehouse import BenchLakehouse, bench_lakehouse, finish

ROUNDS = 5


def main() -> None:
    with bench_lakehouse() as lakehouse:
        lakehouse.cli("up")  # fetches what is not cached, and lets Java write its class archive when it stops
        lakehouse.cli("down")
        starts = [_start(lakehouse) for _ in range(3)]
        memory = _memory(lakehouse)
        lakehouse.cli("sql", "select 1")
        warm = [_seconds(lakehouse, "sql", "select 1") for _ in range(ROUNDS)]
        overview = [_seconds(lakehouse, "--help") for _ in range(ROUNDS)]
    print(f"boathouse up, artifacts cached   {statistics.median(starts):6.2f} s   (aim: under 20)")
    print(f"memory before the first query    {memory / 1e6:6.0f} MB  (aim: under 1500)")
    print(f"boathouse sql 'select 1', warm   {statistics.median(warm):6.2f} s   (aim: under 1.5)")
    print(f"boathouse --help                 {statistics.median(overview):6.2f} s   (aim: under 0.3)")
    finish(
        "start",
        {
            "up_seconds": round(statistics.median(starts), 2),
            "memory_mb": round(memory / 1e6),
            "warm_sql_seconds": round(statistics.median(warm), 2),
            "help_seconds": round(statistics.median(overview), 2),
        },
    )


def _start(lakehouse: BenchLakehouse) -> float:
    lakehouse.cli("down")
    return _seconds(lakehouse, "up")


def _seconds(lakehouse: BenchLakehouse, *arguments: str) -> float:
    began = time.perf_counter()
    lakehouse.cli(*arguments)
    return time.perf_counter() - began


def _memory(lakehouse: BenchLakehouse) -> int:
    status = json.loads(lakehouse.cli("status", "--json"))
    return sum(service["memory"] for service in status["services"])
