"""The profile `ha`: Spark works on, whichever member of etcd is killed, and either catalog tells the same."""

import os
import signal

import httpx

from boathouse.stack.status import State
from tests.lakehouse_under_test import LakehouseUnderTest, eventually


def test_a_lakehouse_on_etcd_outlives_its_members(own_lakehouse: LakehouseUnderTest) -> None:
    started = own_lakehouse.cli("up", "--profile", "ha")
    assert started.returncode == 0, started.stderr
    sql(own_lakehouse, "CREATE NAMESPACE IF NOT EXISTS ns")
    sql(own_lakehouse, "CREATE TABLE ns.t (id BIGINT) USING iceberg")
    for number in (1, 2, 3):
        kill(own_lakehouse, f"etcd-{number}")
        sql(own_lakehouse, f"INSERT INTO ns.t VALUES ({number})")
        eventually(lambda name=f"etcd-{number}": healthy(own_lakehouse, name))
    assert own_lakehouse.cli("up", "--profile", "ha").returncode == 0
    assert metadata(own_lakehouse, "catalog") == metadata(own_lakehouse, "catalog-2")
    assert own_lakehouse.cli("down").returncode == 0
    assert own_lakehouse.cli("up", "--profile", "ha").returncode == 0
    assert "6" in sql(own_lakehouse, "SELECT sum(id) FROM ns.t")


def sql(lakehouse: LakehouseUnderTest, statement: str) -> str:
    answered = lakehouse.cli("sql", statement)
    assert answered.returncode == 0, answered.stderr
    return answered.stdout


def kill(lakehouse: LakehouseUnderTest, name: str) -> None:
    status = lakehouse.status()
    assert status is not None
    (service,) = [service for service in status.services if service.name == name]
    assert service.pid is not None
    os.kill(service.pid, signal.SIGKILL)
    eventually(lambda: not healthy(lakehouse, name))


def healthy(lakehouse: LakehouseUnderTest, name: str) -> bool:
    status = lakehouse.status()
    return status is not None and any(s.name == name and s.state is State.HEALTHY for s in status.services)


def metadata(lakehouse: LakehouseUnderTest, catalog: str) -> str:
    """Where this server says the table's metadata is."""
    status = lakehouse.status()
    assert status is not None
    (address,) = [service.address for service in status.services if service.name == catalog]
    access = lakehouse.access.catalog
    answer = httpx.get(
        f"{address}/v1/{access.warehouse}/namespaces/ns/tables/t",
        headers={"Authorization": f"Bearer {access.token.get_secret_value()}"},
        trust_env=False,
    )
    answer.raise_for_status()
    return answer.json()["metadata-location"]
