"""The profile `stream`: a change in Postgres arrives in Kafka by Debezium, whichever of the three is killed on the way."""

import json
from typing import Any

import httpx

from boathouse.kit.access import LakeAccess, of_stream
from tests.lakehouse_under_test import LakehouseUnderTest, eventually
from tests.streaming import Database, all_healthy, in_kafka, kill

TOPIC = "meters.public.readings"


def test_changes_reach_kafka_once_although_all_on_the_way_are_killed(own_lakehouse: LakehouseUnderTest) -> None:
    started = own_lakehouse.cli("up", "--profile", "stream")
    assert started.returncode == 0, started.stderr
    # Nobody is let in without a password.
    connect = of_stream(own_lakehouse.access.connect, "Connect").uri
    assert httpx.get(f"{connect}/connectors", trust_env=False).status_code == 401
    Database(own_lakehouse.access).run("CREATE TABLE readings (id bigint PRIMARY KEY, kwh numeric(10,3))")
    Database(own_lakehouse.access).run("INSERT INTO readings VALUES (0, 1.5)")
    connector(own_lakehouse.access)
    for number, name in enumerate(("postgres", "kafka", "connect"), start=1):
        kill(own_lakehouse, name)
        eventually(lambda: all_healthy(own_lakehouse))
        Database(own_lakehouse.access).run(f"INSERT INTO readings VALUES ({number}, {number}.25)")
    assert [event["after"]["id"] for event in events(own_lakehouse.access, 4)] == [0, 1, 2, 3]
    assert own_lakehouse.cli("down").returncode == 0
    assert own_lakehouse.cli("up", "--profile", "stream").returncode == 0
    Database(own_lakehouse.access).run("DELETE FROM readings WHERE id = 3")
    *_, deleted = events(own_lakehouse.access, 5)
    assert (deleted["op"], deleted["before"]["id"]) == ("d", 3)


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
    """What is in the topic once there are so many."""
    found: list[Any] = []

    def enough() -> bool:
        found[:] = [json.loads(value or b"null") for *_, value in sorted(in_kafka(access, [TOPIC]))]
        return len(found) >= count

    eventually(enough)
    return found
