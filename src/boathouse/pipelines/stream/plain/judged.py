"""Plain messages of a batch that is at hand, as Spark's judging tells them: for a few thousand, Spark takes longer to plan than Arrow to read."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as _compute

from boathouse.pipelines.stream.plain.changes import TOLD, TOMBSTONE, PlainChanges, row_name, source_at
from boathouse.pipelines.stream.plain.columns import MOMENT, every, is_text
from boathouse.pipelines.stream.plain.events import PlainEvents

pc: Any = _compute
# A reader gives up on what it is given if too much of it is not plain.
_AT_ONCE = 20_000


@dataclass(frozen=True)
class Judged:
    plain: Any
    """Which of the messages they are of."""
    rows: Any
    """Those alone, with `topic`, `partition`, `key`, `op`, `lsn`, `place`, `source_at`, `kafka_at`, `unknown`, `problem` and the rows of each table."""


class Quick(ABC):
    @abstractmethod
    def _columns(self, messages: Any, keys: Any) -> tuple[Any, dict[str, Any]]:
        """Which are plain, and what is told of all of them."""

    def judge(self, messages: Any) -> Judged:
        """A table of Kafka's messages."""
        parts = [self._part(batch) for batch in _in_pieces(messages)]
        plain = pa.chunked_array([part.plain for part in parts], pa.bool_())
        return Judged(plain, pa.concat_tables([part.rows for part in parts]))

    def _part(self, messages: Any) -> Judged:
        keys, texts = _texts(messages["key"])
        read, columns = self._columns(messages, keys)
        plain = pc.and_(read, texts)
        count = messages.num_rows
        common = {
            "topic": messages["topic"],
            "partition": messages["partition"],
            "key": keys,
            "kafka_at": messages["timestamp"].cast(MOMENT),
            "unknown": pa.repeat(pa.scalar(False), count),
            "problem": pa.nulls(count, pa.string()),
        }
        rows = pa.table({**common, **columns})
        return Judged(plain, rows if every(plain) else rows.filter(plain))


@dataclass(frozen=True)
class QuickChanges(Quick):
    reader: PlainChanges

    def _columns(self, messages: Any, keys: Any) -> tuple[Any, dict[str, Any]]:
        del keys
        nothing = pc.is_null(messages["value"])
        read = self.reader.read(messages["topic"], messages["value"])
        plain, op, lsn, place, _, source_ms, *rows = read.flatten()
        plain, op = pc.or_(plain, nothing), pc.if_else(nothing, TOMBSTONE, op)
        names = [field.name for field in read.type][1 + len(TOLD) :]
        told = {"op": op, "lsn": lsn, "place": place, "source_at": source_at(source_ms)}
        return plain, {**told, **dict(zip(names, rows, strict=True))}


@dataclass(frozen=True)
class QuickEvents(Quick):
    reader: PlainEvents

    def _columns(self, messages: Any, keys: Any) -> tuple[Any, dict[str, Any]]:
        """An event comes, and only ever comes."""
        plain, *values = self.reader.of(messages).flatten()
        at = messages["timestamp"].cast(MOMENT)
        origin = [messages["topic"], messages["partition"], messages["offset"], at, keys]
        names = ["topic", "partition", "offset", "kafka_at", "key", *self.reader.columns]
        row = pa.StructArray.from_arrays([*origin, *values], names=names)
        op = pa.repeat(pa.scalar("c"), messages.num_rows)
        here = {"lsn": messages["offset"], "place": messages["offset"]}
        return plain, {"op": op, **here, "source_at": at, row_name(0): row}


def _in_pieces(messages: Any) -> Iterator[Any]:
    whole = messages.combine_chunks()
    for start in range(0, max(1, whole.num_rows), _AT_ONCE):
        piece = whole.slice(start, _AT_ONCE)
        yield pa.RecordBatch.from_pydict({name: _array(piece[name]) for name in piece.column_names})


def _array(column: Any) -> Any:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def _texts(keys: Any) -> tuple[Any, Any]:
    """As texts, and which are any: one that is not is for somebody else to look at."""
    try:
        return keys.cast(pa.string()), pa.repeat(pa.scalar(True), len(keys))
    except pa.ArrowInvalid:
        texts = pa.array([is_text(key) for key in keys.to_pylist()], pa.bool_())
        return pc.if_else(texts, keys, pa.scalar(None, keys.type)).cast(pa.string()), texts
