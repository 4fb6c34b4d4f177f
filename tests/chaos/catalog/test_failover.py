"""The death of the etcd leader as clients see it. How long it takes is measured by `make bench BENCH=failover`."""

from pathlib import Path

from tests.behaviour.catalog.http_catalog import table_path
from tests.chaos.catalog.leader_death import leader_killed_under_load, replicated_servers


async def test_commits_go_on_after_the_leaders_death_without_a_client_noticing(tmp_path: Path) -> None:
    async with replicated_servers(tmp_path) as (cluster, clients):
        failover = await leader_killed_under_load(cluster, clients)
        versions = 0
        for number, client in enumerate(clients):
            table = (await client.get(table_path(f"t{number}"))).raise_for_status().json()
            versions += int(table["metadata-location"].rpartition("/")[2].partition("-")[0])
    print(f"no commit was acknowledged for {failover.gap:.2f} s; the slowest took {failover.slowest:.2f} s")  # noqa: T201
    assert versions == len(failover.commits)
