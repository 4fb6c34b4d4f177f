"""Whatever is killed on the way, and whenever: the lake and ClickHouse come to equal Postgres, and the log has all once.

CHAOS_SECONDS has parts killed for longer, CHAOS_SEED chooses which and when.
"""

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
from boathouse.kit.deadletters.topics import origin
from boathouse.pipelines.stream import offsets
from boathouse.pipelines.stream.topics import Topics
from tests.chaos.chance import SECONDS, SEED, to_repeat
from tests.lakehouse_under_test import LakehouseUnderTest, eventually
from tests.streaming import Database, Pipeline, all_healthy, in_clickhouse, in_kafka, in_lake, kill, running, send

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
PIPELINE = "pipeline"
PARTS = (PIPELINE, "clickhouse", "connect", "kafka", "postgres", "object-store", "catalog")
# What nobody can read, and why.
POISON = {
    b'{"op": "u", "after": {': "is not a change as Debezium writes it",
    b'{"op": "\xff"}': "is not UTF-8",
    b"[]": "is not a change as Debezium writes it",
    b"{}": "op is missing",
}
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
    """Changes rows as long as it is let, and tries again what a killed part may or may not have done."""

    def __init__(self, lakehouse: LakehouseUnderTest, seed: str) -> None:
        super().__init__(daemon=True)
        self._access = lakehouse.access
        self._database = Database(lakehouse.access)
        self._chance = random.Random(seed)
        self._ended = threading.Event()
        self._number = 0

    def run(self) -> None:
        while not self._ended.wait(0.05):
            self._number += 1
            try:
                if self._number % 20:
                    self._database.run(self._statement())
                else:
                    send(self._access, self._chance.choice(TOPICS), [self._chance.choice([*POISON])])
            except Exception:  # noqa: BLE001 - Postgres or Kafka is away, or a key is taken; what they did is what counts
                time.sleep(0.2)

    def end(self) -> None:
        self._ended.set()
        self.join()

    def _statement(self) -> str:
        account, number = self._chance.randint(1, 220), self._number
        moves = ", ".join(f"({account}, {number * 10 + place}, {place}.25, now())" for place in range(5))
        likely = {
            f"INSERT INTO moves VALUES {moves} ON CONFLICT DO NOTHING": 35,
            f"UPDATE accounts SET balance = balance + {number}, owner = 'n{number}' WHERE id = {account}": 20,
            self._contended(self._chance.randint(1, 3)): 15,
            f"UPDATE moves SET amount = amount + 1 WHERE account = {account}": 10,
            f"DELETE FROM moves WHERE account = {account}; DELETE FROM accounts WHERE id = {account}": 10,
            f"INSERT INTO accounts VALUES ({account}, 'again', 1) ON CONFLICT (id) DO UPDATE SET owner = 'again'": 9,
            f"ALTER TABLE accounts ADD COLUMN c{number} int; UPDATE accounts SET c{number} = id WHERE id < 9": 1,
        }
        return self._chance.choices([*likely], [*likely.values()])[0]

    def _contended(self, account: int) -> str:
        """What another waits for, or what waits: several statements are one transaction."""
        gone = f"DELETE FROM accounts WHERE id = {account}; SELECT pg_sleep({self._chance.random() / 5})"
        come = f"INSERT INTO accounts VALUES ({account}, 'c{self._number}', {self._number})"
        changed = f"UPDATE accounts SET owner = 'u{self._number}' WHERE id = {account}; SELECT pg_sleep(0.1)"
        return self._chance.choice([come, gone, f"{gone}; {come}", f"{changed}; {gone}", f"{come}; {changed}; {gone}"])


def victims(chance: random.Random) -> Iterator[list[str]]:
    """Each part once; then any, or two at once, until it is time to end."""
    until = time.monotonic() + SECONDS
    for part in chance.sample(PARTS, len(PARTS)):
        yield [part]
    while time.monotonic() < until:
        yield chance.sample(PARTS, chance.randint(1, 2))


@pytest.mark.timeout(SECONDS * 4 + 1800)
def test_everything_is_exact_although_all_parts_are_killed(
    lakehouse: LakehouseUnderTest, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    print(to_repeat(request.node.nodeid))  # noqa: T201 - pytest shows it when anything below fails
    spec = tmp_path / "bank.yaml"
    spec.write_text(SPEC)
    database = Database(lakehouse.access)
    database.run(SCHEMA)
    pipeline = Pipeline(lakehouse, spec)
    pipeline.start()
    tellers = [Teller(lakehouse, f"{SEED} teller {number}") for number in range(3)]
    for teller in tellers:
        teller.start()
    chance = random.Random(SEED)
    try:
        eventually(pipeline.is_running)
        for killed in victims(chance):
            time.sleep(chance.uniform(1, 10))
            print(time.strftime("%X"), *killed)  # noqa: T201 - likewise
            _kill(lakehouse, pipeline, killed)
        time.sleep(5)
        _end(tellers)
        _all_equal(lakehouse, database)
    finally:
        _end(tellers)
        pipeline.stop()


def _end(tellers: list[Teller]) -> None:
    for teller in tellers:
        teller.end()


def _kill(lakehouse: LakehouseUnderTest, pipeline: Pipeline, parts: list[str]) -> None:
    """And wait until they are back."""
    for part in parts:
        if part == PIPELINE:
            pipeline.kill()
        else:
            kill(lakehouse, part)
    eventually(lambda: all_healthy(lakehouse))
    if PIPELINE in parts:
        pipeline.start()
        eventually(pipeline.is_running)


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
        # Nobody may take it for a change, after which there are no more rows.
        send(lakehouse.access, "archive.public.old_moves", [b"nobody can read this"] * 4)
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
    # A column that was added is elsewhere when a change has told of it.
    database.run("UPDATE accounts SET balance = balance WHERE id = (SELECT min(id) FROM accounts)")
    columns = database.rows("SELECT column_name FROM information_schema.columns WHERE table_name = 'accounts'")
    _equal(lakehouse, database, "accounts", ", ".join(name for (name,) in columns))
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
    poisoned = {(topic, partition, offset): value for topic, partition, offset, value in sent if value in POISON}
    with open_session(lakehouse.access.spark) as session:
        logged = in_lake(session, "SELECT topic, partition, offset FROM bank_log.changes")
        rejects = in_lake(session, "SELECT file, line, reason FROM bank_log.changes__rejects")
    rejected = {(*origin(file), offset): reason for file, offset, reason in rejects}
    assert sorted(place[:3] for place in sent) == sorted([*logged, *rejected])
    assert len(rejects) == len(rejected)
    assert rejected == {place: POISON[value or b""] for place, value in poisoned.items()}
    # And Kafka has each change of Postgres once, although Connect and Kafka were killed.
    changes = Counter(_identity(value) for *_, value in sent if value is not None and value not in POISON)
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
