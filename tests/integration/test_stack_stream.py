"""The profile `stream`: a change in Postgres arrives in Kafka by Debezium, whichever of the three is killed on the way."""

import asyncio
import json
import os
import signal
from typing import Any

import asyncpg
import httpx
from confluent_kafka import Consumer

from boathouse.kit.access import LakeAccess, of_stream
from boathouse.stack.status import State
from tests.lakehouse_under_test import LakehouseUnderTest, eventually

TOPIC = "meters.public.readings"


def test_changes_reach_kafka_once_although_all_on_the_way_are_killed(own_lakehouse: LakehouseUnderTest) -> None:
    started = own_lakehouse.cli("up", "--profile", "stream")
    assert started.returncode == 0, started.stderr
    execute(own_lakehouse.access, "CREATE TABLE readings (id bigint PRIMARY KEY, kwh numeric(10,3))")
    execute(own_lakehouse.access, "INSERT INTO readings VALUES (0, 1.5)")
    connector(own_lakehouse.access)
    for number, name in enumerate(("postgres", "kafka", "connect"), start=1):
        kill(own_lakehouse, name)
        eventually(lambda: all_healthy(own_lakehouse))
        execute(own_lakehouse.access, f"INSERT INTO readings VALUES ({number}, {number}.25)")
    assert [event["after"]["id"] for event in events(own_lakehouse.access, 4)] == [0, 1, 2, 3]
    assert own_lakehouse.cli("down").returncode == 0
    assert own_lakehouse.cli("up", "--profile", "stream").returncode == 0
    execute(own_lakehouse.access, "DELETE FROM readings WHERE id = 3")
    *_, deleted = events(own_lakehouse.access, 5)
    assert (deleted["op"], deleted["before"]["id"]) == ("d", 3)


def test_nobody_is_let_in_without_a_password(own_lakehouse: LakehouseUnderTest) -> None:
    assert own_lakehouse.cli("up", "--profile", "stream").returncode == 0
    access = own_lakehouse.access
    assert httpx.get(f"{of_stream(access.connect, 'Connect').uri}/connectors", trust_env=False).status_code == 401


def execute(access: LakeAccess, statement: str) -> None:
    async def run() -> None:
        given = of_stream(access.postgres, "Postgres")
        password = given.password.get_secret_value()
        connection = await asyncpg.connect(
            host=given.host, port=given.port, user=given.user, password=password, database=given.database
        )
        await connection.execute(statement)
        await connection.close()

    asyncio.run(run())


def connector(access: LakeAccess) -> None:
    postgres, connect = of_stream(access.postgres, "Postgres"), of_stream(access.connect, "Connect")
    config = {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": postgres.host,
        "database.port": str(postgres.port),
        "database.user": postgres.user,
        "database.password": postgres.password.get_secret_value(),
        "database.dbname": postgres.database,
        "plugin.name": "pgoutput",
        "topic.prefix": "meters",
        "tombstones.on.delete": "false",
        "exactly.once.support": "required",
        "topic.creation.default.replication.factor": "1",
        "topic.creation.default.partitions": "1",
        # A killed Postgres is tried again soon enough for a test.
        "errors.max.retries": "-1",
        "retriable.restart.connector.wait.ms": "1000",
    }
    login = (connect.user, connect.password.get_secret_value())
    answer = httpx.put(f"{connect.uri}/connectors/meters/config", json=config, auth=login, timeout=60, trust_env=False)
    assert answer.is_success, answer.text


def events(access: LakeAccess, count: int) -> list[Any]:
    """What is in the topic once there are so many, and then no more for a while."""
    settings = {"group.id": "test", "auto.offset.reset": "earliest", "enable.auto.commit": False}
    reader = Consumer({**of_stream(access.kafka, "Kafka").client(), **settings, "isolation.level": "read_committed"})
    reader.subscribe([TOPIC])
    found: list[Any] = []
    try:
        eventually(lambda: len(_more(reader, found)) >= count)
        return _more(reader, found, seconds=3)
    finally:
        reader.close()


def _more(reader: Consumer, found: list[Any], seconds: float = 1) -> list[Any]:
    while message := reader.poll(seconds):
        if message.error() is None:
            found.append(json.loads(message.value() or b"null"))
    return found


def kill(lakehouse: LakehouseUnderTest, name: str) -> None:
    status = lakehouse.status()
    assert status is not None
    (service,) = [service for service in status.services if service.name == name]
    assert service.pid is not None
    os.kill(service.pid, signal.SIGKILL)
    eventually(lambda: not all_healthy(lakehouse))


def all_healthy(lakehouse: LakehouseUnderTest) -> bool:
    status = lakehouse.status()
    return status is not None and all(service.state is State.HEALTHY for service in status.services)
