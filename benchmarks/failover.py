"""How long commits stand still when the etcd leader is killed (-9) under load, at etcd's default timers."""

import asyncio
import statistics
import tempfile
from pathlib import Path

from benchmarks.lakehouse import finish
from tests.chaos.catalog.leader_death import SERVERS, WRITERS, Failover, leader_killed_under_load, replicated_servers

ROUNDS = 7


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="boathouse-bench-") as directory:
        rounds = asyncio.run(_rounds(Path(directory)))
    gaps = [each.gap for each in rounds]
    slowest = max(each.slowest for each in rounds)
    commits = sum(len(each.commits) for each in rounds)
    print(f"leader killed {ROUNDS} times under {WRITERS} writers at {SERVERS} servers; {commits} commits, none failed")
    print(f"no commit acknowledged, median   {statistics.median(gaps):6.2f} s   (aim: under 3)")
    print(f"no commit acknowledged, longest  {max(gaps):6.2f} s")
    print(f"slowest commit                   {slowest:6.2f} s")
    finish(
        "failover",
        {
            "rounds": ROUNDS,
            "commits": commits,
            "failed": 0,  # one that failed would have ended the run
            "gap_seconds_median": round(statistics.median(gaps), 2),
            "gap_seconds_max": round(max(gaps), 2),
            "slowest_commit_seconds": round(slowest, 2),
        },
    )


async def _rounds(directory: Path) -> list[Failover]:
    async with replicated_servers(directory) as (cluster, clients):
        return [await leader_killed_under_load(cluster, clients) for _ in range(ROUNDS)]
