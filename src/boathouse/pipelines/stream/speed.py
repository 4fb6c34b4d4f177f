"""The same events in ClickHouse within seconds: of changes each key's newest, and sums kept beside.

A batch is one insert for each table, with a token: repeated after a crash, ClickHouse knows it and leaves it. Even without
that a repeated or late change does no harm, because of each key the row with the greatest place in the log counts.
"""

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as _compute
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.kit.ids import new_uuid
from boathouse.pipelines.stream import at_hand, changes, offsets
from boathouse.pipelines.stream.beginning import Beginning, Said
from boathouse.pipelines.stream.clickhouse import Warehouse
from boathouse.pipelines.stream.clickhouse_tables import (
    SIGN,
    full,
)
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.judging import ChangesJudge, EventsJudge
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.order import NOWHERE, Order, are_before, greatest
from boathouse.pipelines.stream.own_columns import ORIGIN
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import VARIANT, Rollup
from boathouse.pipelines.stream.spec import Speed as SpeedSpec
from boathouse.pipelines.stream.speed_tables import SpeedTables
from boathouse.pipelines.stream.steps import Step
from boathouse.pipelines.stream.sums import Sums, replayed, rollups_of
from boathouse.pipelines.stream.targets import DELTAS_SUFFIX, own_name
from boathouse.pipelines.types import ColumnType, ListOf, MapOf, Struct

pc: Any = _compute
"""Its functions are made when it is loaded, so no checker knows them."""
NAME = "speed"
_META = ("topic", "op", "lsn", "place", "source_at", "kafka_at", "problem")
# Events of a batch, which is held in memory, here and in Spark: of 2 KB each they are 200 MB.
AT_MOST = 100_000
# Every name is there, and a moment to the microsecond.
_AS_JSON = {
    "ignoreNullFields": "false",
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
}
# What tells whether sums go along with a change.
_FOR_SUMS = ("partition", "key")


@dataclass
class Speed:
    context: StreamContext
    judge: ChangesJudge | EventsJudge
    meter: Meter
    spec: SpeedSpec
    warehouse: Warehouse
    beside: bool = False
    """The stream, as a replay is. Tables are made anew by the stream alone: it knows what it writes meanwhile itself."""
    _done: Offsets | None = None
    _last: int | None = None
    """The batch that was taken last, by this process."""
    _emptied: dict[str, Order] = field(default_factory=dict[str, Order])
    """Where each table was emptied last."""

    @cached_property
    def beginning(self) -> Beginning:
        return Beginning(self.context, NAME, f"ClickHouse's database {self.spec.database}", "speed.database")

    def done(self) -> Offsets:
        """What ClickHouse has, as it says itself."""
        if self._done is None:
            self.warehouse.make()
            self._done = self.beginning.counted(Said(*self.warehouse.offsets(self.context.spec.slug)))
        return self._done

    def known(self) -> Offsets | None:
        """The same, without asking."""
        return self._done

    def start(self) -> str:
        # Whatever went wrong before, its tables may not be there any more.
        self._done = self._last = None
        self.tables.forget()
        if isinstance(self.judge, ChangesJudge):
            self.judge.followed.ask_what_was_put_off()
        lost = self.tables.lost(self._followed(), self.done())
        for name in sorted({table.name for table in lost.values()}):
            self.context.say(f"{NAME}: {name} is gone from ClickHouse, and is filled with what Kafka has of it")
        done = self._done = {topic: places for topic, places in self.done().items() if topic not in lost}
        self.tables.make(self._followed().values())
        return self.beginning.start(done)

    def _followed(self) -> dict[str, SourceTable]:
        """By topic."""
        if isinstance(self.judge, EventsJudge):
            return dict.fromkeys(self.context.spec.topics, _events_table(self.judge))
        return self.judge.followed.now()

    @cached_property
    def tables(self) -> SpeedTables:
        return SpeedTables(self.warehouse, self.spec, self.sums, beside=self.beside)

    def take(self, messages: DataFrame, batch: int) -> None:
        """One batch of the stream, which may have been taken before."""
        began, done, first = time.monotonic(), self.done(), self._last != batch - 1
        end = self.beginning.checkpoint.end_of(batch)
        self.beginning.check(batch, done, first=first)
        if offsets.reaches(done, end):
            return
        told = json.dumps([end, self.beginning.ids], sort_keys=True)
        # By where it ends: a batch of this number may have been another one, if the checkpoint was lost or a topic made anew.
        token = f"{self.context.spec.slug}/{hashlib.sha256(told.encode()).hexdigest()[:32]}"
        rows = self.insert(offsets.beyond(messages, done) if first else messages, token)
        self._done, self._last = offsets.together(done, end), batch
        self.warehouse.note(self.context.spec.slug, self._done, self.beginning.ids)
        self.sums.settle()
        newest = pc.max(rows["source_at"].filter(pc.is_null(rows["problem"])))
        rejected = len(rows) - rows["problem"].null_count
        self.meter.took(batch, rows.num_rows, rejected, time.monotonic() - began, _milliseconds(newest))

    @cached_property
    def sums(self) -> Sums:
        """Of events too, which only ever come: for a rollup that is new."""
        if isinstance(self.judge, EventsJudge):
            table = _events_table(self.judge)
            # Where a later event takes an earlier one's place, its rows no longer tell what they were.
            countable = [] if self.judge.spec.keys else self.spec.rollups
            return Sums(self.warehouse, self.spec.database, countable, lambda: [table])
        followed = self.judge.followed
        return Sums(self.warehouse, self.spec.database, self.spec.rollups, lambda: followed.now().values())

    def insert(self, messages: DataFrame, token: str) -> Any:
        """The messages as they were judged. A token that was used before inserts nothing."""
        rows = self._judged(messages)
        for table, of_table, column in self._by_table(rows):
            self.tables.prepare(table)
            if isinstance(self.judge, ChangesJudge) and self.sums.of(table):
                self.sums.watch(table, of_table, _before(column))
            with self.tables.staying(table):
                self._insert(table, of_table, column, token)
        return rows

    def insert_late(self, messages: DataFrame, token: str) -> None:
        """Those that come out of their order. Their sums are counted anew by whoever follows the topics."""
        if isinstance(self.judge, ChangesJudge):
            self.judge.followed.ask_what_was_put_off()
        rows = self._judged(messages)
        for table, of_table, column in self._by_table(rows):
            self.tables.prepare(table)
            summed = bool(self.sums.of(table))
            # Before, in case of a crash; and after, in case they were counted in between.
            self._note_replayed(table, noted=summed)
            with self.tables.staying(table):
                self._insert(table, of_table, column, token, late=summed)
            self._note_replayed(table, noted=summed)

    def _note_replayed(self, table: SourceTable, *, noted: bool) -> None:
        if noted:
            self.warehouse.note_odd([replayed(table)])

    def _by_table(self, rows: Any) -> Iterator[tuple[SourceTable, Any, str]]:
        """Those of which there are any."""
        if not self.tables.is_any_ready():
            self.warehouse.make()
        if isinstance(self.judge, EventsJudge):
            if rows.num_rows:
                yield _events_table(self.judge), rows, changes.row_name(0)
            return
        # Asked each time: a replay may have emptied one.
        self._emptied = self.warehouse.emptied()
        for place, (topic, table) in enumerate(self.judge.followed.now().items()):
            of_table = rows.filter(pc.equal(rows["topic"], topic))
            # With nothing to write it need not be known what tells its rows apart.
            if of_table.num_rows and (table.key or of_table["problem"].null_count):
                yield table, of_table, changes.row_name(place)

    def _judged(self, messages: DataFrame) -> Any:
        """What is plain is read here, where all of it comes anyway; Spark is asked about the others."""
        given = None
        while True:
            known, quick = self.judge.known(), self.judge.quick()
            if quick is None:
                return self._judged_by_spark(messages)
            given = given or at_hand.gather(messages)
            judged = quick.judge(given.short)
            left = given.left(self.context.session, messages, judged.plain)
            if left is None:
                return judged.rows
            others = self._judged_by_spark(left)
            # Or they have taught what the plain ones were not read by.
            if self.judge.known() == known:
                plain = judged.rows.select(others.column_names)
                return pa.concat_tables([plain, others.cast(plain.schema)])

    def _judged_by_spark(self, messages: DataFrame) -> Any:
        """In one job for all tables; once more if a table turns out to have changed."""
        while True:
            known = self.judge.known()
            judged = self.judge.judge(messages)
            found: Any = judged.select(*self._chosen(known)).toArrow()
            odd = pc.any(found["unknown"]).as_py() or found["problem"].null_count < found.num_rows
            if not (odd or self.judge.lacks_keys()) or not self.judge.learn(judged, known):
                return found

    def _chosen(self, known: Any) -> Step:
        """What of it ClickHouse is told."""
        if isinstance(self.judge, EventsJudge):
            return self._of_events
        tables = list(known.values())
        rows = [changes.row_name(place) for place in range(len(tables))]
        before = [changes.before_name(place) for place, table in enumerate(tables) if self._rollups(table)]
        own = _FOR_SUMS if before else ()
        return [*_META, *own, (F.size("unknown") > 0).alias("unknown"), *rows, *before]

    @cached_property
    def _of_events(self) -> Step:
        """The columns that changes have: an event comes, and the later of two with the same key counts."""
        kinds = self.context.spec.event_columns
        kept = [as_kept(F.col("row")[name], kind).alias(name) for name, kind in kinds.items()]
        row = F.struct(*ORIGIN, *kept)
        return [
            "topic",
            F.lit("c").alias("op"),
            F.col("offset").alias("lsn"),
            F.col("offset").alias("place"),
            "source_at",
            "kafka_at",
            "problem",
            F.lit(False).alias("unknown"),
            F.when(F.col("problem").isNull(), row).alias(changes.row_name(0)),
        ]

    def _insert(self, table: SourceTable, rows: Any, name: str, token: str, *, late: bool = False) -> None:
        good = rows.filter(pc.is_null(rows["problem"]))
        emptied = greatest(good.filter(pc.equal(good["op"], "t")))
        if emptied is not None and emptied >= self._emptied.get(table.name, NOWHERE):
            self._empty(table, emptied)
            # What is emptied once more is filled once more.
            token = f"{token}/{new_uuid()}"
        good = good.filter(pc.is_valid(good[name]))
        if table.name in self._emptied:
            # Of another partition, say, or replayed: whenever it comes, it has gone.
            good = good.filter(pc.invert(are_before(good, self._emptied[table.name])))
        if not good.num_rows:
            return
        values = _flat(good[name])
        values |= {
            "_lsn": good["lsn"].cast(pa.uint64()),
            "_place": self._place(good).cast(pa.uint64()),
            "_deleted": pc.cast(pc.equal(good["op"], "d"), pa.uint8()),
            "_source_at": good["source_at"],
            "_kafka_at": good["kafka_at"],
        }
        self.warehouse.insert(own_name(table.name), pa.table(values), token)
        if self._rollups(table) and not late:
            self.warehouse.insert(own_name(table.name) + DELTAS_SUFFIX, _deltas(good, name), token)

    def _place(self, rows: Any) -> Any:
        """The greater, the later: of two rows with the same key the later counts."""
        if isinstance(self.judge, EventsJudge) and self.judge.spec.keys:
            return _by_time(rows["kafka_at"])
        return rows["place"]

    def _empty(self, table: SourceTable, order: Order) -> None:
        """Of what came before."""
        self.warehouse.note_emptied(table.name, order)
        self._emptied[table.name] = order
        if self._rollups(table):
            # Sums do not tell which rows they are of, and another partition may have brought later ones.
            self.sums.note({(table.name, "")})
        name = full(self.spec.database, own_name(table.name))
        place, lsn = order
        self.warehouse.command(f"DELETE FROM {name} WHERE (_place, _lsn) < ({place:d}, {lsn:d})")  # noqa: S608 - numbers
        for rollup in self._rollups(table):
            self.warehouse.command(f"TRUNCATE TABLE {full(self.spec.database, rollup.name)}")

    def _rollups(self, table: SourceTable) -> list[Rollup]:
        return rollups_of(table, self.spec.rollups)


def as_kept(value: Column, kind: ColumnType) -> Column:
    """As ClickHouse has it: records, maps and variants, wherever they are, as texts in JSON."""
    match kind:
        case Struct() | MapOf():
            return F.to_json(value, _AS_JSON)
        case ListOf(element) if _has_json(element):
            return F.transform(value, lambda one: as_kept(one, element))
        case _:
            return F.to_json(value) if kind == VARIANT else value


def _has_json(kind: ColumnType) -> bool:
    return _has_json(kind.element) if isinstance(kind, ListOf) else isinstance(kind, Struct | MapOf) or kind == VARIANT


def _events_table(judge: EventsJudge) -> SourceTable:
    """What ClickHouse keeps of events: told apart by the spec's keys, or by where they came from."""
    spec = judge.spec
    (name,) = spec.source_tables
    columns = {**ORIGIN, **spec.event_columns}
    return SourceTable(name, columns, tuple(spec.keys) or ("topic", "partition", "offset"), "f")


def _flat(structs: Any) -> dict[str, Any]:
    whole = structs.combine_chunks() if isinstance(structs, pa.ChunkedArray) else structs
    return {field.name: whole.field(place) for place, field in enumerate(whole.type)}


def _deltas(rows: Any, name: str) -> Any:
    """What each change takes away and what it adds, with a sign."""
    return pa.concat_tables(list(_signed(rows, name, _before(name))))


def _before(name: str) -> str:
    """Of a column of rows, the one of what they were before."""
    return changes.before_name(int(name.rpartition("_")[2]))


def _signed(rows: Any, after: str, before: str) -> Iterator[Any]:
    # Events only ever come.
    if before in rows.column_names:
        gone = pc.and_(pc.is_in(rows["op"], value_set=pa.array(["u", "d"])), pc.is_valid(rows[before]))
        yield _with_sign(rows.filter(gone)[before], -1)
    yield _with_sign(rows.filter(pc.invert(pc.equal(rows["op"], "d")))[after], 1)


def _with_sign(structs: Any, sign: int) -> Any:
    return pa.table(_flat(structs) | {SIGN: pa.array([sign] * len(structs), pa.int8())})


def _by_time(kafka_at: Any) -> Any:
    """By Kafka's time, since offsets of several partitions tell nothing of each other: they tell apart what is of one millisecond.

    Tables have rows from when a part of the offset was in its last 20 bits. Of what is left, 43 last until 2248.
    """
    at = kafka_at.cast(pa.timestamp("ms", "UTC"), safe=False).cast(pa.int64())
    return pc.shift_left(pc.min_element_wise(pc.max_element_wise(at, 0), 2**43 - 1), 20)


def _milliseconds(at: Any) -> int | None:
    """Since 1970. Not by Python's own times, which end with the year 9999."""
    return at.cast(pa.timestamp("ms", "UTC"), safe=False).cast(pa.int64()).as_py()
