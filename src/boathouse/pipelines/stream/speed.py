"""The same changes in ClickHouse within seconds: each key's newest, by the source's own log, and sums kept beside.

A batch is one insert for each table, with a token: repeated after a crash, ClickHouse knows it and leaves it. Even without
that a repeated or late change does no harm, because of each key the row with the greatest place in the log counts.
"""

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import clickhouse_connect
import pyarrow as pa
import pyarrow.compute as _compute
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import ClickHouseError
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.kit.access import ClickHouseAccess
from boathouse.kit.errors import Unavailable
from boathouse.kit.ids import new_uuid
from boathouse.pipelines.stream import changes, offsets
from boathouse.pipelines.stream.clickhouse_tables import (
    DELTAS_SUFFIX,
    SIGN,
    alterations,
    create_rollup,
    create_table,
    full,
    name_of,
    quoted,
)
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.judging import ChangesJudge
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import Rollup
from boathouse.pipelines.stream.spec import Speed as SpeedSpec

pc: Any = _compute
"""Its functions are made when it is loaded, so no checker knows them."""
NAME = "speed"
_META = ("topic", "op", "lsn", "source_at", "kafka_at", "problem")


def connect(access: ClickHouseAccess, database: str | None = None) -> Client:
    try:
        return clickhouse_connect.get_client(
            dsn=access.uri,
            username=access.user,
            password=access.password.get_secret_value(),
            database=database or access.database,
            autogenerate_session_id=False,
            query_limit=0,
        )
    except ClickHouseError as error:
        raise Unavailable(
            f"ClickHouse at {access.uri} does not answer: {str(error).splitlines()[0]}",
            hint="See `boathouse status` and `boathouse logs clickhouse`.",
        ) from error


@contextmanager
def _away(access: ClickHouseAccess) -> Generator[None]:
    """What it says in its own words, or that it is not there."""
    try:
        yield
    except ClickHouseError as error:
        raise Unavailable(f"ClickHouse at {access.uri}: {str(error).splitlines()[0]}") from error


@dataclass
class Speed:
    context: StreamContext
    judge: ChangesJudge
    meter: Meter
    spec: SpeedSpec
    access: ClickHouseAccess
    done: Offsets = field(default_factory=dict[str, dict[str, int]])
    _client: Client | None = None
    _made: dict[str, SourceTable] = field(default_factory=dict[str, SourceTable])

    def take(self, messages: DataFrame, batch: int) -> None:
        """One batch of the stream, which may have been taken before."""
        began = time.monotonic()
        end = offsets.of_batch(self.context.access.object_store, self.context.directory(NAME), batch)
        rows = self.insert(messages, f"{self.context.spec.slug}/{batch}")
        newest = pc.max(rows["source_at"]).as_py()
        self.done = end
        rejected = len(rows) - rows["problem"].null_count
        self.meter.took(batch, rows.num_rows, rejected, time.monotonic() - began, _milliseconds(newest))

    def insert(self, messages: DataFrame, token: str) -> Any:
        """The messages as they were judged. A token that was used before inserts nothing."""
        rows = self._judged(messages)
        for place, table in enumerate(self.judge.followed.now().values()):
            of_table = rows.filter(pc.equal(rows["topic"], self._topics()[place]))
            if of_table.num_rows:
                self._prepare(table)
                self._insert(table, of_table, changes.row_name(place), token)
        return rows

    def _topics(self) -> list[str]:
        return list(self.judge.followed.now())

    def _judged(self, messages: DataFrame) -> Any:
        """In one job for all tables; once more if a table turns out to have changed."""
        while True:
            judged = self.judge.judge(messages)
            wanted = [changes.row_name(place) for place in range(len(self._topics()))]
            before = [changes.before_name(place) for place in self._with_rollups()]
            found = judged.select(*_META, (F.size("unknown") > 0).alias("unknown"), *wanted, *before).toArrow()
            odd = pc.any(found["unknown"]).as_py() or found["problem"].null_count < found.num_rows
            if not odd or not self.judge.learn(judged):
                return found

    def _with_rollups(self) -> list[int]:
        return [place for place, table in enumerate(self.judge.followed.now().values()) if self._rollups(table)]

    def _insert(self, table: SourceTable, rows: Any, name: str, token: str) -> None:
        truncated = pc.max(rows.filter(pc.equal(rows["op"], "t"))["lsn"]).as_py()
        if truncated is not None:
            self._truncate(table, truncated)
            # What is emptied once more is filled once more.
            rows, token = rows.filter(pc.greater(rows["lsn"], truncated)), f"{token}/{new_uuid()}"
        good = rows.filter(pc.and_(pc.is_valid(rows[name]), pc.is_null(rows["problem"])))
        if not good.num_rows:
            return
        values = _flat(good[name])
        values |= {
            "_lsn": good["lsn"].cast(pa.uint64()),
            "_deleted": pc.cast(pc.equal(good["op"], "d"), pa.uint8()),
            "_source_at": good["source_at"],
            "_kafka_at": good["kafka_at"],
        }
        self._put(name_of(table.name), pa.table(values), token)
        if self._rollups(table):
            self._put(name_of(table.name) + DELTAS_SUFFIX, _deltas(good, name), token)

    def _truncate(self, table: SourceTable, lsn: int) -> None:
        name = full(self.spec.database, name_of(table.name))
        self._command(f"DELETE FROM {name} WHERE _lsn < {lsn:d}")  # noqa: S608 - a number
        for rollup in self._rollups(table):
            self._command(f"TRUNCATE TABLE {full(self.spec.database, rollup.name)}")

    def _rollups(self, table: SourceTable) -> list[Rollup]:
        return [rollup for rollup in self.spec.rollups if rollup.table == table.name]

    def _put(self, name: str, rows: Any, token: str) -> None:
        body = pa.BufferOutputStream()
        with pa.ipc.new_stream(body, rows.schema) as writer:
            writer.write_table(rows.combine_chunks())
        settings = {
            "insert_deduplication_token": f"{token}/{name}",
            "deduplicate_blocks_in_dependent_materialized_views": 1,
            "async_insert": 0,
        }
        table = full(self.spec.database, name)
        with _away(self.access):
            self._open().raw_insert(
                table, rows.column_names, body.getvalue().to_pybytes(), settings=settings, fmt="ArrowStream"
            )

    def _prepare(self, table: SourceTable) -> None:
        if self._made.get(table.name) == table:
            return
        self._command(f"CREATE DATABASE IF NOT EXISTS {quoted(self.spec.database)}")
        self._command(create_table(self.spec.database, table))
        with _away(self.access):
            described = self._open().query(f"DESCRIBE TABLE {full(self.spec.database, name_of(table.name))}")
        there = {row[0]: row[1] for row in described.result_rows}
        for statement in alterations(self.spec.database, table, there):
            self._command(statement)
        for rollup in self._rollups(table):
            for statement in create_rollup(self.spec.database, table, rollup):
                self._command(statement)
        self._made[table.name] = table

    def _command(self, statement: str) -> None:
        with _away(self.access):
            self._open().command(statement)

    def _open(self) -> Client:
        if self._client is None:
            self._client = connect(self.access)
        return self._client


def _flat(structs: Any) -> dict[str, Any]:
    whole = structs.combine_chunks() if isinstance(structs, pa.ChunkedArray) else structs
    return {field.name: whole.field(place) for place, field in enumerate(whole.type)}


def _deltas(rows: Any, name: str) -> Any:
    """What each change takes away and what it adds, with a sign."""
    before = changes.before_name(int(name.rpartition("_")[2]))
    parts = list(_signed(rows, name, before))
    return pa.concat_tables(parts)


def _signed(rows: Any, after: str, before: str) -> Iterator[Any]:
    gone = rows.filter(pc.and_(pc.is_in(rows["op"], value_set=pa.array(["u", "d"])), pc.is_valid(rows[before])))
    come = rows.filter(pc.invert(pc.equal(rows["op"], "d")))
    for part, column, sign in ((gone, before, -1), (come, after, 1)):
        values = _flat(part[column])
        yield pa.table(values | {SIGN: pa.array([sign] * part.num_rows, pa.int8())})


def _milliseconds(at: Any) -> int | None:
    return None if at is None else int(at.timestamp() * 1000)
