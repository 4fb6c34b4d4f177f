"""Events that are no changes: JSON by a schema or as it comes, Avro, text and bytes, judged."""

import orjson
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream import values
from boathouse.pipelines.stream.avro import record_columns
from boathouse.pipelines.stream.conditions import all_of
from boathouse.pipelines.stream.spec import EventFormat, KafkaSource, StreamSpec
from boathouse.pipelines.types import ColumnType, Primitive

VARIANT = Primitive("variant")


def event_columns(spec: StreamSpec) -> dict[str, ColumnType]:
    """What an event is in its table, beside its origin."""
    source = spec.source
    if spec.columns is not None:
        return dict(spec.columns)
    match spec.format:
        case EventFormat.AVRO if isinstance(source, KafkaSource) and source.avro_schema is not None:
            return record_columns(source.avro_schema)
        case EventFormat.TEXT:
            return {"text": Primitive("string")}
        case EventFormat.BINARY:
            return {"content": Primitive("binary")}
        case _:
            return {"event": VARIANT}


def judged(events: DataFrame, spec: StreamSpec) -> DataFrame:
    """Of Kafka's messages: `row` with the event's columns, or `problem`."""
    row, problem = _parsed(events, spec)
    told = F.when(F.col("value").isNull(), "has no value").otherwise(problem)
    return row.select(
        "topic",
        "partition",
        "offset",
        F.col("timestamp").alias("kafka_at"),
        F.col("key").cast("string").alias("key"),
        F.col("value").alias("raw"),
        F.col("timestamp").alias("source_at"),
        "row",
        F.lit(None).cast("array<string>").alias("unknown"),
        told.alias("problem"),
    )


def _parsed(events: DataFrame, spec: StreamSpec) -> tuple[DataFrame, Column]:
    value, source = F.col("value"), spec.source
    match spec.format:
        case EventFormat.JSON if spec.columns is not None:
            return _json(events, dict(spec.columns))
        case EventFormat.AVRO if isinstance(source, KafkaSource):
            from pyspark.sql.avro.functions import from_avro

            schema = orjson.dumps(source.avro_schema).decode()
            read = events.withColumn("row", from_avro(value, schema, {"mode": "PERMISSIVE"}))
            # What it cannot read Spark gives as a row of nothing.
            nothing = [F.col("row")[name].isNull() for name in record_columns(source.avro_schema)]
            return read, F.when(all_of(nothing), "is not Avro of the schema")
        case EventFormat.TEXT if isinstance(source, KafkaSource):
            return _text(events, source.encoding)
        case EventFormat.BINARY:
            return events.withColumn("row", F.struct(value.alias("content"))), F.lit(None).cast("string")
        case _:
            read = events.withColumn("row", F.struct(F.try_parse_json(value.cast("string")).alias("event")))
            return read, F.when(F.col("row.event").isNull(), "is not JSON")


def _json(events: DataFrame, columns: dict[str, ColumnType]) -> tuple[DataFrame, Column]:
    text = F.col("value").cast("string")
    read = events.withColumn("texts", F.when(F.is_valid_utf8(text), F.from_json(text, "map<string,string>")))
    texts = F.col("texts")
    rows = read.withColumn("row", values.row(texts, columns))
    names = F.array(*(F.lit(name) for name in columns))
    missing, more = F.array_except(names, F.map_keys(texts)), values.unknown(texts, columns)
    reasons = [
        F.when(F.size(missing) > 0, F.concat(F.array_join(missing, ", "), F.lit(" is missing"))),
        F.when(F.size(more) > 0, F.concat(F.array_join(more, ", "), F.lit(" is not in the schema"))),
        *values.misfits(texts, F.col("row"), columns),
    ]
    return rows, F.when(texts.isNull(), "is not a JSON object").otherwise(values.together(reasons))


def _text(events: DataFrame, encoding: str) -> tuple[DataFrame, Column]:
    value = F.col("value")
    if encoding == "utf-8":
        row = F.struct(value.cast("string").alias("text"))
        return events.withColumn("row", row), F.when(~F.is_valid_utf8(F.col("row.text")), "is not UTF-8")
    row = F.struct(F.decode(value, encoding).alias("text"))
    return events.withColumn("row", row), F.lit(None).cast("string")
