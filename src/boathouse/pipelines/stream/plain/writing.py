"""Plain messages written straight to files of the log by the Python beside Spark, which has them as Arrow already."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import obstore
import pyarrow as pa
import pyarrow.compute as _compute
import pyarrow.parquet as pq

from boathouse.kit.ids import new_uuid
from boathouse.kit.objects import open_store, storage_errors
from boathouse.pipelines.stream.plain.columns import every, is_text
from boathouse.pipelines.stream.plain.logged import Logged, LogRows

pc: Any = _compute
MESSAGE: dict[str, Any] = {
    "topic": pa.string(),
    "partition": pa.int32(),
    "offset": pa.int64(),
    "timestamp": pa.timestamp("us", "UTC"),
    "key": pa.binary(),
    "value": pa.binary(),
}
"""As Kafka's source gives them, of those that are left to somebody else."""
TOLD: dict[str, Any] = {"file": pa.string(), "rows": pa.int64(), "bytes": pa.int64(), "newest": pa.int64()}
"""Of files that were written: where, how much, and when the newest of their messages was made, in milliseconds since 1970."""
MESSAGE_SCHEMA = "topic string, partition int, offset bigint, timestamp timestamp, key binary, value binary"
"""As Spark calls those of MESSAGE."""
SCHEMA = f"file string, rows bigint, bytes bigint, newest bigint, {MESSAGE_SCHEMA}"
_ROWS = pa.schema([*TOLD.items(), *MESSAGE.items()])
_FIELD_ID = "PARQUET:field_id"
# Of Arrow, before it is packed. A task has as much in memory for each of its topics, of which it mostly has one.
_FILE_BYTES = 128 * 1024 * 1024


@dataclass(frozen=True)
class LogFiles:
    """What Spark calls in each task; the keys to the store stand in the environment, where Spark's own do."""

    directory: str
    endpoint: str
    region: str
    field_ids: Mapping[str, int]
    compression: str
    logged: Logged

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        files: dict[str, _File] = {}
        for batch in batches:
            rows = self._logged(batch)
            if not every(rows.plain):
                left = batch.filter(pc.invert(rows.plain))
                yield _rows({name: left[name].cast(kind) for name, kind in MESSAGE.items()}, left.num_rows)
            for topic in self._add(rows, files):
                if files[topic].is_full():
                    yield self._put(topic, files.pop(topic))
        for topic, file in files.items():
            yield self._put(topic, file)

    def _logged(self, batch: Any) -> LogRows:
        try:
            return self.logged.of(batch)
        except pa.ArrowInvalid:
            # A key that is no text is left with its message.
            texts = pa.array([is_text(key) for key in batch["key"].to_pylist()], pa.bool_())
            if every(texts):
                return _nothing(batch.num_rows)
            rows = self._logged(batch.filter(texts))
            plain = pc.replace_with_mask(texts, texts, rows.plain)
            return LogRows(plain, rows.columns, rows.made_at)

    def _add(self, rows: LogRows, files: dict[str, "_File"]) -> list[str]:
        """To the files of their topics; which those are."""
        if not rows.columns or not len(rows.made_at):
            return []
        own = {"written_at": datetime.now(UTC), "replayed": False}
        columns = rows.columns | {name: pa.repeat(pa.scalar(value), len(rows.made_at)) for name, value in own.items()}
        batch = pa.RecordBatch.from_pydict({name: columns[name] for name in self.field_ids})
        topics: list[str] = pc.unique(batch["topic"]).to_pylist()
        for topic in topics:
            here = batch if len(topics) == 1 else batch.filter(pc.equal(batch["topic"], topic))
            file = files.setdefault(topic, _File(self._schema(batch.schema)))
            # The newest of all topics in it is near enough.
            file.add(here, pc.max(rows.made_at))
        return topics

    def _schema(self, schema: Any) -> Any:
        return pa.schema([one.with_metadata({_FIELD_ID: str(self.field_ids[one.name])}) for one in schema])

    def _put(self, topic: str, file: "_File") -> Any:
        name = f"{new_uuid()}.parquet"
        url, content = f"{self.directory}/{name}", file.content(self.compression)
        store = open_store(self.directory, endpoint=self.endpoint, region=self.region)
        with storage_errors(url):
            obstore.put(store, name, memoryview(content).cast("B"))
        told = {"file": url, "rows": file.rows, "bytes": content.size, "newest": file.newest, "topic": topic}
        return _rows({name: pa.array([value], _ROWS.field(name).type) for name, value in told.items()}, 1)


@dataclass
class _File:
    """It has one group of rows: of several, Iceberg takes the bounds of a column from those that tell any, and not all do."""

    schema: Any
    rows: int = 0
    newest: int | None = None
    _bytes: int = 0
    _batches: list[Any] = field(default_factory=list[Any])

    def add(self, batch: Any, made_at: Any) -> None:
        at = made_at.cast(pa.timestamp("ms", "UTC"), safe=False).cast(pa.int64()).as_py() if made_at.is_valid else None
        self.newest = max(filter(None, (at, self.newest)), default=None)
        self.rows += batch.num_rows
        self._bytes += batch.nbytes
        self._batches.append(batch)

    def is_full(self) -> bool:
        return self._bytes > _FILE_BYTES

    def content(self, compression: str) -> Any:
        """As Arrow has it; it counts as bytes."""
        made = pa.BufferOutputStream()
        # No two have the same offset, so it would be in vain to look for those.
        repeated = [name for name in self.schema.names if name != "offset"]
        options: dict[str, Any] = {
            "compression": compression,
            "store_decimal_as_integer": True,
            "use_dictionary": repeated,
        }
        table = pa.Table.from_batches(self._batches).cast(self.schema)
        pq.write_table(table, made, row_group_size=table.num_rows, **options)
        return made.getvalue()


def _nothing(count: int) -> LogRows:
    return LogRows(pa.repeat(pa.scalar(False), count), {}, pa.nulls(0))


def _rows(given: Mapping[str, Any], count: int) -> Any:
    columns = [given[one.name] if one.name in given else pa.nulls(count, one.type) for one in _ROWS]
    return pa.RecordBatch.from_arrays(columns, schema=_ROWS)
