"""Events that are no changes: JSON by a schema or as it comes, Avro, text and bytes, judged."""

import orjson
from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream import values
from boathouse.pipelines.stream.avro import record_columns
from boathouse.pipelines.stream.conditions import all_of
from boathouse.pipelines.stream.spec import EventFormat, KafkaSource, StreamSpec
from boathouse.pipelines.stream.steps import Step
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


def judging(spec: StreamSpec) -> list[Step]:
    """Of Kafka's messages: `row` with the event's columns, or `problem`."""
    steps, problem = _parsed(spec)
    told: Step = [
        "topic",
        "partition",
        "offset",
        F.col("timestamp").alias("kafka_at"),
        F.col("key").cast("string").alias("key"),
        F.col("value").alias("raw"),
        F.col("timestamp").alias("source_at"),
        "row",
        F.lit(None).cast("array<string>").alias("unknown"),
        F.when(F.col("value").isNull(), "has no value").otherwise(problem).alias("problem"),
    ]
    return [*steps, told]


def _parsed(spec: StreamSpec) -> tuple[list[Step], Column]:
    """How there is a `row`, and what is wrong with it."""
    value, source = F.col("value"), spec.source
    match spec.format:
        case EventFormat.JSON if spec.columns is not None:
            return _json(dict(spec.columns))
        case EventFormat.AVRO if isinstance(source, KafkaSource):
            from pyspark.sql.avro.functions import from_avro

            row = from_avro(value, orjson.dumps(source.avro_schema).decode(), {"mode": "PERMISSIVE"})
            # What it cannot read Spark gives as a row of nothing.
            nothing = [F.col("row")[name].isNull() for name in record_columns(source.avro_schema)]
            problem = F.when(all_of(nothing), "is not Avro of the schema")
        case EventFormat.TEXT if isinstance(source, KafkaSource):
            utf_8 = source.encoding == "utf-8"
            row = F.struct((value.cast("string") if utf_8 else F.decode(value, source.encoding)).alias("text"))
            problem = F.when(~F.is_valid_utf8(F.col("row.text")), "is not UTF-8") if utf_8 else _nothing()
        case EventFormat.BINARY:
            row, problem = F.struct(value.alias("content")), _nothing()
        case _:
            row = F.struct(F.try_parse_json(value.cast("string")).alias("event"))
            problem = F.when(F.col("row.event").isNull(), "is not JSON")
    return [["*", row.alias("row")]], problem


def _json(columns: dict[str, ColumnType]) -> tuple[list[Step], Column]:
    text = F.col("value").cast("string")
    as_map = F.when(F.is_valid_utf8(text), F.from_json(text, "map<string,string>"))
    steps, texts = values.with_texts("texts", as_map, [(F.lit(True), columns)])
    row = F.col("row")
    missing = F.array_except(values.names(columns), F.map_keys(texts.by_name))
    more = values.unknown(texts.by_name, columns)
    reasons = [
        F.when(F.size(missing) > 0, F.concat(F.array_join(missing, ", "), F.lit(" is missing"))),
        F.when(F.size(more) > 0, F.concat(F.array_join(more, ", "), F.lit(" is not in the schema"))),
        *values.misfits(texts.by_name, row, columns),
    ]
    problem = F.when(texts.by_name.isNull(), "is not a JSON object").otherwise(values.together(reasons))
    fits = values.fits(text, texts, row, columns, key=())
    return [*steps, ["*", values.row(texts, columns).alias("row")]], F.when(fits, None).otherwise(
        values.interpreted(problem)
    )


def _nothing() -> Column:
    return F.lit(None).cast("string")
