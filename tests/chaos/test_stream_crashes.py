"""Whatever is killed on the way, and whenever: the lake and ClickHouse come to equal Postgres, and the log has all once."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boathouse.engines.spark.connect import open_session
from boathouse.kit.access import of_stream
from boathouse.pipelines.stream import offsets
from boathouse.pipelines.stream.topics import Topics
from tests.lakehouse_under_test import LakehouseUnderTest, eventually
from tests.streaming import Database, Pipeline, all_healthy, in_clickhouse, in_kafka, in_lake, kill, running

SPEC = """
pipeline: bank
source: {kind: postgres, tables: [public.accounts, public.moves]}
bronze: {table: bank_log.changes, every: 1s}
silver: {namespace: bank, every: 2s}
speed:
  database: bank
  every: 200ms
  rollups:
    - {name: moved, table: public.moves, by: {account: account}, sums: {amount: amount}}
"""
SCHEMA = """
CREATE TABLE accounts (id bigint PRIMARY KEY, owner text, balance numeric(14,2) NOT NULL DEFAULT 0);
CREATE TABLE moves (account bigint, number bigint, amount numeric(14,2), at timestamptz, PRIMARY KEY (account, number));
ALTER TABLE moves REPLICA IDENTITY FULL;
INSERT INTO accounts SELECT g, 'o' || g, 0 FROM generate_series(1, 200) g;
"""
TOPICS = ["bank.public.accounts", "bank.public.moves"]
ARCHIVE = """
pipeline: archive
source: {kind: postgres, tables: [public.old_moves, public.old_accounts]}
bronze: {table: archive_log.changes, every: 1s}
silver: {namespace: archive, every: 2s}
speed: {database: archive, every: 200ms}
"""
OLD = 150_000
ARCHIVED = f"""
CREATE TABLE old_accounts (id bigint PRIMARY KEY, owner text);
CREATE TABLE old_moves (id bigint PRIMARY KEY, amount numeric(14,2));
INSERT INTO old_accounts SELECT g, 'o' || g FROM generate_series(1, 10) g;
INSERT INTO old_moves SELECT g, g FROM generate_series(1, {OLD}) g;
"""


@pytest.fixture(scope="module")
def lakehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LakehouseUnderTest]:
    lakehouse = LakehouseUnderTest(tmp_path_factory.mktemp("bank") / "home")
    try:
        started = lakehouse.cli("up", "--profile", "stream")
        assert started.returncode == 0, started.stderr
        yield lakehouse
    finally:
        lakehouse.stop()


class Teller(threading.Thread):
    """Changes rows as long as it is let, and tries again what a killed Postgres may or may not have done."""

    def __init__(self, database: Database, seed: int) -> None:
        super().__init__(daemon=True)
        self._database = database
        self._chance = random.Random(seed)
        self._ended = threading.Event()
        self._number = 0

    def run(self) -> None:
        while not self._ended.wait(0.05):
            statement = self._statement()
            try:
                self._database.run(statement)
            except Exception:  # noqa: BLE001 - Postgres is away; whatever it did is what counts
                time.sleep(0.5)

    def end(self) -> None:
        self._ended.set()
        self.join()

    def _statement(self) -> str:
        self._number += 1
        account, chance = self._chance.randint(1, 220), self._chance.random()
        if chance < 0.5:
            values = ", ".join(f"({account}, {self._number * 10 + place}, {place}.25, now())" for place in range(5))
            return f"INSERT INTO moves VALUES {values} ON CONFLICT DO NOTHING"
        if chance < 0.7:
            return f"UPDATE accounts SET balance = balance + {self._number}, owner = 'n{self._number}' WHERE id = {account}"
        if chance < 0.8:
            return f"UPDATE moves SET amount = amount + 1 WHERE account = {account}"
        if chance < 0.9:
            return f"DELETE FROM moves WHERE account = {account}; DELETE FROM accounts WHERE id = {account}"
        return f"INSERT INTO accounts VALUES ({account}, 'again', 1) ON CONFLICT (id) DO UPDATE SET owner = 'again'"


@pytest.mark.timeout(1800)
def test_everything_is_exact_although_all_parts_are_killed(lakehouse: LakehouseUnderTest, tmp_path: Path) -> None:
    spec = tmp_path / "bank.yaml"
    spec.write_text(SPEC)
    database = Database(lakehouse.access)
    database.run(SCHEMA)
    pipeline = Pipeline(lakehouse, spec)
    pipeline.start()
    teller = Teller(database, seed=7)
    teller.start()
    chance = random.Random(11)
    try:
        eventually(pipeline.is_running)
        for victim in ("spark driver", "clickhouse", "connect", "spark driver", "kafka", "postgres", "object-store"):
            time.sleep(chance.uniform(3, 10))
            if victim == "spark driver":
                pipeline.kill()
                pipeline.start()
                eventually(pipeline.is_running)
            else:
                kill(lakehouse, victim)
                eventually(lambda: all_healthy(lakehouse))
        time.sleep(5)
        teller.end()
        _all_equal(lakehouse, database)
    finally:
        teller.end()
        pipeline.stop()


@pytest.mark.timeout(1800)
def test_a_row_that_goes_while_the_first_rows_are_read_once_more_is_gone(
    lakehouse: LakehouseUnderTest, tmp_path: Path
) -> None:
    """Debezium is killed among them, and begins anew behind the change: nobody tells of it."""
    spec = tmp_path / "archive.yaml"
    spec.write_text(ARCHIVE)
    database, kafka = Database(lakehouse.access), of_stream(lakehouse.access.kafka, "Kafka")
    database.run(ARCHIVED)
    topics = Topics(kafka, ["archive.public.old_moves"])
    with running(lakehouse, spec) as pipeline:
        # What has come is there to stay, and there is more to come.
        eventually(lambda: offsets.between({}, topics.ends()) > 0)
        kill(lakehouse, "connect")
        assert offsets.between({}, topics.ends()) < OLD
        database.run(
            "DELETE FROM old_moves WHERE id % 3 = 0",
            # A row of another key is gone under the one it had.
            f"UPDATE old_moves SET id = id + {OLD} WHERE id % 3 = 1",
        )
        told = "was cut off while it read the rows that were there"
        eventually(lambda: told in pipeline.said())
        sums = "SELECT count(*), sum(id), sum(amount) FROM {}old_moves"
        expected = database.rows(sums.format(""))
        _sums_are(lakehouse, sums, expected)
        database.run("DELETE FROM old_accounts WHERE id = 1")
        _equal(lakehouse, database, "old_accounts", "id, owner", namespace="archive")


def _sums_are(lakehouse: LakehouseUnderTest, query: str, expected: list[Any]) -> None:
    with open_session(lakehouse.access.spark) as session:
        eventually(lambda: _quietly(in_lake, session, query.format("archive.")) == expected)
    fresh = f"{query} FINAL"
    eventually(lambda: _quietly(in_clickhouse, lakehouse.access, fresh.format("archive.")) == expected)


def _all_equal(lakehouse: LakehouseUnderTest, database: Database) -> None:
    _equal(lakehouse, database, "accounts", "id, owner, balance")
    _equal(lakehouse, database, "moves", "account, number, amount, at")
    sums = "SELECT account, toInt64(sum(rows)), sum(amount) FROM bank.moved GROUP BY account HAVING sum(rows) <> 0"
    expected = database.rows("SELECT account, count(*), sum(amount) FROM moves GROUP BY account")
    eventually(lambda: _quietly(in_clickhouse, lakehouse.access, sums) == expected)
    _log_has_all_once(lakehouse)


def _equal(
    lakehouse: LakehouseUnderTest, database: Database, table: str, columns: str, *, namespace: str = "bank"
) -> None:
    expected = database.rows(f"SELECT {columns} FROM {table}")
    assert expected
    query = f"SELECT {columns} FROM {namespace}.{table}"
    with open_session(lakehouse.access.spark) as session:
        eventually(lambda: _quietly(in_lake, session, query) == expected)
    eventually(lambda: _quietly(in_clickhouse, lakehouse.access, f"{query} FINAL") == expected)


def _log_has_all_once(lakehouse: LakehouseUnderTest) -> None:
    sent = in_kafka(lakehouse.access, TOPICS)
    with open_session(lakehouse.access.spark) as session:
        logged = in_lake(session, "SELECT topic, partition, offset FROM bank_log.changes")
    assert sorted(place[:3] for place in sent) == sorted(logged)
    # And Kafka has each change of Postgres once, although Connect and Kafka were killed.
    changes = Counter(_identity(value) for *_, value in sent if value is not None)
    assert [change for change, times in changes.items() if times > 1] == []


def _identity(value: bytes) -> tuple[Any, ...]:
    event = json.loads(value)
    row = event["after"] or event["before"]
    return event["source"]["lsn"], event["op"], event["source"]["table"], json.dumps(row, sort_keys=True)


def _quietly(ask: Any, *arguments: Any) -> Any:
    try:
        return ask(*arguments)
    except Exception as error:  # noqa: BLE001 - a part may still be on its way up
        return str(error)
