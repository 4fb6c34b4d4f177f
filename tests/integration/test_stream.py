"""Changes of Postgres followed live into the log, the tables of the lake and ClickHouse, whatever the changes are."""

import asyncio
import base64
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import asyncpg
import httpx
import obstore
import pytest
from confluent_kafka import TopicPartition
from confluent_kafka.admin import AdminClient
from obstore.store import S3Store
from playwright.sync_api import expect
from pyspark.sql.connect.session import SparkSession

from boathouse.client.client import ControlClient
from boathouse.engines.spark.connect import open_session
from boathouse.kit.access import PostgresAccess, of_stream
from boathouse.pipelines.ingest.discovery import s3_object
from boathouse.pipelines.specs import parse_any
from boathouse.pipelines.stream import offsets
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.source import Source
from boathouse.pipelines.stream.spec import StreamSpec
from boathouse.pipelines.stream.topics import Topics
from tests.browser.visitor import PATIENCE, chromium
from tests.lakehouse_under_test import LakehouseUnderTest, eventually
from tests.streaming import Database, Pipeline, first_in_kafka, in_clickhouse, in_lake, running, send

ROOT = Path(__file__).parent.parent.parent
# The first starts everything, and each may wait for several things in turn.
pytestmark = pytest.mark.timeout(1800)
SPEC = """
pipeline: utility
source: {kind: postgres, tables: [public.customers, public.readings]}
bronze: {table: utility_log.changes, every: 1s}
silver: {namespace: utility, every: 1s}
speed:
  database: utility
  every: 200ms
  rollups:
    - {name: kwh_by_day, table: public.readings, by: {day: toDate(read_at)}, sums: {kwh: "ifNull(kwh, 0)"}}
aims: {events_per_second: 10000, freshness: 60s, lag: 1000000}
"""
SCHEMA = """
CREATE TABLE customers (id bigint PRIMARY KEY, name text NOT NULL, since date, balance numeric(12,2), vip boolean,
    tags text[], extra jsonb, photo bytea, changed_at timestamptz, loud text GENERATED ALWAYS AS (upper(name)) STORED);
CREATE TABLE readings (meter int, read_at timestamp, kwh double precision, PRIMARY KEY (meter, read_at));
ALTER TABLE readings REPLICA IDENTITY FULL;
INSERT INTO customers SELECT g, 'c' || g, DATE '2020-01-01' + g::int, g * 1.25, g % 2 = 0, ARRAY['a', NULL],
    '{"a": 1}', '\\x00ff', TIMESTAMPTZ '2024-02-03 04:05:06.789012+01' FROM generate_series(1, 50) g;
INSERT INTO readings SELECT g, TIMESTAMP '2024-01-01' + h * INTERVAL '1 hour', g + h / 10.0
    FROM generate_series(1, 20) g, generate_series(1, 30) h;
"""
# Without the tags: a list cannot be null in ClickHouse.
CUSTOMER = "id, name, since, balance, vip, extra, changed_at"
READING = "meter, read_at, kwh"
MENDED = 400


# No text, as Kafka allows.
KEY = b"k\xff"
SLOTS = "SELECT slot_name FROM pg_replication_slots UNION ALL SELECT pubname FROM pg_publication"
YESTERDAY = datetime.now(UTC).replace(microsecond=0) - timedelta(days=1)


class Utility:
    def __init__(self, lakehouse: LakehouseUnderTest, pipeline: Pipeline, session: SparkSession) -> None:
        self.lakehouse = lakehouse
        self.pipeline = pipeline
        self.session = session
        self.database = Database(lakehouse.access)
        self.events = pipeline.spec.parent / "events"
        """With the specs of those that are no changes."""

    def same_everywhere(self, table: str, columns: str) -> None:
        """The lake and ClickHouse come to have what Postgres has."""
        eventually(lambda: self.lake(_chosen(f"utility.{table}", columns)) == self._expected(table, columns))
        query = _chosen(f"utility.{table} FINAL", columns)
        eventually(lambda: self.clickhouse(query) == self._expected(table, columns))

    def _expected(self, table: str, columns: str) -> list[Any]:
        return self.database.rows(_chosen(table, columns))

    def lake(self, query: str) -> list[Any]:
        try:
            return in_lake(self.session, query)
        except Exception as error:  # noqa: BLE001 - a column or table may not be there yet
            return [(str(error),)]

    def clickhouse(self, query: str) -> list[Any]:
        try:
            return in_clickhouse(self.lakehouse.access, query)
        except Exception as error:  # noqa: BLE001 - likewise
            return [(str(error),)]

    def each_connector(self, method: str, path: str = "") -> None:
        """What somebody does to it in Kafka Connect."""
        connect = of_stream(self.lakehouse.access.connect, "Connect")
        login = (connect.user, connect.password.get_secret_value())
        with httpx.Client(base_url=f"{connect.uri}/connectors", auth=login, timeout=60, trust_env=False) as client:
            for name in client.get("").json():
                client.request(method, f"/{name}{path}").raise_for_status()

    def letters(self, table: str = "utility_log.changes") -> list[dict[str, Any]]:
        return json.loads(self.told("list", table, "--json"))

    def told(self, *words: str) -> str:
        """By `boathouse deadletter`."""
        done = self.lakehouse.cli("deadletter", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def utility(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Utility]:
    directory = tmp_path_factory.mktemp("utility")
    lakehouse = LakehouseUnderTest(directory / "home")
    spec = directory / "utility.yaml"
    spec.write_text(SPEC)
    try:
        started = lakehouse.cli("up", "--profile", "stream")
        assert started.returncode == 0, started.stderr
        Database(lakehouse.access).run(SCHEMA)
        with running(lakehouse, spec) as pipeline, open_session(lakehouse.access.spark) as session:
            yield Utility(lakehouse, pipeline, session)
    finally:
        lakehouse.stop()


def test_what_was_there_and_every_change_arrives(utility: Utility) -> None:
    utility.same_everywhere("customers", CUSTOMER)
    utility.database.run(
        "INSERT INTO customers (id, name) VALUES (100, 'neu'), (101, 'weg')",
        "UPDATE customers SET name = 'anders', balance = NULL, tags = NULL WHERE id = 7",
        "DELETE FROM customers WHERE id IN (8, 101)",
        # A changed key is a row that goes and one that comes.
        "UPDATE customers SET id = 200 WHERE id = 9",
        "UPDATE readings SET kwh = 0 WHERE meter = 3",
        "DELETE FROM readings WHERE meter = 4",
    )
    utility.same_everywhere("customers", CUSTOMER)
    utility.same_everywhere("readings", READING)
    # What Postgres computes it tells with no change.
    computed = "SELECT count() FROM system.columns WHERE database = 'utility' AND name = 'loud'"
    assert utility.clickhouse(computed) == [(0,)]
    tags = "SELECT id, tags FROM {}customers"
    assert utility.lake(tags.format("utility.")) == utility.database.rows(tags.format(""))


def test_every_row_tells_when_it_was_made_when_it_came_and_when_it_was_written(utility: Utility) -> None:
    utility.same_everywhere("customers", CUSTOMER)
    in_order = "_source_at <= _kafka_at AND _kafka_at <= _written_at AND _written_at <= now64(3)"
    # Within the hour that none of these tests takes.
    lately = "_source_at > now64(3) - INTERVAL 1 HOUR"
    for table in ("customers", "readings"):
        told = utility.clickhouse(f"SELECT countIf({in_order} AND {lately}), count() FROM utility.{table}")
        ((good, rows),) = told
        assert good == rows > 0


def test_the_log_has_every_event_once_and_says_where_it_came_from(utility: Utility) -> None:
    utility.same_everywhere("customers", CUSTOMER)
    log = "SELECT topic, partition, offset FROM utility_log.changes WHERE NOT replayed"
    eventually(lambda: len(utility.lake(log)) > 0)
    places = utility.lake(log)
    assert len(set(places)) == len(places)
    (odd,) = utility.lake(
        "SELECT count(*) FROM utility_log.changes WHERE lsn IS NULL OR kafka_at IS NULL OR source_at IS NULL"
    )
    assert odd == (0,)


def test_sums_follow_every_change(utility: Utility) -> None:
    utility.same_everywhere("readings", READING)
    sums = (
        "SELECT day, toInt64(sum(rows)), round(sum(kwh), 6) FROM utility.kwh_by_day GROUP BY day HAVING sum(rows) <> 0"
    )
    expected = "SELECT read_at::date, count(*), round(sum(kwh)::numeric, 6)::float8 FROM readings GROUP BY 1"
    eventually(lambda: utility.clickhouse(sums) == utility.database.rows(expected))


def test_a_row_whose_insert_waited_for_its_key_stays_where_it_was_written_before_the_key_was_free(
    utility: Utility,
) -> None:
    utility.same_everywhere("customers", CUSTOMER)
    asyncio.run(_insert_waits_for_delete(of_stream(utility.lakehouse.access.postgres, "Postgres"), key=11))
    assert utility.database.rows("SELECT name FROM customers WHERE id = 11") == [("second",)]
    utility.same_everywhere("customers", CUSTOMER)
    # As it was meant: the change that counts last is not the last in the log.
    order = "SELECT op FROM utility_log.changes WHERE get_json_object(key, '$.id') = '11' AND op <> 'r' ORDER BY {}"
    assert utility.lake(order.format("lsn") + " DESC LIMIT 1") == [("d",)]


async def _insert_waits_for_delete(access: PostgresAccess, key: int) -> None:
    one, other = [await asyncpg.connect(**access.client()) for _ in range(2)]
    try:
        async with one.transaction():
            await one.execute(f"UPDATE customers SET name = 'first' WHERE id = {key}")
            waiting = asyncio.create_task(other.execute(f"INSERT INTO customers (id, name) VALUES ({key}, 'second')"))
            while not await one.fetchval("SELECT count(*) FROM pg_locks, pg_sleep(0.01) WHERE NOT granted"):
                """It does not wait yet."""
            await one.execute(f"DELETE FROM customers WHERE id = {key}")
        await waiting
    finally:
        await one.close()
        await other.close()


def test_changed_tables_are_followed(utility: Utility) -> None:
    utility.database.run(
        "ALTER TABLE customers ADD COLUMN phone text",
        "UPDATE customers SET phone = '123' WHERE id = 1",
        "ALTER TABLE readings ALTER COLUMN meter TYPE bigint",
        "INSERT INTO readings VALUES (5000000000, '2024-05-05', 1.5)",
        "ALTER TABLE customers RENAME COLUMN vip TO important",
        "UPDATE customers SET important = true WHERE id = 2",
        "ALTER TABLE customers DROP COLUMN extra",
        "INSERT INTO customers (id, name, phone) VALUES (300, 'ohne', '456')",
    )
    utility.same_everywhere("customers", "id, name, phone, balance")
    utility.same_everywhere("readings", READING)
    # What was dropped or renamed is kept where it was.
    assert utility.lake("SELECT id, important FROM utility.customers WHERE id = 2") == [(2, True)]
    assert utility.lake("SELECT id, extra FROM utility.customers WHERE id = 3") == [(3, '{"a": 1}')]


def test_an_emptied_table_is_empty_everywhere(utility: Utility) -> None:
    utility.database.run("TRUNCATE readings", "INSERT INTO readings VALUES (1, '2030-01-01', 7)")
    utility.same_everywhere("readings", READING)
    sums = "SELECT toInt64(sum(rows)), sum(kwh) FROM utility.kwh_by_day"
    eventually(lambda: utility.clickhouse(sums) == [(1, 7.0)])


def test_what_cannot_be_read_is_kept_with_its_reason_and_can_be_mended(utility: Utility) -> None:
    topic = "utility.public.customers"
    (place,) = utility.database.rows("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")
    event: dict[str, Any] = {"op": "c", "before": None, "ts_ms": 1, "source": {"lsn": int(place[0]), "ts_ms": 1}}
    bad = [
        b"\xff\xfe\x00",
        b'{"op": "c", "aft',
        b"[]",
        b"12",
        b"x" * 2_000_000,
        _json(event | {"after": None}),
        _json(event | {"after": {"name": "no key"}}),
        _json(event | {"after": {"id": "seven", "name": "x"}}),
        _json(event | {"after": {"id": 1, "name": "x"}, "source": {}}),
        _json(event | {"after": {"id": 1, "name": "__debezium_unavailable_value"}}),
        _json(event | {"op": "z", "after": {"id": 1, "name": "x"}}),
        _json(event | {"after": {"id": MENDED, "name": "mended", "balance": "zwölf"}}),
        _json(event | {"op": "r", "after": {"id": 7, "name": "as it was at first", "balance": "elf"}}),
    ]
    send(utility.lakehouse.access, topic, bad)
    # It goes on meanwhile.
    utility.database.run("INSERT INTO customers (id, name) VALUES (401, 'after the bad ones')")
    eventually(lambda: len(utility.letters()) == len(bad))
    utility.same_everywhere("customers", "id, name, balance")
    reasons = {letter["reason"] for letter in utility.letters()}
    assert reasons == {
        "is not UTF-8",
        "is not a change as Debezium writes it",
        "after is missing",
        "id is missing, and it is of the key",
        "id is not bigint: seven",
        "source.lsn is missing",
        "name was not sent: Postgres logs it only after ALTER TABLE public.customers REPLICA IDENTITY FULL",
        "op is not one of c, u, d, r, t, m: z",
        "balance is not decimal(12,2): zwölf",
        "balance is not decimal(12,2): elf",
    }
    new = _json(event | {"after": {"id": MENDED, "name": "mended", "balance": "12.00"}})
    old = _json(event | {"op": "r", "after": {"id": 7, "name": "as it was at first", "balance": "11.00"}})
    mended = {"zwölf": new.decode(), "elf": old.decode()}
    ids = {each["reason"].rpartition(" ")[2]: each["id"] for each in utility.letters()}
    for word, text in mended.items():
        utility.told("edit", "utility_log.changes", ids[word], "--text", text)
    utility.told("replay", str(utility.pipeline.spec), *(ids[word] for word in mended))
    mended_row = f"SELECT id, name FROM utility.customers {{}} WHERE id = {MENDED}"
    eventually(lambda: utility.lake(mended_row.format("")) == [(MENDED, "mended")])
    eventually(lambda: utility.clickhouse(mended_row.format("FINAL")) == [(MENDED, "mended")])
    assert len(utility.letters()) == len(bad) - len(mended)
    # One that was there at first is older than every change, wherever it was read.
    utility.same_everywhere("customers", "id, name, balance")


def test_late_and_repeated_changes_do_no_harm(utility: Utility) -> None:
    utility.database.run(
        "INSERT INTO customers (id, name) VALUES (500, 'first'), (501, 'gone')",
        "UPDATE customers SET name = 'second' WHERE id = 500",
        "DELETE FROM customers WHERE id = 501",
    )
    utility.same_everywhere("customers", "id, name")
    old = {"op": "c", "before": None, "ts_ms": 1, "source": {"lsn": 1, "ts_ms": 1}}
    late = [_json(old | {"after": {"id": number, "name": "late"}}) for number in (500, 501)]
    # Also where its clock is ahead, and where Kafka is told to forget the key.
    ahead = old | {"source": {"lsn": 1, "ts_ms": round((time.time() + 3600) * 1000)}}
    send(utility.lakehouse.access, "utility.public.customers", late * 2)
    forgotten = [_json(ahead | {"after": {"id": 500, "name": "ahead"}}), None]
    send(utility.lakehouse.access, "utility.public.customers", forgotten, key=b'{"id":500}')
    logged = "SELECT count(*) FROM utility_log.changes WHERE lsn = 1 OR op = 'tombstone'"
    eventually(lambda: utility.lake(logged) == [(6,)])
    utility.database.run("INSERT INTO customers (id, name) VALUES (502, 'after the late ones')")
    utility.same_everywhere("customers", "id, name")


def test_its_status_tells_each_hop(utility: Utility) -> None:
    def arrived() -> bool:
        told = utility.pipeline.status()
        return told is not None and all(hop["lag"] == 0 for hop in told["hops"] if hop["name"] != "source")

    eventually(arrived)
    told = utility.pipeline.status()
    assert told is not None
    assert [hop["name"] for hop in told["hops"]] == ["source", "bronze", "speed", "silver"]
    assert all(hop["state"] == "running" and hop["error"] is None for hop in told["hops"])
    assert all(hop["events"] > 0 for hop in told["hops"])
    assert told["alerts"] == []
    # Everything has been read, but Postgres always writes something to its log.
    assert told["hops"][0]["lag_bytes"] < 1_000_000


def test_it_stops_when_it_is_told_to_and_goes_on_where_it_was(utility: Utility) -> None:
    assert utility.pipeline.stop() == 0
    utility.database.run("INSERT INTO customers (id, name) VALUES (600, 'while it was away')")
    utility.pipeline.start()
    where = "WHERE id = 600"
    eventually(lambda: utility.lake(f"SELECT id, name FROM utility.customers {where}") == [(600, "while it was away")])
    places = utility.lake("SELECT topic, partition, offset FROM utility_log.changes WHERE NOT replayed")
    assert len(set(places)) == len(places)


def test_a_table_that_was_quiet_while_others_were_not_goes_on_after_connect_was_restarted(utility: Utility) -> None:
    utility.database.run("CREATE TABLE others (n int)", "UPDATE customers SET name = 'before the quiet' WHERE id = 1")
    utility.same_everywhere("customers", "id, name")
    ((place,),) = utility.database.rows("SELECT pg_current_wal_lsn()::text")
    gone_on = f"SELECT FROM pg_replication_slots WHERE restart_lsn > '{place}'"

    def others_are_not_quiet() -> bool:
        utility.database.run("INSERT INTO others VALUES (1)", "CHECKPOINT")
        return len(utility.database.rows(gone_on)) > 0

    # Postgres keeps its log for nobody else.
    eventually(others_are_not_quiet)
    utility.each_connector("POST", "/restart?includeTasks=true")
    utility.database.run("UPDATE customers SET name = 'after the quiet' WHERE id = 1")
    utility.same_everywhere("customers", "id, name")


def test_a_connector_that_somebody_deletes_is_followed_by_another(utility: Utility) -> None:
    utility.each_connector("DELETE")
    utility.database.run("UPDATE customers SET name = 'untold' WHERE id = 1", "DELETE FROM customers WHERE id = 2")
    utility.same_everywhere("customers", "id, name")
    utility.same_everywhere("readings", READING)
    assert len(utility.database.rows(SLOTS)) == 2


# Random, so that it is large for Postgres too, which then keeps it elsewhere and logs it only when it changes.
LARGE = "(SELECT string_agg(md5(random()::text || h), '') FROM generate_series(1, 300) h)"


def test_a_table_that_is_added_later_comes_with_its_rows_its_partitions_and_large_values(utility: Utility) -> None:
    assert utility.pipeline.stop() == 0
    utility.database.run(
        "CREATE TABLE notes (id int, year int, n int, note text, file bytea, PRIMARY KEY (id, year)) PARTITION BY LIST (year)",
        "CREATE TABLE notes_2024 PARTITION OF notes FOR VALUES IN (2024)",
        "CREATE TABLE notes_2025 PARTITION OF notes FOR VALUES IN (2025)",
        f"INSERT INTO notes SELECT g, 2023 + g, 0, {LARGE}, convert_to({LARGE}, 'UTF8') FROM generate_series(1, 2) g",
    )
    spec = utility.pipeline.spec
    spec.write_text(spec.read_text().replace("public.readings]", "public.readings, public.notes]"))
    utility.pipeline.start()
    rejected, columns = len(utility.letters()), "id, year, n, length(note), length(file)"
    utility.same_everywhere("notes", columns)
    utility.database.run("UPDATE notes SET n = 1", f"INSERT INTO notes VALUES (3, 2025, 0, {LARGE}, NULL)")
    utility.same_everywhere("notes", columns)
    # A row of another key is a new one, and has its large values too.
    utility.database.run("UPDATE notes SET id = 4 WHERE id = 1")
    utility.same_everywhere("notes", columns)
    assert len(utility.letters()) == rejected


def test_a_table_that_cannot_be_followed_is_refused(utility: Utility, tmp_path: Path) -> None:
    utility.database.run("CREATE TABLE keyless (id bigint)")
    spec = tmp_path / "keyless.yaml"
    spec.write_text(SPEC.replace("public.customers", "public.keyless").replace("utility", "keyless"))
    refused = utility.lakehouse.cli("pipeline", "run", str(spec), "--once")
    assert refused.returncode != 0
    assert "public.keyless has no primary key" in refused.stderr
    assert "REPLICA IDENTITY FULL" in refused.stderr


AVRO = {
    "type": "record",
    "name": "event",
    "fields": [{"name": "id", "type": "long"}, {"name": "note", "type": ["null", "string"]}],
}


@dataclass(frozen=True)
class Events:
    source: str
    sent: list[bytes | None]
    """By a clock that is a day late."""
    query: str
    rows: list[Any]
    """What the lake has of them."""
    bad: set[str]
    more: str = ""
    key: bytes = KEY


EVENTS = {
    "json_by_a_schema": Events(
        "format: json",
        [
            b'{"id": 1, "at": "2024-01-02T03:04:05Z", "tags": ["a"]}',
            b'{"id": 2}',
            b'{"id": "x", "at": null, "tags": []}',
            # In any order, and a number as a text: values are found by their names.
            b'{"tags": ["b", "c"], "id": "3", "at": null}',
        ],
        "SELECT id, CAST(at AS string), tags FROM {}",
        [(1, "2024-01-02 03:04:05", ["a"]), (3, None, ["b", "c"])],
        {"at, tags is missing", "id is not bigint: x"},
        "schema: {id: bigint, at: timestamp, tags: array<string>}\nkeys: id\n",
    ),
    "plain_json": Events(
        "format: json",
        [*(b'{"id":%d,"kwh":1.5}' % number for number in range(200)), b'{"id":1}', b'{"id":"200","kwh":"2.50"}'],
        # By a bound that each file tells.
        "SELECT id, CAST(kwh AS string), topic, offset FROM {} WHERE id >= 199",
        [(199, "1.50", "plain_json", 199), (200, "2.50", "plain_json", 201)],
        {"kwh is missing"},
        "schema: {id: long, kwh: 'decimal(10,2)'}\n",
        # One that is no text would leave them all to Spark.
        b"k",
    ),
    "json_as_it_comes": Events(
        "format: json",
        [b'{"a": {"b": [1, 2]}}', b'"text"', b"{"],
        "SELECT to_json(event) FROM {}",
        [('"text"',), ('{"a":{"b":[1,2]}}',)],
        {"is not JSON"},
    ),
    "avro": Events(
        f"format: avro, avro_schema: {json.dumps(AVRO)}",
        # Zig-zag numbers, then which of the union it is, its length and its text.
        [bytes([2, 2, 4]) + b"hi", bytes([4, 0]), b"\xff\xff"],
        "SELECT id, note FROM {}",
        [(1, "hi"), (2, None)],
        {"is not Avro of the schema"},
    ),
    "text": Events(
        "format: text, encoding: latin-1",
        ["Zähler".encode("latin-1"), None],
        "SELECT text FROM {}",
        [("Zähler",)],
        {"has no value"},
    ),
    "ascii": Events(
        "format: text, encoding: us-ascii",
        [b"Zaehler", "Zähler".encode("latin-1")],
        "SELECT text FROM {}",
        [("Zaehler",)],
        {"is not US-ASCII"},
    ),
    "poisoned": Events(
        "format: json",
        # A batch for each pair.
        [b'{"id": 1}', b'{"id": "x"}', b'{"id": 2}', b'{"id": "y"}', b'{"id": 3}', b"\xff"],
        "SELECT id FROM {}",
        [(1,), (2,), (3,)],
        {"id is not bigint: x", "id is not bigint: y", "is not a JSON object"},
        "schema: {id: bigint}\nlimits: {events_per_batch: 2}\n",
    ),
    "bytes": Events("format: binary", [b"\x00\xff"], "SELECT hex(content) FROM {}", [("00FF",)], set()),
}


@dataclass(frozen=True)
class ByHand:
    """Pipelines of events, which one Spark takes in when it is told to: each would take half a minute to start its own."""

    utility: Utility
    folder: Path
    process: subprocess.Popen[str]

    def write(self, name: str, source: str, more: str, *, table: str | None = None) -> Path:
        """A spec, and the topic if it is not there."""
        path = self.folder / f"{name}.yaml"
        path.write_text(
            f"pipeline: {name}\nsource: {{kind: kafka, topics: [{name}], {source}}}\n"
            f"bronze: {{table: events.{table or name}}}\nspeed: {{database: {table or 'events'}}}\n{more}"
        )
        self.topics(name).make(1)
        return path

    def topics(self, *names: str) -> Topics:
        return Topics(of_stream(self.utility.lakehouse.access.kafka, "Kafka"), names)

    def send(self, topic: str, numbers: Iterable[int]) -> None:
        send(self.utility.lakehouse.access, topic, [b'{"id": %d}' % number for number in numbers])

    def once(self, spec: Path, *, dies_in: str | None = None) -> tuple[str, str | None]:
        """What it said, and what went wrong."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"spec": str(spec), "dies_in": dies_in}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, (self.folder / "log").read_text()[-3000:]
        answer = json.loads(line)
        return "\n".join(answer["said"]), answer["error"]

    def takes_in(self, spec: Path) -> str:
        said, error = self.once(spec)
        assert error is None, error
        return said

    def ids(self, table: str, database: str = "events") -> list[Any]:
        """Of the events in the log, and in ClickHouse."""
        lake = self.utility.lake(f"SELECT id FROM events.{table}")
        return [
            [row[0] for row in rows]
            for rows in (lake, self.utility.clickhouse(f"SELECT id FROM {database}.{table} FINAL"))
        ]


@pytest.fixture(scope="module")
def by_hand(utility: Utility) -> Iterator[ByHand]:
    folder = utility.events
    folder.mkdir()
    command, env = [sys.executable, "-m", "tests.integration.streams_by_hand"], utility.lakehouse.env
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, env=env, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        )
    with process:
        yield ByHand(utility, folder, process)


@pytest.fixture(scope="module")
def taken_in(by_hand: ByHand) -> Utility:
    # As it was made before keys and times were noted.
    session = by_hand.utility.session
    session.sql("CREATE NAMESPACE IF NOT EXISTS events")
    columns = "load_id string, file string, line bigint, reason string, raw string, raw_bytes binary"
    session.sql(f"CREATE TABLE events.ascii__rejects ({columns}, rejected_at timestamp)")
    for name, events in EVENTS.items():
        spec = by_hand.write(name, events.source, events.more)
        send(by_hand.utility.lakehouse.access, name, events.sent, key=events.key, at=YESTERDAY)
        by_hand.takes_in(spec)
    return by_hand.utility


@pytest.mark.parametrize("name", EVENTS)
def test_events_that_are_no_changes(taken_in: Utility, name: str) -> None:
    events = EVENTS[name]
    assert taken_in.lake(events.query.format(f"events.{name}")) == events.rows
    (count,) = taken_in.lake(f"SELECT count(*) FROM events.{name}")
    assert taken_in.clickhouse(f"SELECT count() FROM events.{name} FINAL") == [count]
    letters = taken_in.letters(f"events.{name}")
    assert {letter["reason"] for letter in letters} == events.bad
    assert len(letters) + count[0] == len(events.sent)
    # What is no text is told by its bytes; the time is what the sender said.
    origins = taken_in.lake(f"SELECT DISTINCT key, kafka_at FROM events.{name}")
    assert origins == [(_as_text(events.key), YESTERDAY.replace(tzinfo=None))]


def _as_text(key: bytes) -> str:
    return f"\\x{key.hex()}" if b"\xff" in key else key.decode()


def test_rejected_events_are_told_of_counted_shown_and_discarded(taken_in: Utility) -> None:
    spec = str(taken_in.events / "poisoned.yaml")
    bad = EVENTS["poisoned"].sent[1::2]
    told = first_in_kafka(taken_in.lakehouse.access, "poisoned.deadletters", len(bad))
    reasons = ["id is not bigint: x", "id is not bigint: y", "is not a JSON object"]
    origins = [
        {"reason": reason, "topic": "poisoned", "partition": "0", "offset": str(offset)}
        for reason, offset in zip(reasons, (1, 3, 5), strict=True)
    ]
    assert told == [(KEY, value, origin) for value, origin in zip(bad, origins, strict=True)]

    counted = [
        {"rows": 2, "reason": "id is not bigint"},
        {"rows": 1, "reason": "is not a JSON object"},
    ]
    assert json.loads(taken_in.told("list", spec, "--by-reason", "--json")) == counted
    (letter,) = [each for each in taken_in.letters(spec) if each["reason"] == reasons[0]]
    shown = taken_in.told("show", spec, letter["id"])
    facts = {words[0]: words[-1] for words in map(str.split, shown.splitlines())}
    assert (facts["topic"], facts["partition"], facts["offset"]) == ("poisoned", "0", "1")
    assert (facts["key"], facts["state"]) == ("k\\xff", "open")
    taken_in.told("discard", spec, "--reason", "id is not bigint", "--note", "nobody's")
    assert [each["reason"] for each in taken_in.letters(spec)] == reasons[2:]


def test_a_mended_event_keeps_its_key_and_its_time_and_is_written_as_the_others_are(taken_in: Utility) -> None:
    spec = str(taken_in.events / "ascii.yaml")
    (letter,) = taken_in.letters(spec)
    refused = taken_in.lakehouse.cli("deadletter", "edit", spec, letter["id"], "--text", "Zähler")
    assert refused.returncode != 0
    assert "US-ASCII has no 'ä'" in refused.stderr
    taken_in.told("edit", spec, letter["id"], "--text", "Zaehler 2")
    taken_in.told("replay", spec, letter["id"])
    rows = taken_in.lake("SELECT text, offset, key, kafka_at FROM events.ascii WHERE replayed")
    assert rows == [("Zaehler 2", 1, _as_text(KEY), YESTERDAY.replace(tzinfo=None))]


def test_an_event_in_avro_is_mended_by_its_bytes(taken_in: Utility) -> None:
    spec = str(taken_in.events / "avro.yaml")
    (letter,) = taken_in.letters(spec)
    mended = bytes([6, 2, 4]) + b"yo"
    taken_in.told("edit", spec, letter["id"], "--text", base64.b64encode(mended).decode())
    taken_in.told("replay", spec, letter["id"])
    assert taken_in.lake("SELECT id, note FROM events.avro WHERE replayed") == [(3, "yo")]
    assert taken_in.letters(spec) == []


PLAIN = "schema: {id: long}\n"


def test_what_a_rolled_back_log_and_an_emptied_clickhouse_lost_is_read_again(by_hand: ByHand) -> None:
    spec = by_hand.write("rolled", "format: json", PLAIN, table="rolled")
    for numbers in ((1, 2, 3), (4, 5)):
        by_hand.send("rolled", numbers)
        by_hand.takes_in(spec)
    first = by_hand.utility.lake("SELECT min_by(snapshot_id, committed_at) FROM events.rolled.snapshots")[0][0]
    by_hand.utility.lake(f"CALL lake.system.rollback_to_snapshot('events.rolled', {first})")
    in_clickhouse(by_hand.utility.lakehouse.access, "DROP DATABASE rolled")
    by_hand.send("rolled", (6,))
    said = by_hand.takes_in(spec)
    assert by_hand.ids("rolled", "rolled") == [[1, 2, 3, 4, 5, 6]] * 2
    assert "bronze: events.rolled does not have all that the checkpoint says" in said
    assert "speed: ClickHouse's database rolled does not have all" in said


def test_a_topic_that_was_made_anew_is_taken_in_from_its_beginning(by_hand: ByHand) -> None:
    spec = by_hand.write("anew", "format: json", PLAIN)
    by_hand.send("anew", (1, 2))
    by_hand.takes_in(spec)
    admin = AdminClient(of_stream(by_hand.utility.lakehouse.access.kafka, "Kafka").client())
    for deleted in admin.delete_topics(["anew"]).values():
        deleted.result()
    eventually(lambda: by_hand.topics("anew").ids() == {})
    by_hand.topics("anew").make(1)
    # It has outgrown what it was, so that nothing else tells.
    by_hand.send("anew", (3, 4, 5))
    said = by_hand.takes_in(spec)
    # To ClickHouse events without a key are the same if they have the same place.
    assert by_hand.ids("anew") == [[1, 2, 3, 4, 5], [3, 4, 5]]
    assert "bronze: the topic anew was made anew" in said


def test_events_that_kafka_no_longer_has_are_never_left_out_silently(by_hand: ByHand) -> None:
    spec = by_hand.write("gone", "format: json", PLAIN)
    by_hand.send("gone", (1, 2))
    by_hand.takes_in(spec)
    by_hand.send("gone", (3, 4, 5))
    admin = AdminClient(of_stream(by_hand.utility.lakehouse.access.kafka, "Kafka").client())
    for deleted in admin.delete_records([TopicPartition("gone", 0, 4)]).values():
        deleted.result()
    _, error = by_hand.once(spec)
    assert error is not None
    assert (
        "Kafka no longer has 2 events of gone (partition 0, from offset 2), which events.gone has not taken in" in error
    )
    assert "another bronze.table" in error
    said = by_hand.takes_in(by_hand.write("gone", "format: json", PLAIN, table="gone_on"))
    assert by_hand.ids("gone_on", "gone_on") == [[5]] * 2
    assert "bronze: Kafka no longer has the first 4 events of gone (partition 0): events.gone_on begins without" in said


def test_where_no_snapshot_tells_the_rows_and_the_rejects_do(by_hand: ByHand) -> None:
    spec = by_hand.write("untold", "format: json", PLAIN)
    by_hand.send("untold", (1, 2))
    send(by_hand.utility.lakehouse.access, "untold", [b"not JSON"])
    by_hand.takes_in(spec)
    by_hand.utility.lake("DELETE FROM events.untold WHERE id = 1")
    now = "TIMESTAMP '2999-01-01'"
    by_hand.utility.lake(f"CALL lake.system.expire_snapshots(table => 'events.untold', older_than => {now})")
    assert by_hand.utility.lake("SELECT count(*) FROM events.untold.snapshots") == [(1,)]
    by_hand.send("untold", (3,))
    by_hand.takes_in(spec)
    assert by_hand.ids("untold") == [[2, 3], [1, 2, 3]]
    assert by_hand.utility.lake("SELECT count(*) FROM events.untold__rejects") == [(1,)]


@pytest.mark.parametrize("hop", ["bronze", "speed"])
def test_a_batch_that_spark_does_not_know_of_is_there_once(by_hand: ByHand, hop: str) -> None:
    name = f"died_in_{hop}"
    spec = by_hand.write(name, "format: json", PLAIN)
    by_hand.send(name, (1, 2))
    assert by_hand.once(spec, dies_in=hop)[1] == "It died."
    by_hand.send(name, (3,))
    by_hand.takes_in(spec)
    assert by_hand.ids(name) == [[1, 2, 3]] * 2


@pytest.mark.parametrize("limit", ["events_per_batch: 4", "events_per_second: 8"])
def test_a_limited_stream_takes_no_more_at_once(by_hand: ByHand, limit: str) -> None:
    name = limit.partition(":")[0]
    spec = by_hand.write(name, "format: json", f"{PLAIN}limits: {{{limit}}}\n")
    # As many as come in that time: half a second.
    spec.write_text(spec.read_text().replace(f"events.{name}", f"events.{name}, every: 500ms"))
    by_hand.send(name, range(10))
    by_hand.takes_in(spec)
    added = by_hand.utility.lake(f"SELECT int(summary['added-records']) FROM events.{name}.snapshots")
    assert sorted(added) == [(2,), (4,), (4,)]
    assert by_hand.ids(name) == [list(range(10))] * 2


def test_a_run_that_goes_on_from_encrypted_checkpoints_sums_up_and_is_named_by_its_snapshots(
    utility: Utility, tmp_path: Path
) -> None:
    spec = tmp_path / "readings.yaml"
    spec.write_text("""
pipeline: summed
source: {kind: kafka, topics: [summed], format: json}
schema: {meter: int, kwh: double}
bronze: {table: events.summed}
speed: {database: events, rollups: [{name: summed_by_meter, by: {meter: meter}, sums: {kwh: "ifNull(kwh, 0)"}}]}
""")
    access = utility.lakehouse.access
    Topics(of_stream(access.kafka, "Kafka"), ["summed"]).make(1)
    run = {"BOATHOUSE_RUN_ID": "run-7", "BOATHOUSE_RUN_JOB": "summed"}
    run |= {"BOATHOUSE_SPARK__CHECKPOINT_ENCRYPTION": "sse-s3"}
    for first, second in ((b"1.5", b"2"), (b"null", b"0")):
        send(access, "summed", [b'{"meter": 1, "kwh": ' + kwh + b"}" for kwh in (first, second)])
        ran = replace(utility.lakehouse, overrides=run).cli("pipeline", "run", str(spec), "--once")
        assert ran.returncode == 0, ran.stderr
    query = "SELECT meter, sum(rows), sum(kwh) FROM events.summed_by_meter GROUP BY meter"
    assert utility.clickhouse(query) == [(1, 4, 3.5)]
    said = "SELECT DISTINCT summary['boathouse.run-id'], summary['boathouse.job'] FROM events.summed.snapshots"
    assert utility.lake(said) == [("run-7", "summed")]
    for hop in ("bronze", "speed"):
        assert _encryption(utility.lakehouse, f"_streams/summed/{hop}/offsets/1") == "AES256"


WATCHED: dict[str, Any] = {
    "pipeline": "watched",
    "source": {"kind": "kafka", "topics": ["watched"], "format": "json"},
    "schema": {"id": "bigint", "kwh": "double"},
    "keys": ["id"],
    "bronze": {"table": "events.watched", "every": "1s"},
    "speed": {"database": "events"},
    "aims": {"events_per_second": 1000},
}


def test_a_stream_is_watched_in_the_browser_and_what_it_rejects_mended_there(utility: Utility) -> None:
    """One that really runs: elsewhere a program stands in for it that invents its figures."""
    access = utility.lakehouse.access
    assert access.control is not None
    Topics(of_stream(access.kafka, "Kafka"), ["watched"]).make(1)
    send(access, "watched", [b'{"id": 1, "kwh": 1}', b'{"id": 2, "kwh": "much"}'])
    with chromium() as browser, ControlClient(access.control.uri, access.control.token) as control:
        control.workspaces.create("north")
        control.jobs.apply("north", "watched", {"kind": "stream", "spec": {"pipeline": WATCHED}})
        run = control.runs.submit("north", "watched")
        page = browser.new_page(base_url=control.url)
        page.set_default_timeout(PATIENCE)
        page.goto(control.sessions.make_link(seconds=600).path)
        page.wait_for_url(lambda url: "/login/once" not in url)
        page.goto("/w/north/pipelines/watched")
        for title in ("Kafka to the log", "Kafka to ClickHouse"):
            hop = page.get_by_role("article", name=title)
            expect(hop).to_contain_text("running")
            expect(hop).to_contain_text(re.compile(r"\d events/s of 1,000"))
            for name, figure in {"Events": "2", "Lag": "0", "Behind": "caught up"}.items():
                shown = hop.locator("dl > div").filter(has=page.get_by_text(name, exact=True)).locator("dd")
                expect(shown).to_have_text(figure)
        expect(page.get_by_text("1 event was rejected since it began")).to_be_visible()
        # Live: nobody asks again.
        send(access, "watched", [b'{"id": 3, "kwh": 3}'])
        for hop in page.get_by_role("article").all():
            expect(hop.locator("dd").first).to_have_text("3")

        page.reload()
        page.get_by_role("link", name="1 reject waits").click()
        page.get_by_role("link", name="0:1").click()
        expect(page.get_by_role("note", name="Reason")).to_have_text("kwh is not double: much")
        page.get_by_label("As it should be").fill('{"id": 2, "kwh": 2}')
        page.get_by_role("button", name="Save and replay").click()
        expect(page.get_by_role("status", name="Replay")).to_contain_text("1 row replayed: 1 written.")
        rows = [(1, 1.0), (2, 2.0), (3, 3.0)]
        assert utility.lake("SELECT id, kwh FROM events.watched") == rows
        assert utility.clickhouse("SELECT id, kwh FROM events.watched FINAL") == rows
        control.runs.stop("north", run.id)
        eventually(lambda: control.runs.get("north", run.id).state == "cancelled")


def test_a_removed_stream_leaves_nothing_behind_but_its_tables_and_begins_anew(utility: Utility) -> None:
    spec = str(utility.pipeline.spec)
    at_work = utility.lakehouse.cli("pipeline", "remove", spec, "--yes")
    assert at_work.returncode != 0
    assert "is at work: a command" in at_work.stderr
    assert utility.pipeline.stop() == 0
    # Whatever somebody has removed already: twice, in between it is followed again.
    utility.each_connector("DELETE")
    _customers_come_anew(utility)
    utility.each_connector("DELETE")
    removed = utility.lakehouse.cli("pipeline", "remove", spec, "--yes")
    assert removed.returncode == 0, removed.stderr
    assert "Its tables and the topics utility.public.customers, " in removed.stdout
    assert utility.database.rows(SLOTS) == []
    access = utility.lakehouse.access
    opened, key = s3_object(f"s3://{access.object_store.bucket}/_streams/utility/", access.object_store)
    assert [one["path"] for page in obstore.list(opened, key) for one in page] == []
    assert utility.lake("SELECT count(*) > 0 FROM utility.customers") == [(True,)]
    _customers_come_anew(utility)


def _customers_come_anew(utility: Utility) -> None:
    """Followed again, the rows that are there come first, as they did in the beginning."""
    access = utility.lakehouse.access
    followed = parse_any(utility.pipeline.spec.read_text(), "utility")
    assert isinstance(followed, StreamSpec)
    kafka = Topics(of_stream(access.kafka, "Kafka"), ["utility.public.customers"])
    before = offsets.between({}, kafka.ends())
    ((rows,),) = utility.database.rows("SELECT count(*) FROM customers")
    with closing(Source(StreamContext(followed, cast("Any", None), access, _nobody))) as source:
        source.follow(lambda _: None)
    eventually(lambda: offsets.between({}, kafka.ends()) >= before + rows)


def _nobody(_step: str) -> None:
    """Nobody is told."""


def _encryption(lakehouse: LakehouseUnderTest, key: str) -> str | None:
    store = lakehouse.access.object_store
    opened, path = s3_object(f"s3://{store.bucket}/{key}", store)
    assert isinstance(opened, S3Store)
    answer = httpx.head(obstore.sign(opened, "HEAD", path, timedelta(minutes=5)), trust_env=False)
    assert answer.is_success, answer.headers
    return answer.headers.get("x-amz-server-side-encryption")


def _chosen(table: str, columns: str) -> str:
    # The mended row is in no Postgres.
    return f"SELECT {columns} FROM {table}" + (f" WHERE id <> {MENDED}" if "customers" in table else "")


def _json(event: dict[str, Any]) -> bytes:
    return json.dumps(event, ensure_ascii=False).encode()
