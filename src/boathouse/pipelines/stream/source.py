"""What a pipeline follows: which tables there are and can be followed, and the connector that does."""

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

from boathouse.kit.access import PostgresAccess, of_stream
from boathouse.kit.catalog_client import CatalogClient, Json
from boathouse.kit.errors import BoathouseError, Unavailable
from boathouse.pipelines.ingest.staging import current_schema
from boathouse.pipelines.stream import log_columns, offsets, postgres, silver
from boathouse.pipelines.stream.behind import Behind, Restarts
from boathouse.pipelines.stream.clickhouse import Warehouse
from boathouse.pipelines.stream.clickhouse_tables import known_columns, known_key
from boathouse.pipelines.stream.complaints import words
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.debezium import (
    Connectors,
    Following,
    assigned,
    connector_config,
    emptied,
    rows_from,
    slot_name,
    standing,
)
from boathouse.pipelines.stream.first_rows import FirstRows
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.judging import ChangesJudge, EventsJudge
from boathouse.pipelines.stream.meter import Meter, hop_json
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import EventFormat, PostgresSource, StreamSpec
from boathouse.pipelines.stream.status import SOURCE, TITLES
from boathouse.pipelines.stream.targets import own_name
from boathouse.pipelines.stream.topics import Topics
from boathouse.pipelines.types import ColumnType, from_iceberg, spark_type

_Columns = tuple[dict[str, ColumnType], tuple[str, ...]]
"""Of a table, and those of them that are its key."""
ReadFrom = Callable[[Mapping[str, int]], None]
# Connect and Postgres are asked how it is; more often tells no more.
_LOOK_EVERY = 5.0


def judge_of(context: StreamContext, client: CatalogClient) -> ChangesJudge | EventsJudge:
    """Refused if a table cannot be followed."""
    spec = context.spec
    if isinstance(spec.source, PostgresSource):
        followed = _of_postgres(context, spec.source)
    elif spec.format is EventFormat.DEBEZIUM:
        untold = [SourceTable(name, {}, (), "f") for name in spec.source_tables]
        tables = dict(zip(spec.topics, untold, strict=True))
        followed = Followed(tables, dict[str, SourceTable])
    else:
        return EventsJudge(spec)
    keep_columns(followed, client, context)
    return ChangesJudge(followed, keyed=_is_keyed(spec))


def _of_postgres(context: StreamContext, source: PostgresSource) -> Followed:
    spec, database = context.spec, of_stream(context.access.postgres, "Postgres")
    postgres.refuse_unready(database)
    found = postgres.ask(database, source.tables)
    postgres.refuse_unfollowable(found, source.tables, whole=_summed(spec))
    for table in found.values() if _is_keyed(spec) else ():
        postgres.refuse_keyless(table)
    return Followed(_by_topic(context, found), lambda: _by_topic(context, postgres.ask(database, source.tables)))


def _is_keyed(spec: StreamSpec) -> bool:
    """Whether rows are kept, which must be told apart."""
    return spec.silver is not None or spec.speed is not None


def _summed(spec: StreamSpec) -> list[str]:
    return [one.table for one in spec.speed.rollups if one.table] if spec.speed else []


def _by_topic(context: StreamContext, tables: Mapping[str, SourceTable]) -> dict[str, SourceTable]:
    return {f"{context.spec.prefix}.{name}": table for name, table in tables.items()}


class Source:
    """Debezium's connectors, as a hop that others carry out."""

    def __init__(self, context: StreamContext) -> None:
        self._context = context
        self._connectors = Connectors(of_stream(context.access.connect, "Kafka Connect"))
        self._names: list[str] = []
        self._meter = Meter()
        self._behind = Behind()
        self._first: int | None = None
        self._counted = 0
        self._look_at = 0.0
        self._restarts = Restarts()
        self._first_rows: dict[str, tuple[Topics, FirstRows]] = {}
        self._read_from: ReadFrom | None = None
        self._unfinished = False
        """Whether something kept it from following what it should, with the old connector gone, say, and no new one there yet."""
        self._state = "starting"
        self._error: str | None = None

    def follow(self, read_from: ReadFrom) -> None:
        """As the spec says; what was followed before goes on where it was.

        `read_from` is told of each table where the log stood before its rows were read.
        """
        spec, access = self._context.spec, self._context.access
        if not isinstance(spec.source, PostgresSource):
            return
        self._read_from = read_from
        self._unfinished = True
        database: PostgresAccess = of_stream(access.postgres, "Postgres")
        password = of_stream(access.connect, "Kafka Connect").postgres_password
        self._context.say(f"following {', '.join(spec.source.tables)}")
        known = self._with_rows_read_once(self._connectors.following(spec.slug), database)
        self._forget_slots_of_others(list(known), database)
        there = {name: one.tables for name, one in known.items()}
        untold = self._untold(database, spec.source)
        self._names.clear()
        for name, tables in assigned(spec.slug, spec.source.tables, there).items():
            if not tables:
                self._context.say(f"{name} follows no table any more: it is removed, with its slot")
                self._remove(name, database)
                continue
            one = replace(known[name], tables=tables) if name in known else self._begun(tables, database)
            # Before its rows come.
            read_from(rows_from({name: one}))
            self._connectors.put(name, connector_config(spec, name, one, database, password, untold=untold))
            self._names.append(name)
        self._unfinished = False

    def _untold(self, database: PostgresAccess, source: PostgresSource) -> dict[str, tuple[str, ...]]:
        found = {name: one.generated for name, one in postgres.ask(database, source.tables).items() if one.generated}
        for name, columns in found.items():
            self._context.say(
                f"{name}: {', '.join(columns)} is left out: Postgres computes it, and tells it with no change"
            )
        return found

    def _begun(self, tables: list[str], database: PostgresAccess) -> Following:
        """Where everything stands before the connector is made: a change that is under way meanwhile stands later in the log."""
        prefix, lsn = self._context.spec.prefix, postgres.log_end(database)
        topics = Topics(self._context.kafka, [f"{prefix}.{table}" for table in tables])
        used = {topic for topic, ends in topics.ends().items() if any(ends.values())}
        # A topic tells nothing of its rows that are written when it has been made anew since.
        if again := [table for table in tables if f"{prefix}.{table}" in used or has_rows(self._context, table)]:
            # What was deleted since they were followed last, nobody tells.
            self._context.say(f"the rows of {', '.join(again)} are read anew, and what was there before is emptied")
            at = round(time.time() * 1000)
            topics.put({f"{prefix}.{table}": emptied(prefix, table, lsn, at) for table in again})
        return Following(tables, lsn, topics.ends())

    def _with_rows_read_once(self, known: Mapping[str, Following], database: PostgresAccess) -> dict[str, Following]:
        """Those that were cut off while they read the rows that were there, and then began anew, are removed: they cannot tell what was deleted in between."""
        twice = [name for name, one in known.items() if self._has_read_twice(name, one)]
        for name in twice:
            self._context.say(f"{name} was cut off while it read the rows that were there: it begins anew")
            self._remove(name, database)
        return {name: one for name, one in known.items() if name not in twice}

    def _has_read_twice(self, name: str, one: Following) -> bool:
        if one.since is None:
            return False
        if name not in self._first_rows:
            # What it followed once may be another's by now, with rows of its own.
            mine = {f"{self._context.spec.prefix}.{table}" for table in one.tables}
            topics = Topics(self._context.kafka, [topic for topic in one.since if topic in mine])
            self._first_rows[name] = topics, FirstRows(self._context.kafka, one.since)
        topics, rows = self._first_rows[name]
        return rows.were_read_twice(topics.beginnings(), topics.ends())

    def _forget_slots_of_others(self, known: list[str], database: PostgresAccess) -> None:
        """Somebody may have deleted a connector, of which Postgres knows nothing: it would keep its log for it."""
        mine = {slot_name(name) for name in known}
        for slot in postgres.slots(database, slot_name(self._context.spec.slug)):
            if slot not in mine:
                self._context.say(f"{slot} in Postgres is of no connector any more: it is removed")
                postgres.forget(database, slot)

    def _remove(self, name: str, database: PostgresAccess) -> None:
        self._connectors.remove(name, partial(postgres.forget, database, slot_name(name)))
        self._first_rows.pop(name, None)

    def close(self) -> None:
        self._connectors.close()

    def told(self, ends: Offsets) -> dict[str, Any]:
        self._look()
        total = offsets.between({}, ends)
        # What was there before Kafka was asked first has not just come.
        self._first = total if self._first is None and ends else self._first
        if self._first is not None and (come := total - self._first - self._counted) > 0:
            self._counted += come
            self._meter.took(None, come, 0, 0.0, None)
        reading = replace(
            self._meter.reading(None), error=self._error, batch_seconds=None, freshness=self._behind.seconds()
        )
        told = hop_json(
            reading, None, name=SOURCE, title=TITLES[SOURCE], to=self._context.spec.prefix, state=self._state
        )
        return {**told, "lag_bytes": self._behind.bytes}

    def _look(self) -> None:
        if time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + _LOOK_EVERY
        error = None
        try:
            self._state, error = self._of_connectors()
            self._ask_postgres()
            self._follow_again_if_need_be()
        except BoathouseError as failed:
            self._state, error = "failing", words(failed)
        if error is not None and error != self._error:
            self._context.say(f"source: {error}")
        self._error = error

    def _of_connectors(self) -> tuple[str, str | None]:
        """How they are, and what is wrong with one of them."""
        known = {name: self._connectors.status(name) for name in self._names}
        for name, one in known.items():
            if one.state != "FAILED":
                self._restarts.went_well(name, time.monotonic())
            elif self._restarts.is_time(name, time.monotonic()):
                self._connectors.restart(name)
        return standing(known)

    def _follow_again_if_need_be(self) -> None:
        """Where rows were read twice, where somebody has deleted a connector, and where the last such attempt was cut off."""
        if self._read_from is None:
            return
        known = self._connectors.following(self._context.spec.slug)
        gone = [name for name in self._names if name not in known]
        for name in gone:
            self._context.say(f"somebody has deleted {name} in Kafka Connect: another one begins anew")
        if self._unfinished or gone or any(self._has_read_twice(name, one) for name, one in known.items()):
            self.follow(self._read_from)

    def _ask_postgres(self) -> None:
        """How far behind they are, and whether the tables can still be followed."""
        spec = self._context.spec
        if isinstance(spec.source, PostgresSource) and self._names:
            database = of_stream(self._context.access.postgres, "Postgres")
            self._behind.see(postgres.log_place(database, [slot_name(name) for name in self._names]), time.monotonic())
            found = postgres.ask(database, spec.source.tables)
            postgres.refuse_unfollowable(found, spec.source.tables, whole=_summed(spec))


def has_rows(context: StreamContext, table: str) -> bool:
    """Whether what is written may have some of a source's table."""
    spec = context.spec
    with CatalogClient(context.access.catalog) as client:
        log = client.find_table(spec.bronze.table)
        if log is not None and _is_in_log(log.metadata, f"{spec.prefix}.{table}"):
            return True
        if spec.silver is not None and client.find_table(silver.table_name(spec.silver.namespace, table)) is not None:
            return True
    return spec.speed is not None and _is_in_clickhouse(context, spec.speed.database, table)


def _is_in_log(log: Json, topic: str) -> bool:
    said = offsets.recorded(log)
    return any(said.get(topic, {}).values()) if said is not None else bool(log.get("snapshots"))


def _is_in_clickhouse(context: StreamContext, database: str, table: str) -> bool:
    with closing(Warehouse(of_stream(context.access.clickhouse, "ClickHouse"), database)) as warehouse:
        try:
            return warehouse.has_table(own_name(table))
        except Unavailable:
            # To be emptied does no harm to a table that is not there.
            return True


def keep_columns(followed: Followed, client: CatalogClient, context: StreamContext) -> None:
    """What the tables have that are written: columns that the source has dropped, types that the source's may not replace, and their key."""
    spec = context.spec
    if spec.silver is not None or spec.speed is not None:
        # They may have to be made of it.
        log = client.find_table(spec.bronze.table)
        followed.have_had(log_columns.known(log.metadata) if log is not None else {})
    if spec.silver is not None:
        _keep(followed, context, partial(_in_lake, client, spec.silver.namespace))
    elif spec.speed is not None:
        # Where there is no table in the lake to remember them.
        keep = partial(_keep_of_clickhouse, followed, context, spec.speed.database)
        try:
            keep()
        except Unavailable as away:
            context.say(f"{words(away)} What its tables have is looked up before anything is written there")
            followed.put_off(keep)


def _keep_of_clickhouse(followed: Followed, context: StreamContext, database: str) -> None:
    with closing(Warehouse(of_stream(context.access.clickhouse, "ClickHouse"), database)) as warehouse:
        _keep(followed, context, partial(_in_clickhouse, warehouse))


def _keep(followed: Followed, context: StreamContext, find: Callable[[SourceTable], _Columns | None]) -> None:
    for topic, table in followed.now().items():
        if (found := find(table)) is None:
            continue
        kept, key = found
        for name in followed.keep(topic, kept):
            was, now = spark_type(kept[name]), spark_type(table.columns[name])
            context.say(
                f"{table.name}: {name} has become {now} and stays {was} here; changes that do not fit are rejected"
            )
        if not table.key:
            followed.name_key(topic, key)


def _in_lake(client: CatalogClient, namespace: str, table: SourceTable) -> _Columns | None:
    found = client.find_table(silver.table_name(namespace, table.name))
    if found is None:
        return None
    fields = current_schema(found.metadata)["fields"]
    kept = {field["name"]: from_iceberg(field["type"]) for field in fields if field["name"] not in silver.OWN}
    return kept, silver.known_key(found.metadata)


def _in_clickhouse(warehouse: Warehouse, table: SourceTable) -> _Columns | None:
    if not warehouse.has_table(name := own_name(table.name)):
        return None
    there = warehouse.columns(name)
    return known_columns(table, there), known_key(there)
