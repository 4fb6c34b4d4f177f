"""A batch of messages read as one document; a part of it that Arrow refuses is halved until it is short, and left."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as _compute
import pyarrow.json as _json

from boathouse.pipelines.stream.plain.columns import PLAIN, NotPlainError, every, require

__all__ = ["PLAIN", "PlainReader", "objects"]

pc: Any = _compute
pj: Any = _json
# A part that is refused and no longer than this is left to Spark, and so is the rest of a batch in which so many were.
_SHORT = 64
_REFUSALS = 40


class PlainReader(ABC):
    """What its `read` gives is a struct of its fields, and of PLAIN: whether they are what the message says."""

    _refused = 0

    @abstractmethod
    def fields(self) -> Mapping[str, Any]:
        """Arrow's type of each."""

    @abstractmethod
    def values(self, messages: Any) -> list[Any]:
        """Those of all the messages; NotPlainError, or an error of Arrow's, if not all of them are plain."""

    def read(self, messages: Any) -> Any:
        if messages.null_count:
            there = pc.is_valid(messages)
            read = pa.concat_arrays([self.read(messages.filter(there)), self.left(1)])
            # Each takes its place among the others, and what is nothing the last one.
            places = pc.subtract(pc.cumulative_sum(there.cast(pa.int64())), 1)
            return read.take(pc.if_else(there, places, len(read) - 1))
        self._refused = 0
        parts = list(self._parts(messages))
        return parts[0] if len(parts) == 1 else pa.concat_arrays(parts or [self.left(0)])

    def left(self, count: int) -> Any:
        """Of so many that somebody else reads."""
        nothing = [pa.nulls(count, kind) for kind in self.fields().values()]
        return self._struct(plain=False, count=count, values=nothing)

    def _parts(self, messages: Any) -> Iterator[Any]:
        waiting = [messages]
        while waiting:
            part = waiting.pop()
            found = self._plain(part) if self._refused < _REFUSALS else None
            if found is not None:
                yield found
            elif len(part) <= _SHORT or self._refused >= _REFUSALS:
                yield self.left(len(part))
            else:
                half = len(part) // 2
                waiting += [part.slice(half), part.slice(0, half)]

    def _plain(self, messages: Any) -> Any | None:
        """Nothing if not all of them are."""
        try:
            values = self.values(messages)
        except (pa.ArrowException, NotPlainError):
            self._refused += 1
            return None
        return self._struct(plain=True, count=len(messages), values=values)

    def _struct(self, *, plain: bool, count: int, values: list[Any]) -> Any:
        names = [PLAIN, *self.fields()]
        return pa.StructArray.from_arrays([pa.repeat(pa.scalar(plain), count), *values], names=names)


def objects(messages: Any, schema: Any, *, never: str, others: str) -> tuple[Any, bytes, Any]:
    """The messages as texts, one after another, and a table of the objects that they are, one for each.

    `never` is a text in which nothing that has it is plain, `others` what is done with names that the schema has not.
    """
    # This also finds what is not UTF-8.
    texts = messages.cast(pa.string())
    # An object begins and ends with each of them. A line's end is in none of their texts, or Arrow refuses it, and
    # between } and { it parts two objects. So if there are as many objects as messages, each message is one.
    require(every(pc.and_(pc.starts_with(texts, "{"), pc.ends_with(texts, "}"))))
    lines = memoryview(pc.binary_join_element_wise(texts, "", "\n").buffers()[2]).tobytes()
    require(never.encode() not in lines)
    parsing = pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior=others)
    reading = pj.ReadOptions(use_threads=False, block_size=max(1, len(lines)))
    table = pj.read_json(pa.BufferReader(lines), reading, parsing)
    require(table.num_rows == len(messages))
    return texts, lines, table
