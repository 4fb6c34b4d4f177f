"""Changes of Postgres followed live into the log, the tables of the lake and ClickHouse, whatever the changes are."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import obstore
import pytest
from obstore.store import S3Store
from pyspark.sql.connect.session import SparkSession

from boathouse.engines.spark.connect import open_session
from boathouse.kit.access import of_stream
from boathouse.pipelines.ingest.discovery import s3_object
from boathouse.pipelines.stream.topics import Topics
from tests.lakehouse_under_test import LakehouseUnderTest, eventually
from tests.streaming import Database, Pipeline, in_clickhouse, in_lake, running, send

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
    tags text[], extra jsonb, photo bytea, changed_at timestamptz);
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


class Utility:
    def __init__(self, lakehouse: LakehouseUnderTest, pipeline: Pipeline, session: SparkSession) -> None:
        self.lakehouse = lakehouse
        self.pipeline = pipeline
        self.session = session
        self.database = Database(lakehouse.access)

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

    def letters(self) -> list[dict[str, Any]]:
        listed = self.lakehouse.cli("deadletter", "list", "utility_log.changes", "--json")
        return json.loads(listed.stdout)


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
    tags = "SELECT id, tags FROM {}customers"
    assert utility.lake(tags.format("utility.")) == utility.database.rows(tags.format(""))


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
        "name was not sent: Postgres logs it only with REPLICA IDENTITY FULL",
        "op is not one of c, u, d, r, t, m: z",
        "balance is not decimal(12,2): zwölf",
    }
    (letter,) = [each for each in utility.letters() if "zwölf" in each["reason"]]
    mended = _json(event | {"after": {"id": MENDED, "name": "mended", "balance": "12.00"}}).decode()
    edited = utility.lakehouse.cli("deadletter", "edit", "utility_log.changes", letter["id"], "--text", mended)
    assert edited.returncode == 0, edited.stderr
    replayed = utility.lakehouse.cli("deadletter", "replay", str(utility.pipeline.spec), letter["id"])
    assert replayed.returncode == 0, replayed.stderr
    mended_row = f"SELECT id, name FROM utility.customers {{}} WHERE id = {MENDED}"
    eventually(lambda: utility.lake(mended_row.format("")) == [(MENDED, "mended")])
    eventually(lambda: utility.clickhouse(mended_row.format("FINAL")) == [(MENDED, "mended")])
    assert len(utility.letters()) == len(bad) - 1


def test_late_and_repeated_changes_do_no_harm(utility: Utility) -> None:
    utility.database.run(
        "INSERT INTO customers (id, name) VALUES (500, 'first'), (501, 'gone')",
        "UPDATE customers SET name = 'second' WHERE id = 500",
        "DELETE FROM customers WHERE id = 501",
    )
    utility.same_everywhere("customers", "id, name")
    old = {"op": "c", "before": None, "ts_ms": 1, "source": {"lsn": 1, "ts_ms": 1}}
    late = [_json(old | {"after": {"id": number, "name": "late"}}) for number in (500, 501)]
    send(utility.lakehouse.access, "utility.public.customers", late * 2)
    logged = "SELECT count(*) FROM utility_log.changes WHERE lsn = 1"
    eventually(lambda: utility.lake(logged) == [(4,)])
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


def test_it_stops_when_it_is_told_to_and_goes_on_where_it_was(utility: Utility) -> None:
    assert utility.pipeline.stop() == 0
    utility.database.run("INSERT INTO customers (id, name) VALUES (600, 'while it was away')")
    utility.pipeline.start()
    where = "WHERE id = 600"
    eventually(lambda: utility.lake(f"SELECT id, name FROM utility.customers {where}") == [(600, "while it was away")])
    places = utility.lake("SELECT topic, partition, offset FROM utility_log.changes WHERE NOT replayed")
    assert len(set(places)) == len(places)


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
    query: str
    rows: list[Any]
    """What the lake has of them."""
    bad: set[str]
    more: str = ""


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
    "bytes": Events("format: binary", [b"\x00\xff"], "SELECT hex(content) FROM {}", [("00FF",)], set()),
}


@pytest.fixture(scope="module")
def taken_in(utility: Utility, tmp_path_factory: pytest.TempPathFactory) -> Utility:
    """All of them, by one Spark: each would take half a minute to start its own."""
    folder, access = tmp_path_factory.mktemp("events"), utility.lakehouse.access
    for name, events in EVENTS.items():
        (folder / f"{name}.yaml").write_text(
            f"pipeline: {name}\nsource: {{kind: kafka, topics: [{name}], {events.source}}}\n"
            f"bronze: {{table: events.{name}}}\nspeed: {{database: events}}\n{events.more}"
        )
        Topics(of_stream(access.kafka, "Kafka"), [name]).make(1)
        send(access, name, events.sent)
    command = [sys.executable, "-m", "tests.integration.streams_once", *map(str, sorted(folder.iterdir()))]
    ran = subprocess.run(command, env=utility.lakehouse.env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return utility


@pytest.mark.parametrize("name", EVENTS)
def test_events_that_are_no_changes(taken_in: Utility, name: str) -> None:
    events = EVENTS[name]
    assert taken_in.lake(events.query.format(f"events.{name}")) == events.rows
    (count,) = taken_in.lake(f"SELECT count(*) FROM events.{name}")
    assert taken_in.clickhouse(f"SELECT count() FROM events.{name} FINAL") == [count]
    letters = json.loads(taken_in.lakehouse.cli("deadletter", "list", f"events.{name}", "--json").stdout)
    assert {letter["reason"] for letter in letters} == events.bad
    assert len(letters) + count[0] == len(events.sent)


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
