"""Changes as Debezium writes them, judged: what each did to which row, or why that cannot be told."""

from collections.abc import Mapping

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream import values
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.steps import Step

ENVELOPE = (
    "before map<string,string>, after map<string,string>, op string, ts_ms bigint, "
    "source struct<lsn:bigint,ts_ms:bigint,txId:bigint>, _corrupt string"
)
TOMBSTONE = "tombstone"
TEXTS = "texts"
"""The column with the values of an event as a map of texts."""
OPERATIONS = ("c", "u", "d", "r", "t", "m", TOMBSTONE)
ROW_OPERATIONS = ("c", "u", "d", "r")
_READ = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": "_corrupt"}


def row_name(place: int) -> str:
    """The column with the rows of one table: a struct, null in events of others."""
    return f"row_{place}"


def before_name(place: int) -> str:
    """The same, as they were before."""
    return f"before_{place}"


def judging(tables: Mapping[str, SourceTable]) -> list[Step]:
    """Of Kafka's messages: `op`, `lsn`, `tx`, `source_at`, the row of each table (by topic) and what it was before, `unknown` names, `problem`.

    They have topic, partition, offset, timestamp, key and value as Kafka's source gives them.
    """
    read: Step = ["*", F.from_json(F.col("value").cast("string"), ENVELOPE, _READ).alias("e")]
    op = F.when(F.col("value").isNull(), F.lit(TOMBSTONE)).otherwise(F.col("e.op"))
    texts = F.when(F.col("e.op") == "d", F.coalesce("e.before", _key())).otherwise(F.col("e.after"))
    by_topic = [(F.col("topic") == topic, table.columns) for topic, table in tables.items()]
    by_now, now = values.with_texts(TEXTS, texts, by_topic)
    by_before, before = values.with_texts("before", F.col("e.before"), by_topic)
    rows = [
        F.when((F.col("topic") == topic) & F.col("op").isin(*ROW_OPERATIONS), values.row(now, table.columns))
        for topic, table in tables.items()
    ]
    befores = [
        F.when((F.col("topic") == topic) & F.col("op").isin("u", "d"), values.row(before, table.columns))
        for topic, table in tables.items()
    ]
    with_rows: Step = [
        "*",
        *(each.alias(row_name(place)) for place, each in enumerate(rows)),
        *(each.alias(before_name(place)) for place, each in enumerate(befores)),
    ]
    told: Step = [
        "topic",
        "partition",
        "offset",
        F.col("timestamp").alias("kafka_at"),
        F.col("key").cast("string").alias("key"),
        F.col("value").alias("raw"),
        "op",
        F.col("e.source.lsn").alias("lsn"),
        F.col("e.source.txId").alias("tx"),
        F.timestamp_millis(F.col("e.source.ts_ms")).alias("source_at"),
        TEXTS,
        *(row_name(place) for place in range(len(rows))),
        *(before_name(place) for place in range(len(rows))),
        F.when(~now.in_order, values.interpreted(_unknown(tables))).alias("unknown"),
        F.when(_fits(tables, now), None).otherwise(values.interpreted(_problem(tables))).alias("problem"),
    ]
    return [read, ["*", op.alias("op")], *by_now, *by_before, with_rows, told]


def _fits(tables: Mapping[str, SourceTable], texts: values.Texts) -> Column:
    """Whether nothing is wrong with it: quickly asked, and true of nearly all."""
    value = F.col("value").cast("string")
    rows = [
        (F.col("topic") == topic, values.fits(value, texts, F.col(row_name(place)), table.columns, table.key))
        for place, (topic, table) in enumerate(tables.items())
    ]
    read = F.is_valid_utf8(value) & F.col("e._corrupt").isNull() & F.col("e.source.lsn").isNotNull()
    return read & F.col("op").isin(*ROW_OPERATIONS) & values.cases(rows)


def _key() -> Column:
    return F.from_json(F.col("key").cast("string"), "map<string,string>")


def _problem(tables: Mapping[str, SourceTable]) -> Column:
    """The first that keeps it from being read; of a row that can be read, all of them."""
    value = F.col("value")
    known = F.when(value.isNull(), None).when(~F.is_valid_utf8(value.cast("string")), "is not UTF-8")
    known = known.when(F.col("e").isNull() | F.col("e._corrupt").isNotNull(), "is not a change as Debezium writes it")
    known = known.when(F.col("op").isNull(), "op is missing")
    known = known.when(~F.col("op").isin(*OPERATIONS), F.concat(F.lit("op is not one of c, u, d, r, t, m: "), "op"))
    known = known.when(F.col("op") == "m", None)
    known = known.when(F.col("e.source.lsn").isNull(), "source.lsn is missing")
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
    # Of a deleted row the key is enough, and often all that was logged.
    return F.when(F.col("op") == "d", values.together(of_key)).otherwise(
        values.together([*of_key, *values.misfits(texts, found, others)])
    )


def _unknown(tables: Mapping[str, SourceTable]) -> Column:
    """In a new column of a source table, say."""
    found = [(F.col("topic") == topic, values.unknown(F.col(TEXTS), each.columns)) for topic, each in tables.items()]
    return F.when(F.col("op").isin("c", "u", "r"), values.cases(found))
