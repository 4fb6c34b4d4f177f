"""Rounds of the tables that a stream keeps in the lake, without what brings the changes: a program, so that its Spark is nobody else's.

Tells for each question what became of it. Tables are those of the question's own namespace.
"""

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import obstore
from pyspark.sql import DataFrame

from boathouse.cli.streams import driver
from boathouse.kit.catalog_client import CatalogClient, TableName
from boathouse.kit.errors import WorkFailed
from boathouse.kit.ids import new_uuid
from boathouse.pipelines.ingest.discovery import s3_object
from boathouse.pipelines.specs import parse_any
from boathouse.pipelines.stream.bronze import Bronze, now
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.judging import ChangesJudge
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.silver import Silver
from boathouse.pipelines.stream.source import judge_of, keep_columns
from boathouse.pipelines.stream.span import Span
from boathouse.pipelines.stream.spec import StreamSpec
from boathouse.pipelines.types import ColumnType, parse_type

_MESSAGE = "topic string, partition int, offset bigint, timestamp timestamp, key binary, value binary"


def table(name: str, key: Sequence[str] = ("id",), **columns: str) -> SourceTable:
    kinds: dict[str, ColumnType] = {column: parse_type(kind) for column, kind in columns.items()}
    return SourceTable(f"public.{name}", kinds, tuple(key), "d")


class Round:
    """A log that is filled by hand, and the tables that are made of it."""

    def __init__(self, opened: Any, name: str, source: str, *tables: SourceTable) -> None:
        session, access, say = opened
        # The lakehouse may be one that was kept.
        name = f"{name}_{new_uuid()[-8:]}"
        spec = parse_any(
            f"pipeline: {name}\nsource: {source}\nbronze: {{table: {name}_log.changes}}\nsilver: {{namespace: {name}}}\n",
            name,
        )
        assert isinstance(spec, StreamSpec)
        self.name = name
        self.context = StreamContext(spec, session, access, say)
        self.client = CatalogClient(access.catalog)
        self.offset = 0
        self.judge = _judge(*tables)

    def log(
        self, topic: str, *changes: tuple[str, int, dict[str, Any]], keyed: bool = True, committed: int = 0
    ) -> None:
        """Each is what was done, where in the source's log, and to which row. `committed` is where the last transaction ended."""
        rows: list[Any] = []
        for op, lsn, row in changes:
            before, after = (row, None) if op == "d" else (None, row)
            sequence = json.dumps([str(committed), str(lsn)]) if committed else None
            source = {"lsn": lsn, "ts_ms": lsn, "sequence": sequence}
            event = {"op": op, "before": before, "after": after, "source": source}
            key = json.dumps({"id": row["id"]}).encode() if row and keyed else None
            rows.append((topic, 0, self.offset, None, key, json.dumps(event).encode()))
            self.offset += 1
        messages, known = self.context.session.createDataFrame(rows, _MESSAGE), self.judge.known()
        judged = self.judge.judge(messages)
        if self.judge.learn(judged, known):
            judged = self.judge.judge(messages)
        log = self.context.spec.bronze.table
        if self.client.find_table(log) is None:
            self.client.create_namespace(log.namespace)
            self.client.create_table(log, Bronze(self.context, self.judge, self.client, Meter()).create_request())
        good = judged.where("problem IS NULL").selectExpr("*", "false AS replayed")
        good = good.select(*self.judge.logged(), now().alias("written_at"), "replayed")
        good.writeTo(self.context.spark_name(log)).append()

    def silver(self, kind: type[Silver] = Silver) -> Silver:
        """As a process that has just started."""
        return kind(self.context, self.judge, self.client, Meter(), self.name)

    def rows(self, name: str, columns: str = "*") -> list[Any]:
        query = f"SELECT {columns} FROM {self.context.access.spark.catalog}.{self.name}.{name} ORDER BY 1"
        return [list(row) for row in self.context.session.sql(query).collect()]


class _Dying(Silver):
    def _upsert(self, table: SourceTable, source: DataFrame, name: TableName, span: Span) -> None:
        raise SystemExit("killed")


def killed_in_the_middle(opened: Any) -> Any:
    """Between the two commits of a round in which the table was emptied."""
    here = Round(opened, "silver_killed", _SOURCE, table("t", id="int", v="string"))
    here.log("public.t", ("c", 10, {"id": 1, "v": "old"}), ("c", 20, {"id": 2, "v": "stays"}))
    here.silver().catch_up()
    here.log("public.t", ("t", 15, {}), ("c", 30, {"id": 3, "v": "new"}))
    with suppress(SystemExit):
        here.silver(_Dying).catch_up()
    emptied = here.rows("t", "id")
    here.silver().catch_up()
    return {"emptied": emptied, "rows": here.rows("t", "id, v")}


def one_fails(opened: Any) -> Any:
    """Somebody has made a table in the place of one of three."""
    tables = [table(name, id="int") for name in ("a", "b", "c")]
    here = Round(opened, "silver_one_fails", _SOURCE, *tables)
    namespace = f"{here.context.access.spark.catalog}.{here.name}"
    here.context.session.sql(f"CREATE NAMESPACE {namespace}")
    here.context.session.sql(f"CREATE TABLE {namespace}.b (id string)")
    for one in tables:
        here.log(one.name, ("c", 10, {"id": 1}))
    silver = here.silver()
    try:
        silver.catch_up()
    except WorkFailed as error:
        failed = str(error)
    else:
        failed = None
    return {"failed": failed, "events": silver.meter.reading(None).events, "c": here.rows("c", "id")}


def wider_key(opened: Any) -> Any:
    here = Round(opened, "silver_wider", _SOURCE, table("t", id="int"))
    here.log("public.t", ("c", 10, {"id": 1}), ("c", 11, {"id": 2}))
    here.silver().catch_up()
    here.log("public.t", ("d", 12, {"id": 1}))
    here.silver().catch_up()
    here.judge = _judge(table("t", id="bigint"))
    here.log("public.t", ("c", 13, {"id": 2**40}), ("d", 14, {"id": 2**40}))
    here.silver().catch_up()
    return {"rows": here.rows("t", "id"), "deleted": here.rows("t__deleted", "id")}


def another_type(opened: Any) -> Any:
    """In the source, before a start."""
    here = Round(opened, "silver_another_type", _SOURCE, table("t", id="int", v="int"))
    here.log("public.t", ("c", 10, {"id": 1, "v": 5}))
    here.silver().catch_up()
    here.judge = _judge(table("t", id="int", v="string"))
    said: list[str] = []
    keep_columns(here.judge.followed, here.client, replace(here.context, say=said.append))
    here.log("public.t", ("c", 11, {"id": 2, "v": "6"}), ("c", 12, {"id": 3, "v": "six"}))
    here.silver().catch_up()
    return {"rows": here.rows("t", "id, v"), "said": said}


def another_type_before_there_was_a_table(opened: Any) -> Any:
    """So only the log knows what its first changes were."""
    here = Round(opened, "silver_late_table", _SOURCE, table("t", id="int", v="string", w="int"))
    here.log("public.t", ("c", 10, {"id": 1, "v": "one", "w": 1}))
    here.judge = _judge(table("t", id="int", v="int", w="string"))
    keep_columns(here.judge.followed, here.client, here.context)
    here.log("public.t", ("c", 11, {"id": 2, "v": 2, "w": "two"}))
    here.silver().catch_up()
    return here.rows("t", "id, v, w")


def topics_of_another_debezium(opened: Any) -> Any:
    """Of which only events tell columns and keys; started twice."""
    here = Round(opened, "silver_topics", "{kind: kafka, topics: [other.public.t], format: debezium}")
    for changes in (
        [("r", 10, {"id": 1, "v": "a"}), ("r", 10, {"id": 2, "v": "b"})],
        [("u", 11, {"id": 1, "v": "c"}), ("d", 12, {"id": 2, "v": None})],
    ):
        here.judge = _judge_of(here)
        here.log("other.public.t", *changes)
        here.silver().catch_up()
    return here.rows("t", "id, v")


def a_key_that_comes_late(opened: Any) -> Any:
    """Of a topic of which only events tell the key, and the first has none; then another process begins, and nothing more comes."""
    here = Round(opened, "silver_late_key", "{kind: kafka, topics: [other.public.t], format: debezium}")
    here.judge = _judge_of(here)
    here.log("other.public.t", ("c", 9, {"id": 1, "v": "first"}), keyed=False)
    try:
        here.silver().catch_up()
    except WorkFailed as error:
        failed = str(error)
    else:
        failed = None
    here.log("other.public.t", ("c", 10, {"id": 1, "v": "a"}), ("c", 11, {"id": 2, "v": "b"}))
    here.judge = _judge_of(here)
    here.silver().catch_up()
    return {"failed": failed, "rows": here.rows("t", "id, v")}


def topics_with_odd_names_and_one_that_is_empty(opened: Any) -> Any:
    """Of the one nothing has come yet, so nobody knows its key."""
    topics = ["other.public.order-items", "prod.shop.public.orders", "other.public.empty"]
    here = Round(opened, "silver_odd", f"{{kind: kafka, topics: {json.dumps(topics)}, format: debezium}}")
    here.judge = _judge_of(here)
    for topic in topics[:2]:
        here.log(topic, ("c", 10, {"id": 1, "v": topic}))
    here.silver().catch_up()
    return [here.rows(f"`{name}`", "id, v") for name in ("order-items", "shop_public.orders")]


def a_key_called_last(opened: Any) -> Any:
    """As what is between has no name that a column may have."""
    here = Round(
        opened,
        "silver_last",
        _SOURCE,
        table("t", ("id", "last", "row", "lsn", "place"), id="int", last="int", row="int", lsn="int", place="int"),
    )
    row = {"id": 1, "last": 2, "row": 3, "lsn": 4, "place": 5}
    here.log("public.t", ("c", 10, row), ("u", 11, row))
    here.silver().catch_up()
    return here.rows("t", "id, last, row, lsn, place, _lsn")


def _judge_of(here: Round) -> ChangesJudge:
    """As a process that has just started."""
    judge = judge_of(here.context, here.client)
    assert isinstance(judge, ChangesJudge)
    return judge


def keys_of_all_kinds(opened: Any) -> Any:
    """Changed and deleted at both ends of what a round has, and once too late."""
    kinds = {
        "string": ["", "a", "b", "é\U0001f6a3"],
        "date": ["2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"],
    }
    found: dict[str, Any] = {}
    for number, (kind, (first, second, third, last)) in enumerate(kinds.items()):
        here = Round(opened, f"silver_keys_{number}", _SOURCE, table("t", id=kind, v="string"))
        here.log("public.t", *[("c", 10, {"id": one, "v": "old"}) for one in (first, second, third, last)])
        here.silver().catch_up()
        here.log("public.t", ("u", 20, {"id": first, "v": "new"}), ("d", 21, {"id": last, "v": None}))
        here.silver().catch_up()
        here.log("public.t", ("u", 15, {"id": last, "v": "late"}), ("u", 22, {"id": second, "v": "new"}))
        here.silver().catch_up()
        found[kind] = [[str(one), v] for one, v in here.rows("t", "id, v")]
    return found


def rows_that_were_there(opened: Any) -> Any:
    """A transaction that was under way when they were read: its changes stand before the place that Debezium tells for them."""
    known = replace(table("t", id="int", v="string"), rows_from=80)
    here = Round(opened, "silver_rows", _SOURCE, known)
    rows = [("r", 100, {"id": number, "v": "old"}) for number in (1, 2, 3)]
    here.log("public.t", *rows, ("u", 90, {"id": 1, "v": "new"}))
    here.silver().catch_up()
    here.log("public.t", ("d", 91, {"id": 2, "v": None}))
    here.silver().catch_up()
    return here.rows("t", "id, v")


def committed_later(opened: Any) -> Any:
    """Although written before: together, one after another, and over a table that has rows from before places were noted."""
    found: dict[str, Any] = {}
    for name, rounds_at in (("together", [6]), ("apart", range(1, 7))):
        here = Round(opened, f"silver_later_{name}", _SOURCE, table("t", id="int", v="string"))
        here.log("public.t", ("c", 10, {"id": 1, "v": "first"}), ("c", 11, {"id": 9, "v": "goes"}))
        here.silver().catch_up()
        here.log("public.t", ("d", 12, {"id": 9, "v": None}))
        here.silver().catch_up()
        for made in ("t", "t__deleted"):
            name_of = f"{here.context.access.spark.catalog}.{here.name}.{made}"
            here.context.session.sql(f"ALTER TABLE {name_of} DROP COLUMN _place")
        steps: list[tuple[tuple[str, int, dict[str, Any]], int]] = [
            (("u", 20, {"id": 1, "v": "second"}), 15),
            (("d", 30, {"id": 1, "v": None}), 15),
            # Waited for its key until the transaction of 30 had ended, at 40.
            (("c", 25, {"id": 1, "v": "third"}), 40),
            # In one transaction, which others overtook.
            (("c", 26, {"id": 2, "v": "comes"}), 40),
            (("d", 27, {"id": 2, "v": None}), 40),
            (("c", 28, {"id": 3, "v": "stays"}), 40),
        ]
        for number, (step, committed) in enumerate(steps, 1):
            here.log("public.t", step, committed=committed)
            if number in rounds_at:
                here.silver().catch_up()
        # Once more, too late.
        here.log("public.t", ("c", 26, {"id": 2, "v": "comes"}), committed=40)
        here.silver().catch_up()
        found[name] = here.rows("t", "id, v, _lsn, _place")
    return found


def emptied_in_a_transaction(opened: Any) -> Any:
    """Which others overtook, so all of it counts at one place."""
    here = Round(opened, "silver_refilled", _SOURCE, table("t", id="int"))
    here.log("public.t", ("c", 10, {"id": 1}))
    here.silver().catch_up()
    here.log("public.t", ("c", 20, {"id": 2}), ("t", 21, {}), ("c", 22, {"id": 3}), committed=40)
    here.silver().catch_up()
    here.log("public.t", ("c", 20, {"id": 2}), committed=40)
    here.silver().catch_up()
    return here.rows("t", "id")


def rolled_back(opened: Any) -> Any:
    """By somebody else, and then dropped, while it is followed."""
    here = Round(opened, "silver_rolled_back", _SOURCE, table("t", id="int"))
    silver, name = here.silver(), f"{here.context.access.spark.catalog}.{here.name}.t"
    here.log("public.t", ("c", 10, {"id": 1}))
    silver.catch_up()
    first = here.rows("t.snapshots", "snapshot_id")[0][0]
    here.log("public.t", ("c", 11, {"id": 2}))
    silver.catch_up()
    call = f"CALL {here.context.access.spark.catalog}.system.rollback_to_snapshot('{here.name}.t', {first})"
    here.context.session.sql(call)
    silver.catch_up()
    again = here.rows("t", "id")
    here.context.session.sql(f"DROP TABLE {name}")
    silver.catch_up()
    return {"rolled_back": again, "dropped": here.rows("t", "id")}


def far_away(opened: Any) -> Any:
    """A file in which no key of the round can be is not looked at: here it is not even there."""
    here = Round(opened, "silver_far", _SOURCE, table("t", id="bigint"))
    here.log("public.t", ("c", 10, {"id": 1}), ("c", 11, {"id": 2}))
    here.silver().catch_up()
    catalog, store = here.context.access.spark.catalog, here.context.access.object_store
    for row in here.context.session.sql(f"SELECT file_path FROM {catalog}.{here.name}.t.files").collect():
        opened_store, key = s3_object(row.file_path, store)
        obstore.delete(opened_store, key)
    here.log("public.t", ("c", 12, {"id": 1000}), ("c", 13, {"id": 1001}), ("d", 14, {"id": 1000}))
    here.silver().catch_up()
    return here.rows("t.files", "record_count")


def _judge(*tables: SourceTable) -> ChangesJudge:
    return ChangesJudge(Followed({one.name: one for one in tables}, dict[str, SourceTable]))


_SOURCE = "{kind: postgres, tables: [public.t]}"
_QUESTIONS: Sequence[Callable[[Any], Any]] = (
    killed_in_the_middle,
    one_fails,
    wider_key,
    another_type,
    another_type_before_there_was_a_table,
    topics_of_another_debezium,
    a_key_that_comes_late,
    topics_with_odd_names_and_one_that_is_empty,
    a_key_called_last,
    keys_of_all_kinds,
    rows_that_were_there,
    committed_later,
    emptied_in_a_transaction,
    rolled_back,
    far_away,
)


def main() -> None:
    with driver("silver") as opened:
        told = {ask.__name__: ask(opened) for ask in _QUESTIONS}
    sys.stdout.write(json.dumps(told))


main()
