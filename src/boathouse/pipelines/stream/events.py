"""Events that are no changes: JSON by a schema or as it comes, Avro, text and bytes, judged."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import orjson
import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.ingest.encodings import is_not_of
from boathouse.pipelines.stream import plain, values
from boathouse.pipelines.stream.avro import END, MARK, WITHIN, within_a_record
from boathouse.pipelines.stream.conditions import any_of
from boathouse.pipelines.stream.debezium import UNAVAILABLE_VALUE
from boathouse.pipelines.stream.documents import NOT_ALONE, is_alone, unreadable
from boathouse.pipelines.stream.spec import EventFormat, KafkaSource, StreamSpec
from boathouse.pipelines.stream.steps import Step
from boathouse.pipelines.types import ColumnType, Primitive, quoted, spark_type

_OF_THE_KEY = ", and it is of the key"
_PLAINLY, _EXACT, _READ = "plainly", "exact", "read"
_NO_AVRO = "is not Avro of the schema"
# A zero and four bytes of the schema's number.
_BEFORE_A_REGISTRYS = 5
# As Avro is told where Spark is started.
_MOST_ITEMS = 10_000_000


def judging(spec: StreamSpec) -> list[Step]:
    """Of Kafka's messages: `row` with the event's columns, or `problem`."""
    steps, problem = _parsed(spec)
    told: Step = [
        "topic",
        "partition",
        "offset",
        F.col("timestamp").alias("kafka_at"),
        values.key_text().alias("key"),
        F.col("key").alias("raw_key"),
        F.col("value").alias("raw"),
        F.col("timestamp").alias("source_at"),
        "row",
        F.lit(None).cast("array<string>").alias("unknown"),
        F.when(F.col("value").isNull(), "has no value").otherwise(F.coalesce(problem, _keyless(spec))).alias("problem"),
    ]
    return [*steps, told]


def _keyless(spec: StreamSpec) -> Column:
    """What its key lacks: ClickHouse has no nulls there, and would take it for another event."""
    of_event = spec.event_columns
    given = {name: F.col("row")[name] for name in spec.keys if name in of_event}
    # Of where it came from, a message always tells all but that.
    given |= {name: F.col(name) for name in spec.keys if name == plain.MESSAGE_KEY}
    if not given:
        return _nothing()
    reasons = [F.when(value.isNull(), f"{name} is missing{_OF_THE_KEY}") for name, value in given.items()]
    lacks = any_of([value.isNull() for value in given.values()])
    return F.when(lacks, values.interpreted(values.together(reasons)))


def _parsed(spec: StreamSpec) -> tuple[list[Step], Column]:
    """How there is a `row`, and what is wrong with it."""
    value, source = F.col("value"), spec.source
    match spec.format:
        case EventFormat.JSON if spec.columns is not None:
            return _json(dict(spec.columns), spec.keys)
        case EventFormat.AVRO if isinstance(source, KafkaSource):
            return _avro(source.avro_schema)
        case EventFormat.TEXT if isinstance(source, KafkaSource):
            utf_8 = source.encoding == "utf-8"
            row = F.struct((value.cast("string") if utf_8 else F.decode(value, source.encoding)).alias("text"))
            problem = F.when(is_not_of(F.col("row.text"), source.encoding), f"is not {source.encoding.upper()}")
        case EventFormat.BINARY:
            row, problem = F.struct(value.alias("content")), _nothing()
        case _:
            text = value.cast("string")
            # It would put marks where bytes are no text, and call the rest JSON.
            row = F.struct(F.when(F.is_valid_utf8(text), F.try_parse_json(text)).alias("event"))
            problem = F.when(~F.is_valid_utf8(text), "is not UTF-8").when(
                F.col("row.event").isNull(), unreadable(value, "is not JSON")
            )
            problem = problem.when(~is_alone(text), NOT_ALONE)
    return [["*", row.alias("row")]], problem


def _avro(schema: Any) -> tuple[list[Step], Column]:
    from pyspark.sql.avro.functions import from_avro

    # What it cannot read Spark gives as a record of nulls. Within another that is null, and a record of nulls is not.
    within, value = orjson.dumps(within_a_record(schema)).decode(), F.col("value")
    read = from_avro(F.concat(value, F.lit(MARK)), within, {"mode": "PERMISSIVE"})
    row = F.when(F.col(_READ)[END] == F.lit(MARK), F.col(_READ)[WITHIN])
    framed = (F.substring(value, 1, 1) == F.lit(b"\0")) & (F.octet_length(value) > _BEFORE_A_REGISTRYS)
    registrys = f"{_NO_AVRO}. It may be a schema registry's, which has the schema's number before it"
    too_long = f"{_NO_AVRO}, or has a list of more than {_MOST_ITEMS // 10**6} million items"
    # No item that is anything is shorter than a byte.
    why = F.when(framed, registrys).when(F.octet_length(value) > _MOST_ITEMS, too_long).otherwise(_NO_AVRO)
    return [["*", read.alias(_READ)], ["*", row.alias("row")]], F.when(F.col("row").isNull(), why)


def _json(columns: dict[str, ColumnType], keys: Collection[str]) -> tuple[list[Step], Column]:
    """By Arrow where it is plain, and by Spark where it is not."""
    text = F.col("value").cast("string")
    quickly: list[Step] = []
    is_plain = F.lit(False)
    if plain.is_able(columns):
        quickly = [["*", _plainly(columns, keys)(values.short(F.col("value"))).alias(_PLAINLY)]]
        is_plain = F.col(_PLAINLY)[plain.PLAIN]
    as_map = F.when(~is_plain & F.is_valid_utf8(text), F.from_json(text, "map<string,string>"))
    steps, texts = values.with_texts("texts", as_map, [(F.lit(True), columns)])
    if inexact := values.inexact(columns):
        steps.append(["*", F.when(texts.by_name.isNotNull(), F.try_parse_json(text)).alias(_EXACT)])
    row = values.row(texts, columns, F.col(_EXACT) if inexact else None)
    if quickly:
        row = F.when(is_plain, F.struct(*(F.col(_PLAINLY)[name].alias(name) for name in columns))).otherwise(row)
    of_key = [name for name in columns if name in keys]
    fits = is_plain | (values.fits(text, texts, F.col("row"), columns, of_key) & is_alone(text))
    problem = F.when(fits, None).otherwise(values.interpreted(_wrong(text, texts, columns, of_key)))
    return [*quickly, *steps, ["*", row.alias("row")]], problem


def _plainly(columns: dict[str, ColumnType], keys: Collection[str]) -> Callable[[Column], Column]:
    kinds = {plain.PLAIN: Primitive("boolean"), **columns}
    fields = ", ".join(f"{quoted(name)} {spark_type(kind)}" for name, kind in kinds.items())

    # Spark takes from the types how it is to be called.
    def read(messages: pa.Array) -> pa.Array:  # pyright: ignore[reportUnknownParameterType]
        return plain.PlainEvents(columns, UNAVAILABLE_VALUE, frozenset(keys)).read(messages)

    made: Any = F.arrow_udf
    return made(read, fields)


def _wrong(text: Column, texts: values.Texts, columns: dict[str, ColumnType], keys: Sequence[str]) -> Column:
    others = [name for name in columns if name not in keys]
    missing = F.array_except(values.names(others), F.map_keys(texts.by_name))
    more = values.unknown(texts.by_name, columns)
    reasons = [
        *values.absent(texts.by_name, keys, _OF_THE_KEY),
        F.when(F.size(missing) > 0, F.concat(F.array_join(missing, ", "), F.lit(" is missing"))),
        F.when(F.size(more) > 0, F.concat(F.array_join(more, ", "), F.lit(" is not in the schema"))),
        *values.misfits(texts.by_name, F.col("row"), columns),
    ]
    unread = F.when(texts.by_name.isNull(), unreadable(text, "is not a JSON object"))
    return unread.when(~is_alone(text), NOT_ALONE).otherwise(values.together(reasons))


def _nothing() -> Column:
    return F.lit(None).cast("string")
