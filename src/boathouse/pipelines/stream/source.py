"""What a pipeline follows: which tables there are and can be followed, and the connector that does."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from boathouse.kit.access import PostgresAccess, of_stream
from boathouse.kit.catalog_client import CatalogClient
from boathouse.kit.errors import BoathouseError, InvalidInput
from boathouse.pipelines.ingest.staging import current_schema
from boathouse.pipelines.stream import offsets, postgres, silver
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.debezium import Connectors, connector_config
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.judging import ChangesJudge, EventsJudge
from boathouse.pipelines.stream.meter import Meter, hop_json
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import EventFormat, PostgresSource
from boathouse.pipelines.stream.status import SOURCE
from boathouse.pipelines.types import from_iceberg

# Connect is asked how its connector is; more often tells no more.
_CONNECTOR_EVERY = 5.0


def judge_of(context: StreamContext, client: CatalogClient) -> ChangesJudge | EventsJudge:
    """Refused if a table cannot be followed."""
    spec = context.spec
    if isinstance(spec.source, PostgresSource):
        followed = _of_postgres(context, spec.source)
    elif spec.format is EventFormat.DEBEZIUM:
        tables = {topic: SourceTable(topic.split(".", 1)[-1], {}, (), "f") for topic in spec.topics}
        followed = Followed(tables, dict[str, SourceTable])
    else:
        return EventsJudge(spec)
    _keep_columns(followed, client, context)
    return ChangesJudge(followed)


def _of_postgres(context: StreamContext, source: PostgresSource) -> Followed:
    spec, database = context.spec, of_stream(context.access.postgres, "Postgres")
    postgres.refuse_unready(database)
    found = postgres.ask(database, source.tables)
    rollups = [one.table for one in spec.speed.rollups if one.table] if spec.speed else []
    postgres.refuse_unfollowable(found, source.tables, whole=rollups)
    if spec.silver or spec.speed:
        _refuse_keyless(found)
    return Followed(_by_topic(context, found), lambda: _by_topic(context, postgres.ask(database, source.tables)))


def _by_topic(context: StreamContext, tables: Mapping[str, SourceTable]) -> dict[str, SourceTable]:
    return {f"{context.spec.prefix}.{name}": table for name, table in tables.items()}


class Source:
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

    def follow(self) -> None:
        """As the spec says; what was followed before goes on where it was."""
        spec, access = self._context.spec, self._context.access
        if isinstance(spec.source, PostgresSource):
            database: PostgresAccess = of_stream(access.postgres, "Postgres")
            password = of_stream(access.connect, "Kafka Connect").postgres_password
            self._context.say(f"following {', '.join(spec.source.tables)}")
            self._connectors.put(spec.slug, connector_config(spec, spec.source, database, password))

    def told(self, ends: Offsets) -> dict[str, Any]:
        self._look()
        total = offsets.between({}, ends)
        self._first = total if self._first is None else self._first
        if (come := total - self._first - self._counted) > 0:
            self._counted += come
            self._meter.took(None, come, 0, 0.0, None)
        reading = replace(self._meter.reading(None), error=self._error, batch_seconds=None)
        return hop_json(
            reading, None, name=SOURCE, title="Postgres to Kafka", to=self._context.spec.prefix, state=self._state
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
