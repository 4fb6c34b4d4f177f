"""A streaming pipeline from its start to its end: what it follows is made ready, its hops are begun, watched and stopped."""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from boathouse.kit.access import of_stream
from boathouse.kit.catalog_client import CatalogClient
from boathouse.kit.errors import BoathouseError, InvalidInput
from boathouse.pipelines.ingest.staging import Staging, current_schema
from boathouse.pipelines.stream import bronze, offsets, postgres, silver, speed, status
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.debezium import Connectors, connector_config
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.hops import Hop, QueryHop, RoundsHop
from boathouse.pipelines.stream.judging import ChangesJudge, EventsJudge, Judge
from boathouse.pipelines.stream.meter import Meter, hop_json
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import PostgresSource
from boathouse.pipelines.stream.topics import Topics
from boathouse.pipelines.types import from_iceberg

Tell = Callable[[dict[str, Any]], None]
_STOP_SECONDS = 25.0
_LOOK_EVERY = 1.0
# Connect is asked how its connector is; more often tells no more.
_CONNECTOR_EVERY = 5.0


class Stream:
    """`tell` is given the status once a second."""

    def __init__(self, context: StreamContext, tell: Tell) -> None:
        self._context = context
        self._tell = tell
        self._spec = context.spec
        self._topics = Topics(context.kafka, self._spec.topics)
        self._client = CatalogClient(context.access.catalog)
        self._stopping = threading.Event()
        self._hops: list[Hop] = []
        self._done: dict[str, Callable[[], Offsets]] = {}
        self._since = status.now()
        self._alerts = status.Alerts(self._spec.aims)
        self._source = _Source(context) if isinstance(self._spec.source, PostgresSource) else None
        self._ends: Offsets = {}

    def stop(self) -> None:
        """From another thread, or a signal's handler."""
        self._stopping.set()

    def run(self) -> dict[str, Any]:
        """Until it is stopped."""
        self._told("starting")
        self._prepare()
        try:
            for hop in self._hops:
                hop.start()
            self._context.say("running")
            while not self._stopping.wait(_LOOK_EVERY):
                for hop in self._hops:
                    hop.look()
                self._told("running")
            self._context.say("stopping after the batches at hand")
            self._told("stopping")
        finally:
            self._end()
        return self._told("ended")

    def once(self) -> dict[str, Any]:
        """What there is by now."""
        self._prepare()
        try:
            for hop in self._hops:
                self._context.say(f"{hop.name}: taking in what there is")
                hop.once()
        finally:
            self._end()
        return self._told("ended")

    def _end(self) -> None:
        until = time.monotonic() + _STOP_SECONDS
        for hop in self._hops:
            hop.stop(max(1.0, until - time.monotonic()))

    def _prepare(self) -> None:
        Staging(self._client, self._context.access.object_store, "sweep").sweep()
        judge = self._judge()
        self._hops = list(self._made(judge))

    def _judge(self) -> Judge:
        if self._source is not None:
            followed = self._source.prepare(self._topics)
            _keep_columns(followed, self._client, self._context)
            return ChangesJudge(followed)
        self._topics.require()
        if self._spec.format == "debezium":
            tables = {topic: SourceTable(topic.split(".", 1)[-1], {}, (), "f") for topic in self._spec.topics}
            return ChangesJudge(Followed(tables, dict[str, SourceTable]))
        return EventsJudge(self._spec)

    def _made(self, judge: Judge) -> "list[Hop]":
        context, spec = self._context, self._spec
        log = bronze.Bronze(context, judge, self._client, Meter())
        self._done[bronze.NAME] = log.done
        found: list[Hop] = [
            QueryHop(
                context,
                bronze.NAME,
                "Kafka to the log",
                str(spec.bronze.table),
                log.meter,
                take=log.take,
                start=log.start,
                every=spec.bronze.every,
            )
        ]
        if spec.speed is not None and isinstance(judge, ChangesJudge):
            access = of_stream(context.access.clickhouse, "ClickHouse")
            quick = speed.Speed(context, judge, Meter(), spec.speed, access)
            self._done[speed.NAME] = lambda: quick.done
            title = "Kafka to ClickHouse"
            found.append(
                QueryHop(
                    context,
                    speed.NAME,
                    title,
                    spec.speed.database,
                    quick.meter,
                    take=quick.take,
                    start=lambda: "earliest",
                    every=spec.speed.every,
                )
            )
        if spec.silver is not None and isinstance(judge, ChangesJudge):
            tables = silver.Silver(context, judge, self._client, Meter(), spec.silver.namespace)
            self._done[silver.NAME] = lambda: tables.done
            found.append(
                RoundsHop(
                    silver.NAME,
                    "The log to tables",
                    spec.silver.namespace,
                    tables.meter,
                    look=tables.catch_up,
                    every=spec.silver.every,
                    say=context.say,
                )
            )
        return found

    def _told(self, state: str) -> dict[str, Any]:
        # Its hops fail too where that fails, and say so.
        with suppress(BoathouseError):
            self._ends = self._topics.ends()
        hops = [self._of_hop(hop, state) for hop in self._hops]
        if self._source is not None:
            hops.insert(0, self._source.told(self._ends))
        at = status.now()
        aims = self._spec.aims.model_dump()
        document = {
            "pipeline": self._spec.pipeline,
            "state": state,
            "since": self._since,
            "at": at,
            "aims": aims,
            "hops": hops,
            "rejected": sum(hop.meter.reading(None).rejected for hop in self._hops if hop.name == bronze.NAME),
            "alerts": self._alerts.of(hops, at) if state == "running" else [],
        }
        self._tell(document)
        return document

    def _of_hop(self, hop: Hop, state: str) -> dict[str, Any]:
        lag = offsets.between(self._done[hop.name](), self._ends) if state != "starting" else None
        of_hop = hop.state if state == "running" else {"stopping": "running", "ended": "stopped"}.get(state, state)
        return hop_json(hop.meter.reading(lag), lag, name=hop.name, title=hop.title, to=hop.to, state=of_hop)


class _Source:
    """Debezium's connector, as a hop that others carry out."""

    def __init__(self, context: StreamContext) -> None:
        self._context = context
        self._connectors = Connectors(of_stream(context.access.connect, "Kafka Connect"))
        self._meter = Meter()
        self._first: int | None = None
        self._counted = 0
        self._asked_at = 0.0
        self._state = "starting"
        self._error: str | None = None

    @property
    def _spec(self) -> PostgresSource:
        source = self._context.spec.source
        assert isinstance(source, PostgresSource)  # noqa: S101 - it is made for nothing else
        return source

    def prepare(self, topics: Topics) -> Followed:
        spec, access = self._context.spec, self._context.access
        database = of_stream(access.postgres, "Postgres")
        rollups = [rollup.table for rollup in spec.speed.rollups] if spec.speed else []
        found = postgres.ask(database, self._spec.tables)
        postgres.refuse_unfollowable(found, self._spec.tables, whole=rollups)
        if spec.silver or spec.speed:
            _refuse_keyless(found)
        topics.make(self._spec.partitions)
        password = of_stream(access.connect, "Kafka Connect").postgres_password
        self._context.say(f"following {', '.join(self._spec.tables)}")
        self._connectors.put(spec.slug, connector_config(spec, self._spec, database, password))

        def ask() -> dict[str, SourceTable]:
            return self._by_topic(postgres.ask(database, self._spec.tables))

        return Followed(self._by_topic(found), ask)

    def _by_topic(self, tables: Mapping[str, SourceTable]) -> dict[str, SourceTable]:
        prefix = self._context.spec.prefix
        return {f"{prefix}.{name}": tables[name] for name in self._spec.tables if name in tables}

    def told(self, ends: Offsets) -> dict[str, Any]:
        self._look()
        total = offsets.between({}, ends)
        self._first = total if self._first is None else self._first
        if (come := total - self._first - self._counted) > 0:
            self._counted += come
            self._meter.took(None, come, 0, 0.0, None)
        reading = replace(self._meter.reading(None), error=self._error, batch_seconds=None)
        return hop_json(
            reading, None, name="source", title="Postgres to Kafka", to=self._context.spec.prefix, state=self._state
        )

    def _look(self) -> None:
        if time.monotonic() < self._asked_at + _CONNECTOR_EVERY:
            return
        self._asked_at = time.monotonic()
        try:
            known = self._connectors.status(self._context.spec.slug)
            self._state = {"RUNNING": "running", "FAILED": "failing"}.get(known.state, "starting")
            if known.error is not None and known.error != self._error:
                self._context.say(f"source: {known.error}")
            self._error = known.error
            if known.state == "FAILED":
                self._connectors.restart(self._context.spec.slug)
        except BoathouseError as error:
            self._state, self._error = "failing", str(error)


def _refuse_keyless(found: Mapping[str, SourceTable]) -> None:
    for table in found.values():
        if not table.key:
            raise InvalidInput(
                f"The table {table.name} has no primary key, so its rows cannot be told apart in silver and speed.",
                hint="Give it one, or keep its changes in bronze alone.",
            )


def _keep_columns(followed: Followed, client: CatalogClient, context: StreamContext) -> None:
    """Columns that the source has dropped, but older changes and the table in the lake have."""
    if context.spec.silver is None:
        return
    for topic, table in followed.now().items():
        found = client.find_table(silver.table_name(context.spec.silver.namespace, table.name))
        fields = current_schema(found.metadata)["fields"] if found else []
        kept = {field["name"]: from_iceberg(field["type"]) for field in fields if field["name"] not in silver.OWN}
        followed.add(topic, kept)
