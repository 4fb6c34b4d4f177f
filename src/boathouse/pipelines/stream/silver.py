"""Tables as they stand in the source: each key's newest change merged in, in the order in which the source committed them.

Merging the same changes again changes nothing, so a crash costs only the work. A deleted row leaves its key and its place
in the log beside the table (`T__deleted`): a change that comes late, or once more, does not bring it back.
"""

import json
import time
from dataclasses import dataclass, field

from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.kit.catalog_client import CatalogClient, Json, TableChange, TableName
from boathouse.kit.errors import WorkFailed
from boathouse.kit.relations import DELETED_SUFFIX
from boathouse.kit.run_properties import IN_SESSION
from boathouse.kit.table_metadata import current_snapshot
from boathouse.pipelines.ingest.evolution import plan_changes
from boathouse.pipelines.ingest.staging import current_schema
from boathouse.pipelines.spec import Evolution
from boathouse.pipelines.stream import changes, offsets
from boathouse.pipelines.stream.complaints import words
from boathouse.pipelines.stream.conditions import all_of
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.judging import ChangesJudge
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.postgres import SourceTable, refuse_keyless
from boathouse.pipelines.stream.span import Span, span_of
from boathouse.pipelines.stream.steps import through
from boathouse.pipelines.stream.targets import own_name
from boathouse.pipelines.types import ColumnType, Primitive, from_iceberg, iceberg_schema, quoted

NAME = "silver"
OWN: dict[str, ColumnType] = {
    "_lsn": Primitive("long"),
    "_place": Primitive("long"),
    "_source_at": Primitive("timestamptz"),
}
APPLIED = "boathouse.stream.applied"
"""In a snapshot's summary: the snapshot of the log up to which it has been merged."""
KEY = "boathouse.stream.key"
"""In a table's properties: the columns by which its rows are told apart, for where no source can be asked."""


def table_name(namespace: str, source: str) -> TableName:
    """A source table's name in the lake."""
    return TableName((namespace,), own_name(source))


def known_key(metadata: Json) -> tuple[str, ...]:
    """Of a table in the lake."""
    return tuple(json.loads(metadata.get("properties", {}).get(KEY, "[]")))


@dataclass
class Silver:
    context: StreamContext
    judge: ChangesJudge
    client: CatalogClient
    meter: Meter
    namespace: str
    done: Offsets | None = None
    """How far the topics have been merged; unknown before the first round."""
    _looked: dict[str, tuple[int | None, int]] = field(default_factory=dict[str, tuple[int | None, int]])
    """Of topics in which there was nothing: the snapshot that their table had, and that of the log."""

    def __post_init__(self) -> None:
        # Settings of its own: what it says in its snapshots is not for those of others.
        self._session = self.context.session.newSession()
        self._session.conf.set("spark.sql.shuffle.partitions", "4")

    def catch_up(self) -> bool:
        """Merge what the log has gained; whether there was anything."""
        began = time.monotonic()
        log = self.client.find_table(self.context.spec.bronze.table)
        snapshot = current_snapshot(log.metadata) if log else None
        if log is None or snapshot is None:
            self.done = {}
            return False
        until: int = snapshot["snapshot-id"]
        events, newest = 0, 0
        failed: dict[str, Exception] = {}
        for topic, table in self.judge.followed.now().items():
            try:
                here, since = self._since(topic, table)
                if since == until:
                    continue
                merged = self._merge(topic, table, log.metadata, since, until)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one table, the others go on
                failed[table.name] = error
            else:
                events, newest = events + merged[0], max(newest, merged[1])
                if not merged[0]:
                    self._looked[topic] = (here, until)
        if events:
            self.meter.took(None, events, 0, time.monotonic() - began, newest or None)
        _raise(failed)
        self.done = offsets.recorded(log.metadata) or self.done
        return events > 0

    def _since(self, topic: str, table: SourceTable) -> tuple[int | None, int | None]:
        """The table's snapshot, and that of the log up to which it has been merged.

        By what it says itself, each time: it may have been rolled back, or made anew.
        """
        found = self.client.find_table(self._name(table))
        if found is None:
            return None, None
        snapshot = current_snapshot(found.metadata)
        here: int | None = snapshot["snapshot-id"] if snapshot else None
        looked = self._looked.get(topic)
        if looked is not None and looked[0] == here:
            return looked
        said = offsets.newest_said(found.metadata, APPLIED)
        return here, None if said is None else int(said)

    def _merge(self, topic: str, table: SourceTable, log: Json, since: int | None, until: int) -> tuple[int, int]:
        """How many changes there were, and when the last was made."""
        logged = self._increment(log, since, until).where(F.col("topic") == topic)
        messages = logged.select(
            "topic", "partition", "offset", F.col("kafka_at").alias("timestamp"), F.col("key"), F.col("value")
        ).where(F.col("op") != changes.TOMBSTONE)
        if not table.key and logged.isEmpty():
            return 0, 0
        known = self.judge.known()
        seen, judged = Observation(), through(messages, changes.judging({topic: table}, quickly=True))
        if not table.key and (known[topic] != table or self.judge.learn(judged, known)):
            return self._merge(topic, self.judge.followed.now()[topic], log, since, until)
        self._prepare(table)
        newest = _newest(judged.observe(seen, *_what_is_there()), table).persist()
        try:
            # The changes are read once: by that they are counted, and of each key the newest is kept.
            span = span_of(newest, table)
            there = _There(**seen.get)
            if (there.unknown or there.problem) and (known[topic] != table or self.judge.learn(judged, known)):
                return self._merge(topic, self.judge.followed.now()[topic], log, since, until)
            if there.problem:
                # It was good when it was logged, so its column was another one then.
                raise WorkFailed(
                    f"A change of {table.name} in the log does not fit its columns any more: {there.problem}."
                )
            if there.changes:
                self._apply(table, newest, until, there, span)
            return there.changes, there.last or 0
        finally:
            newest.unpersist()

    def _apply(self, table: SourceTable, newest: DataFrame, until: int, there: "_There", span: Span) -> None:
        name, graves = self._name(table), self._name(table).beside(DELETED_SUFFIX)
        if there.deletes or there.truncated is not None:
            self._bury(table, newest, graves, there.truncated)
        if there.truncated is not None:
            place, lsn = there.truncated
            # In parts that Iceberg understands: files of which every row goes are not even read.
            before = f"_place < {place:d} OR (_place = {place:d} AND _lsn < {lsn:d}) OR (_place IS NULL AND _lsn < {place:d})"
            self._session.sql(f"DELETE FROM {self.context.spark_name(name)} WHERE {before}")  # noqa: S608 - numbers
        living = self._living(table, newest, graves, span)
        # Only the last commit of a round says that it has been merged: after a crash before it, all is done once more.
        self._session.conf.set(f"{IN_SESSION}{APPLIED}", str(until))
        try:
            self._upsert(table, living, name, span)
        finally:
            self._session.conf.unset(f"{IN_SESSION}{APPLIED}")

    def _living(self, table: SourceTable, newest: DataFrame, graves: TableName, span: Span) -> DataFrame:
        """But for those that came too late for a row that is gone."""
        if self.client.find_table(graves) is None:
            return newest
        gone = self._session.table(self.context.spark_name(graves))
        if "_place" not in gone.columns:
            # Of before places were noted; the next that is buried brings the column.
            gone = gone.withColumn("_place", F.lit(None).cast("bigint"))
        gone = gone.alias("g")
        later = F.expr(f"{_order('g')} > {_order('s')}")
        # By the key alone, so that Spark need not hold each change against every grave.
        near = gone.where(span.holds("g"))
        living = newest.alias("s").join(near, _same_key(table, "g", "s") & later, "left_anti")
        everybody = F.broadcast(gone.where(_no_key(table, "g")))
        return living.join(everybody, later, "left_anti")

    def _bury(
        self, table: SourceTable, newest: DataFrame, graves: TableName, truncated: tuple[int, int] | None
    ) -> None:
        """Before the merge: what is buried twice after a crash is dead all the same. No key at all means every row."""
        name = self.context.spark_name(graves)
        self._make(graves, {key: table.columns[key] for key in table.key} | OWN, {"format-version": "2"})
        dead = newest.where(F.col("_op") == "d").select(*table.key, *OWN)
        if truncated is not None:
            nobody = [F.lit(None).cast(dead.schema[key].dataType).alias(key) for key in table.key]
            place, lsn = (F.lit(told).cast("bigint") for told in truncated)
            own = [lsn.alias("_lsn"), place.alias("_place"), F.lit(None).cast("timestamp").alias("_source_at")]
            dead = dead.union(self._session.range(1).select(*nobody, *own))
        dead.writeTo(name).append()

    def _upsert(self, table: SourceTable, source: DataFrame, name: TableName, span: Span) -> None:
        source.createOrReplaceTempView(_CHANGES)
        columns = [quoted(column) for column in (*table.columns, *OWN)]
        later = f"{_order('s')} >= {_order('t')}"
        same = " AND ".join([f"t.{quoted(key)} = s.{quoted(key)}" for key in table.key])
        statement = f"""
            MERGE INTO {self.context.spark_name(name)} t USING {_CHANGES} s ON {same}{span.sql("t")}
            WHEN MATCHED AND s._op = 'd' AND {later} THEN DELETE
            WHEN MATCHED AND s._op <> 'd' AND {later}
                THEN UPDATE SET {", ".join(f"t.{column} = s.{column}" for column in columns)}
            WHEN NOT MATCHED AND s._op <> 'd'
                THEN INSERT ({", ".join(columns)}) VALUES ({", ".join(f"s.{column}" for column in columns)})
        """  # noqa: S608 - every name is quoted
        self._session.sql(statement, span.ends)

    def _increment(self, log: Json, since: int | None, until: int) -> DataFrame:
        """What the log has gained; all of it where that cannot be told any more."""
        name = self.context.spark_name(self.context.spec.bronze.table)
        reader = self._session.read.format("iceberg")
        if since is not None and _leads_to(log, since, until):
            reader = reader.option("start-snapshot-id", since).option("end-snapshot-id", until)
        else:
            reader = reader.option("versionAsOf", until)
        return reader.load(name)

    def _prepare(self, table: SourceTable) -> None:
        """The table is there and has every column."""
        refuse_keyless(table)
        self._make(self._name(table), {**table.columns, **OWN}, {**_PROPERTIES, KEY: json.dumps(table.key)})

    def _make(self, name: TableName, columns: dict[str, ColumnType], properties: dict[str, str]) -> None:
        found = self.client.find_table(name)
        if found is None:
            self.client.create_namespace(name.namespace)
            self.client.create_table(name, {"schema": iceberg_schema(columns), "properties": properties})
            return
        if KEY in properties and known_key(found.metadata) != tuple(json.loads(properties[KEY])):
            said = {"action": "set-properties", "updates": {KEY: properties[KEY]}}
            self.client.commit_table(TableChange(name, [], [said]))
        there = {field["name"]: from_iceberg(field["type"]) for field in current_schema(found.metadata)["fields"]}
        news = plan_changes(there, columns, Evolution(), str(name))
        for statement in news.statements(self.context.spark_name(name)):
            self._session.sql(statement)

    def _name(self, table: SourceTable) -> TableName:
        return table_name(self.namespace, table.name)


# Of one table after the other, in a session of its own: by a table's name no view could be called, where that has a `-`.
_CHANGES = "changes_to_merge"
_PROPERTIES = {
    "format-version": "2",
    # A change touches few rows of a large file: it is noted beside it, and maintenance rewrites the file.
    "write.merge.mode": "merge-on-read",
    "write.delete.mode": "merge-on-read",
    "write.update.mode": "merge-on-read",
    "write.metadata.delete-after-commit.enabled": "true",
}


@dataclass(frozen=True)
class _There:
    """What is among the changes of a round."""

    changes: int
    last: int | None
    """When the last was made, in milliseconds since 1970."""
    truncated: tuple[int, int] | None
    """Where the table was emptied last: the place where that counts, and where it is in the log."""
    deletes: int
    unknown: int
    problem: str | None


def _what_is_there() -> list[Column]:
    return [
        F.count(F.lit(1)).alias("changes"),
        F.max(F.unix_millis("source_at")).alias("last"),
        F.max(F.when(F.col("op") == "t", F.struct("place", "lsn"))).alias("truncated"),
        F.count_if(F.col("op") == "d").alias("deletes"),
        F.count_if(F.size("unknown") > 0).alias("unknown"),
        F.max("problem").alias("problem"),
    ]


def _newest(rows: DataFrame, table: SourceTable) -> DataFrame:
    """Of each key."""
    row = F.col(changes.row_name(0))
    by_key = rows.where(F.col("op").isin(*changes.ROW_OPERATIONS)).groupBy(*(row[key].alias(key) for key in table.key))
    last = by_key.agg(
        F.max_by(
            F.struct(row.alias("row"), "op", "lsn", "place", "source_at"), F.struct("place", "lsn", "offset")
        ).alias("_newest")
    )
    return last.select(
        *(F.col("_newest.row")[name].alias(name) for name in table.columns),
        F.col("_newest.lsn").alias("_lsn"),
        F.col("_newest.place").alias("_place"),
        F.col("_newest.source_at").alias("_source_at"),
        F.col("_newest.op").alias("_op"),
    )


def _order(side: str) -> str:
    """By which of two changes of a row the later is known. Tables have rows from before places were noted."""
    return f"struct(coalesce({side}._place, {side}._lsn), {side}._lsn)"


def _same_key(table: SourceTable, left: str, right: str) -> Column:
    return all_of([F.col(f"{left}.{key}") == F.col(f"{right}.{key}") for key in table.key])


def _no_key(table: SourceTable, side: str) -> Column:
    return all_of([F.col(f"{side}.{key}").isNull() for key in table.key])


def _raise(failed: dict[str, Exception]) -> None:
    """What went wrong, table by table."""
    for name, error in failed.items():
        others = [other for other in failed if other != name]
        beside = f" Not merged either: {', '.join(others)}." if others else ""
        raise WorkFailed(f"{name}: {words(error)}{beside}") from error


def _leads_to(log: Json, since: int, until: int) -> bool:
    """Whether the one is what the other was before."""
    by_id = {one["snapshot-id"]: one for one in log["snapshots"]}
    here: int | None = until
    while here is not None and here in by_id:
        if here == since:
            return True
        here = by_id[here].get("parent-snapshot-id")
    return False
