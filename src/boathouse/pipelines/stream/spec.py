"""A streaming pipeline's spec: what it follows, and the hops by which that reaches the lake and ClickHouse."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from boathouse.kit.catalog_client import TableName
from boathouse.kit.deadletters.mending import Form
from boathouse.kit.relations import HIDDEN
from boathouse.pipelines.spec import Columns, Encoding, Nonempty, OneOrMore, Part, PipelineName, Table, word
from boathouse.pipelines.stream import targets
from boathouse.pipelines.stream.avro import record_columns
from boathouse.pipelines.stream.own_columns import OF_EVENTS, ORIGIN
from boathouse.pipelines.stream.targets import Target
from boathouse.pipelines.types import ColumnType, Primitive

_SOURCE_TABLE = re.compile(r"[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*")
_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,200}")
_IDENTIFIER = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
# A column that every rollup has.
_ROWS = "rows"
VARIANT = Primitive("variant")


class EventFormat(StrEnum):
    DEBEZIUM = "debezium"
    JSON = "json"
    AVRO = "avro"
    TEXT = "text"
    BINARY = "binary"


def _source_table(value: str) -> str:
    if not _SOURCE_TABLE.fullmatch(value):
        raise ValueError(f"{value!r} is not schema.table, in lower-case letters, digits and _")
    return value


def _topic(value: str) -> str:
    if not _TOPIC.fullmatch(value):
        raise ValueError(f"{value!r} is not a topic: letters, digits, '.', '_' and '-'")
    return value


def _identifier(value: str) -> str:
    if not _IDENTIFIER.fullmatch(value):
        raise ValueError(f"{value!r} is not a name: lower-case letters, digits and _, not beginning with a digit")
    return value


def _namespace(value: str) -> str:
    if value == HIDDEN:
        raise ValueError(f"{value!r} is where pipelines keep what is not ready yet: name another")
    return value


def _each_once(names: list[str]) -> list[str]:
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{', '.join(twice)} must be named once")
    return names


def _seconds(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError("must be a time, such as 500ms, 10s or 5m")
    return float(found[1]) * _SECONDS[found[2]]


SourceTable = Annotated[str, AfterValidator(_source_table)]
Topic = Annotated[str, AfterValidator(_topic)]
Identifier = Annotated[str, AfterValidator(_identifier)]
Namespace = Annotated[Identifier, AfterValidator(_namespace)]
Seconds = Annotated[float, BeforeValidator(_seconds)]


class PostgresSource(Part):
    kind: Literal["postgres"] = Field(description="postgres: the changes of tables. kafka: the events of topics.")
    tables: Annotated[list[SourceTable], Field(min_length=1), AfterValidator(_each_once)] = Field(
        description="As schema.table."
    )
    prefix: Topic | None = Field(default=None, description="Topics are prefix.schema.table; the pipeline's name.")
    partitions: int = Field(default=2, ge=1, le=256, description="Of each topic, when it is made.")


class KafkaSource(Part):
    kind: Literal["kafka"] = Field(description="postgres: the changes of tables. kafka: the events of topics.")
    topics: Annotated[list[Topic], Field(min_length=1), AfterValidator(_each_once)] = Field(
        description="They must be there."
    )
    format: Annotated[EventFormat, word(EventFormat)] = Field(description="debezium, json, avro, text or binary.")
    encoding: Encoding = Field(default="utf-8", description="Of text.")
    avro_schema: dict[str, Any] | None = Field(default=None, description="With avro: the schema events are written in.")
    start: Literal["earliest", "latest"] = Field(default="earliest", description="Where a new pipeline begins.")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.format is EventFormat.AVRO) != (self.avro_schema is not None):
            raise ValueError("avro_schema goes with the format avro, and must be given with it")
        return self


class Bronze(Part):
    table: Table = Field(description="Where every event is added with its origin: namespace.table.")
    every: Seconds = Field(default=10.0, ge=0.1, description="How often what has come is committed.")


class Silver(Part):
    namespace: Namespace = Field(description="Where each source table is kept as it stands.")
    every: Seconds = Field(default=30.0, ge=0.1, description="How often the changes are merged.")


class Rollup(Part):
    name: Identifier = Field(description="Of the table in ClickHouse.")
    table: SourceTable | None = Field(default=None, description="The source table, as schema.table; not of events.")
    by: dict[Identifier, Nonempty] = Field(min_length=1, description="column: ClickHouse expression over the row.")
    sums: dict[Identifier, Nonempty] = Field(
        default_factory=dict, description="column: ClickHouse expression that is summed; `rows` is counted anyway."
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for name in self.by:
            if name in self.sums or name == _ROWS:
                raise ValueError(
                    f"{name!r} would be two columns of the rollup {self.name!r}: name one of them otherwise"
                )
        if _ROWS in self.sums:
            raise ValueError(f"{_ROWS!r} is counted anyway: name that sum of the rollup {self.name!r} otherwise")
        return self


class Speed(Part):
    database: Identifier = Field(description="In ClickHouse.")
    every: Seconds = Field(default=0.5, ge=0.05, description="How often what has come is inserted.")
    rollups: list[Rollup] = Field(default_factory=list, description="Sums that are kept up with every change.")


class Limits(Part):
    events_per_second: int | None = Field(default=None, ge=1, description="At most so many; as many as it can.")
    events_per_batch: int | None = Field(
        default=None,
        ge=1,
        description="At most so many at once, whatever waits; 100,000 to ClickHouse, 2,000,000 to the log.",
    )


class Aims(Part):
    """What is promised to whoever uses the data: reports tell actual against target, and alerts what breaks it."""

    events_per_second: int | None = Field(default=None, ge=1, description="What it should manage.")
    freshness: Seconds | None = Field(default=None, gt=0, description="An alert if a hop is further behind in time.")
    lag: int | None = Field(default=None, ge=1, description="An alert if a hop is more events behind.")


class StreamSpec(Part):
    pipeline: PipelineName = Field(description="The pipeline's name.")
    description: str = Field(default="", description="What it is for.")
    source: PostgresSource | KafkaSource = Field(discriminator="kind", description="What is followed.")
    columns: Columns | None = Field(
        default=None, alias="schema", description="With json: column: type; else a variant."
    )
    keys: OneOrMore = Field(default_factory=list, description="Of events in ClickHouse: what tells two apart.")
    bronze: Bronze = Field(description="Every event, as it came.")
    silver: Silver | None = Field(default=None, description="The tables as they stand; of changes alone.")
    speed: Speed | None = Field(default=None, description="The same in ClickHouse, within seconds.")
    limits: Limits = Field(default_factory=Limits, description="What it may take.")
    aims: Aims = Field(default_factory=Aims, description="What it should reach.")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.columns is not None and self.format is not EventFormat.JSON:
            raise ValueError(f"schema goes with json; {self.format} brings its own")
        self._judge_columns()
        self._judge_keys()
        if self.silver is not None and self.format is not EventFormat.DEBEZIUM:
            raise ValueError("silver is made of changes (postgres, or the format debezium), not of other events")
        for rollup in self.speed.rollups if self.speed else ():
            self._judge_rollup(rollup)
        if self.deadletters_topic in self.topics:
            raise ValueError(f"{self.deadletters_topic!r} is where rejected events are told of, and cannot be followed")
        targets.refuse_shared(self._in_lake(), "in the lake")
        targets.refuse_shared(self._in_clickhouse(), "in ClickHouse")
        return self

    def _judge_columns(self) -> None:
        fields = (self.source.avro_schema or {}).get("fields", []) if isinstance(self.source, KafkaSource) else []
        for name in (*(self.columns or {}), *(str(one.get("name", "")) for one in fields)):
            if name.lower() in OF_EVENTS:
                raise ValueError(f"the column {name!r} has a name that is kept for where an event came from")

    def _judge_keys(self) -> None:
        if self.keys and self.format is EventFormat.DEBEZIUM:
            raise ValueError("keys are of events that are no changes: those of a change are its table's")
        known = [*ORIGIN, *self.event_columns] if self.keys else []
        for name in self.keys:
            if name not in known:
                raise ValueError(f"keys names the column {name!r}, which an event does not have ({', '.join(known)})")

    def _judge_rollup(self, rollup: Rollup) -> None:
        if self.format is not EventFormat.DEBEZIUM:
            if rollup.table is not None:
                raise ValueError(f"the rollup {rollup.name!r} is of events, which are in one table: leave `table` out")
        elif rollup.table is None:
            raise ValueError(f"the rollup {rollup.name!r} does not say of which table it is: add `table`")
        elif rollup.table not in self.source_tables:
            raise ValueError(f"the rollup {rollup.name!r} is of {rollup.table!r}, which is not followed")

    def _in_lake(self) -> Iterator[Target]:
        yield from targets.of_log(self.bronze.table)
        if self.silver is not None:
            yield from targets.of_lake(self.silver.namespace, self.source_tables)

    def _in_clickhouse(self) -> Iterator[Target]:
        if self.speed is None:
            return
        yield from targets.of_notes()
        summed = {rollup.table for rollup in self.speed.rollups}
        for table in self.source_tables:
            what = f"the table {table}" if self.format is EventFormat.DEBEZIUM else "the events"
            yield from targets.of_rows(table, what, summed=not summed.isdisjoint((table, None)))
        for rollup in self.speed.rollups:
            yield from targets.of_rollup(rollup.name)

    @property
    def rows_table(self) -> TableName:
        """Beside which its rejects are kept."""
        return self.bronze.table

    @property
    def format(self) -> EventFormat:
        return self.source.format if isinstance(self.source, KafkaSource) else EventFormat.DEBEZIUM

    @property
    def form(self) -> Form:
        """How its events are written, for whoever mends one."""
        return Form.of(self.format.value, self.source.encoding if isinstance(self.source, KafkaSource) else None)

    @property
    def slug(self) -> str:
        """The name as topics, slots and directories take it."""
        return re.sub(r"[^a-z0-9]+", "_", self.pipeline.lower()).strip("_")

    @property
    def prefix(self) -> str:
        return (self.source.prefix if isinstance(self.source, PostgresSource) else None) or self.slug

    @property
    def deadletters_topic(self) -> str:
        """Where rejected events are told of, beside the table that keeps them."""
        return f"{self.slug}.deadletters"

    @property
    def topics(self) -> list[str]:
        if isinstance(self.source, KafkaSource):
            return list(self.source.topics)
        return [f"{self.prefix}.{table}" for table in self.source.tables]

    @property
    def source_tables(self) -> list[str]:
        """Whose rows are kept, in the order of the topics. Of events that are no changes there is one, called as their log is."""
        if isinstance(self.source, PostgresSource):
            return list(self.source.tables)
        if self.format is EventFormat.DEBEZIUM:
            return [topic.split(".", 1)[-1] for topic in self.source.topics]
        return [f"public.{self.bronze.table.name}"]

    @property
    def event_columns(self) -> dict[str, ColumnType]:
        """What an event that is no change is in its table, beside its origin."""
        if self.columns is not None:
            return dict(self.columns)
        match self.format:
            case EventFormat.AVRO if isinstance(self.source, KafkaSource):
                return record_columns(self.source.avro_schema)
            case EventFormat.TEXT:
                return {"text": Primitive("string")}
            case EventFormat.BINARY:
                return {"content": Primitive("binary")}
            case _:
                return {"event": VARIANT}
