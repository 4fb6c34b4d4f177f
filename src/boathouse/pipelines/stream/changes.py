"""Changes as Debezium writes them, judged: what each did to which row, or why that cannot be told."""

from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream import plain, values
from boathouse.pipelines.stream.debezium import UNAVAILABLE_VALUE
from boathouse.pipelines.stream.documents import NOT_ALONE, is_alone, unreadable
from boathouse.pipelines.stream.plain.changes import EARLIEST, LAST_COMMIT, LATEST, TOMBSTONE, before_name, row_name
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.steps import Step
from boathouse.pipelines.types import ColumnType, Struct, quoted, spark_type

ENVELOPE = (
    "before map<string,string>, after map<string,string>, op string, ts_ms bigint, "
    "source struct<lsn:bigint,ts_ms:bigint,txId:bigint,sequence:string>, _corrupt string"
)
TEXTS = "texts"
"""The column with the values of an event as a map of texts."""
OPERATIONS = ("c", "u", "d", "r", "t", "m", TOMBSTONE)
ROW_OPERATIONS = ("c", "u", "d", "r")
_READ = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": "_corrupt"}
_PLAINLY = "plainly"
# Within what is interpreted, `key` would be the text that is told beside it.
_RAW_KEY = "raw_key"


def judging(tables: Mapping[str, SourceTable], *, quickly: bool = False) -> list[Step]:
    """Of Kafka's messages: `op`, `lsn`, `place`, `tx`, `source_at`, the row of each table (by topic) and what it was before, `unknown` names, `problem`.

    They have topic, partition, offset, timestamp, key and value as Kafka's source gives them. `quickly` has Arrow read
    what is plain: for many at a time, since a task that asks Python takes longer than a few thousand changes.
    """
    by_arrow = _Quickly(_able(tables) if quickly else {})
    envelope = F.when(~by_arrow.is_plain, F.from_json(F.col("value").cast("string"), ENVELOPE, _READ))
    op = F.when(F.col("value").isNull(), F.lit(TOMBSTONE)).otherwise(by_arrow.or_else("op", F.col("e.op")))
    texts = F.when(F.col("e.op") == "d", F.coalesce("e.before", _key())).otherwise(F.col("e.after"))
    by_topic = [(F.col("topic") == topic, table.columns) for topic, table in tables.items()]
    by_now, now = values.with_texts(TEXTS, texts, by_topic)
    by_before, before = values.with_texts("before", F.col("e.before"), by_topic)
    found: Step = [
        "*",
        F.col("key").alias(_RAW_KEY),
        *(
            by_arrow.row(topic, row_name, F.when(_is_row(topic, *ROW_OPERATIONS), _row(now, table)))
            .alias(row_name(place))
            for place, (topic, table) in enumerate(tables.items())
        ),
        *(
            by_arrow.row(topic, before_name, F.when(_was_row(topic), values.row(before, table.columns)))
            .alias(before_name(place))
            for place, (topic, table) in enumerate(tables.items())
        ),
    ]  # fmt: skip
    source_ms = by_arrow.or_else("source_ms", F.col("e.source.ts_ms"))
    lsn = by_arrow.or_else("lsn", _read_at(F.col("e.source.lsn"), tables))
    fits = ~_has_odd_key() & (by_arrow.is_plain | _fits(tables, now))
    told: Step = [
        "topic",
        "partition",
        "offset",
        F.col("timestamp").alias("kafka_at"),
        values.key_text().alias("key"),
        _RAW_KEY,
        F.col("value").alias("raw"),
        "op",
        lsn.alias("lsn"),
        by_arrow.or_else("place", _place(lsn)).alias("place"),
        by_arrow.or_else("tx", F.col("e.source.txId")).alias("tx"),
        # Out of it, Spark would end the batch.
        F.timestamp_millis(F.when(_is_moment(source_ms), source_ms)).alias("source_at"),
        TEXTS,
        *(row_name(place) for place in range(len(tables))),
        *(before_name(place) for place in range(len(tables))),
        F.when(~by_arrow.is_plain & ~now.in_order, values.interpreted(_unknown(tables))).alias("unknown"),
        F.when(fits, None).otherwise(values.interpreted(_problem(tables))).alias("problem"),
    ]
    return [*by_arrow.steps, ["*", envelope.alias("e")], ["*", op.alias("op")], *by_now, *by_before, found, told]


def _able(tables: Mapping[str, SourceTable]) -> dict[str, SourceTable]:
    return {topic: table for topic, table in tables.items() if table.columns and plain.is_able(table.columns)}


class _Quickly:
    """What Arrow reads of the changes of some tables."""

    def __init__(self, tables: Mapping[str, SourceTable]) -> None:
        self._places = {topic: place for place, topic in enumerate(tables)}
        self.steps: list[Step] = []
        self.is_plain = F.lit(False)
        if tables:
            self.steps = [["*", _read(tables)(F.col("topic"), values.short(F.col("value"))).alias(_PLAINLY)]]
            self.is_plain = F.col(_PLAINLY)[plain.PLAIN]

    def or_else(self, name: str, otherwise: Column) -> Column:
        return F.when(self.is_plain, F.col(_PLAINLY)[name]).otherwise(otherwise) if self.steps else otherwise

    def row(self, topic: str, name: Callable[[int], str], otherwise: Column) -> Column:
        return self.or_else(name(self._places[topic]), otherwise) if topic in self._places else otherwise


def _read(tables: Mapping[str, SourceTable]) -> Callable[[Column, Column], Column]:
    rows: dict[str, ColumnType] = {}
    for place, table in enumerate(tables.values()):
        rows[row_name(place)] = rows[before_name(place)] = Struct(tuple(table.columns.items()))
    kinds = ", ".join(f"{quoted(name)} {spark_type(kind)}" for name, kind in rows.items())

    # Spark takes from the types how it is to be called.
    def read(topics: pa.Array, messages: pa.Array) -> pa.Array:  # pyright: ignore[reportUnknownParameterType]
        return plain.PlainChanges(tables, never=UNAVAILABLE_VALUE).read(topics, messages)

    made: Any = F.arrow_udf
    return made(
        read, f"{plain.PLAIN} boolean, op string, lsn bigint, place bigint, tx bigint, source_ms bigint, {kinds}"
    )


def _is_row(topic: str, *operations: str) -> Column:
    return (F.col("topic") == topic) & F.col("op").isin(*operations)


def _row(texts: values.Texts, table: SourceTable) -> Column:
    return values.row(texts, table.columns, as_written=True)


def _was_row(topic: str) -> Column:
    return _is_row(topic, "u", "d") & F.col("e.before").isNotNull()


def _fits(tables: Mapping[str, SourceTable], texts: values.Texts) -> Column:
    """Whether nothing is wrong with it: quickly asked, and true of nearly all."""
    value = F.col("value").cast("string")
    rows = [
        (F.col("topic") == topic, values.fits(value, texts, F.col(row_name(place)), table.columns, table.key))
        for place, (topic, table) in enumerate(tables.items())
    ]
    read = F.is_valid_utf8(value) & F.col("e._corrupt").isNull() & (F.col("e.source.lsn") >= 0)
    made_at = F.coalesce(_is_moment(F.col("e.source.ts_ms")), F.lit(True))
    return read & made_at & F.col("op").isin(*ROW_OPERATIONS) & values.cases(rows) & is_alone(value)


def _is_moment(milliseconds: Column) -> Column:
    return milliseconds.between(EARLIEST, LATEST)


def _read_at(lsn: Column, tables: Mapping[str, SourceTable]) -> Column:
    """Where in the log a change is: rows that were there, where they were read at the earliest."""
    for topic, table in tables.items():
        if table.rows_from is not None:
            lsn = F.when(_is_row(topic, "r"), F.least(lsn, F.lit(table.rows_from))).otherwise(lsn)
    return lsn


def _place(lsn: Column) -> Column:
    """Where it counts as made: not before what was committed before it. See `plain`, which tells the same."""
    told = F.regexp_extract("e.source.sequence", LAST_COMMIT, 1).try_cast("bigint")
    return F.when(F.col("op") == "r", lsn).otherwise(F.greatest(lsn, told))


def _has_odd_key() -> Column:
    """Debezium's are JSON. What is no text nobody could find again by it."""
    return F.coalesce(~F.is_valid_utf8(F.col(_RAW_KEY).cast("string")), F.lit(False))


def _key() -> Column:
    return F.from_json(F.col("key").cast("string"), "map<string,string>")


def _problem(tables: Mapping[str, SourceTable]) -> Column:
    """The first that keeps it from being read; of a row that can be read, all of them."""
    value = F.col("value")
    known = F.when(value.isNull(), None).when(~F.is_valid_utf8(value.cast("string")), "is not UTF-8")
    known = known.when(_has_odd_key(), "key is not UTF-8")
    unread = F.col("e").isNull() | F.col("e._corrupt").isNotNull()
    known = known.when(unread, unreadable(value, "is not a change as Debezium writes it"))
    known = known.when(~is_alone(value.cast("string")), NOT_ALONE)
    known = known.when(F.col("op").isNull(), "op is missing")
    known = known.when(~F.col("op").isin(*OPERATIONS), F.concat(F.lit("op is not one of c, u, d, r, t, m: "), "op"))
    known = known.when(F.col("op") == "m", None)
    known = known.when(F.col("e.source.lsn").isNull(), "source.lsn is missing")
    known = known.when(F.col("e.source.lsn") < 0, "source.lsn is negative")
    known = known.when(~_is_moment(F.col("e.source.ts_ms")), "source.ts_ms is out of range")
    known = known.when(F.col("op") == "t", None)
    known = known.when(
        F.col(TEXTS).isNull(), F.when(F.col("op") == "d", "before is missing").otherwise("after is missing")
    )
    for place, (topic, table) in enumerate(tables.items()):
        known = known.when(F.col("topic") == topic, _of_row(place, table))
    return known


def _of_row(place: int, table: SourceTable) -> Column:
    texts, found = F.col(TEXTS), F.col(row_name(place))
    keys = values.absent(texts, table.key, ", and it is of the key")
    key_columns = {name: table.columns[name] for name in table.key}
    of_key = [*keys, *values.misfits(texts, found, key_columns)]
    others = {name: kind for name, kind in table.columns.items() if name not in key_columns}
    unsent = f"was not sent: Postgres logs it only after ALTER TABLE {table.name} REPLICA IDENTITY FULL"
    # Of a deleted row the key is enough, and often all that was logged.
    return F.when(F.col("op") == "d", values.together(of_key)).otherwise(
        values.together([*of_key, *values.misfits(texts, found, others, unsent=unsent)])
    )


def _unknown(tables: Mapping[str, SourceTable]) -> Column:
    """In a new column of a source table, say."""
    found = [(F.col("topic") == topic, values.unknown(F.col(TEXTS), each.columns)) for topic, each in tables.items()]
    return F.when(F.col("op").isin("c", "u", "r"), values.cases(found))
