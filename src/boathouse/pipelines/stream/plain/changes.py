"""Changes as Debezium writes them: rows before and after, of columns that are known, and where they stand in the source's log."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as _compute

from boathouse.pipelines.stream.plain.columns import MOMENT, arrow_type, every, made, read_as, require
from boathouse.pipelines.stream.plain.reading import PlainReader, objects
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import ColumnType

pc: Any = _compute
_LONG = pa.int64()
TOLD: dict[str, Any] = {"op": pa.string(), "lsn": _LONG, "place": _LONG, "tx": _LONG, "source_ms": _LONG}
"""What is told of each change, beside the rows of its table."""
TOMBSTONE = "tombstone"
"""What a message without a value is: it tells Kafka to forget the key."""
EARLIEST, LATEST = -62_135_596_800_000, 253_402_300_799_999
"""When a change may have been made, in milliseconds since 1970: the years 1 to 9999, which everybody can write down."""
_SOURCE = pa.struct([("lsn", _LONG), ("txId", _LONG), ("ts_ms", _LONG), ("sequence", pa.string())])
LAST_COMMIT = r'^\[ *"([0-9]{1,18})"'
"""Of `source.sequence`, which is a JSON text in JSON: where the last transaction ended that was told before this one."""
_DELETED = "d"
_ROW = "r"
_OPERATIONS = pa.array(["c", "u", _ROW, _DELETED])
_NEW = pa.array(["c", _ROW])


def row_name(place: int) -> str:
    """The field with the rows of one table: null in changes of others."""
    return f"row_{place}"


def before_name(place: int) -> str:
    """The same, as they were before."""
    return f"before_{place}"


def source_at(source_ms: Any) -> Any:
    """The moments that are told in milliseconds since 1970."""
    return source_ms.cast(pa.timestamp("ms", "UTC")).cast(MOMENT)


@dataclass(frozen=True)
class PlainChanges:
    """Of several tables, by topic, whose columns are all of kinds that are read."""

    tables: Mapping[str, SourceTable]
    never: str

    def read(self, topics: Any, messages: Any) -> Any:
        parts: list[Any] = []
        places: list[Any] = []
        for topic in pc.unique(topics).to_pylist():
            at = pc.indices_nonzero(pc.equal(topics, topic))
            reader = _OfTable(self.tables, topic, self.never)
            here = messages.take(at)
            parts.append(reader.read(here) if topic in self.tables else reader.left(len(here)))
            places.append(at)
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return _OfTable(self.tables, "", self.never).left(0)
        return pa.concat_arrays(parts).take(pc.sort_indices(pa.concat_arrays(places)))


@dataclass
class _OfTable(PlainReader):
    tables: Mapping[str, SourceTable]
    topic: str
    never: str

    def fields(self) -> Mapping[str, Any]:
        rows: dict[str, Any] = {}
        for place, table in enumerate(self.tables.values()):
            rows[row_name(place)] = rows[before_name(place)] = _struct(table.columns)
        return {**TOLD, **rows}

    def values(self, messages: Any) -> list[Any]:
        table = self.tables[self.topic]
        kinds = [(name, read_as(kind, decimals_are_texts=True)) for name, kind in table.columns.items()]
        row = pa.struct(kinds)
        schema = pa.schema(
            [("before", row), ("after", row), ("source", _SOURCE), ("op", pa.string()), ("ts_ms", _LONG)]
        )
        _, _, read = objects(messages, schema, never=self.never, others="infer")
        before, after, source, op = (read.column(name).combine_chunks() for name in schema.names[:4])
        # A column that nobody knows yet is somebody else's to look at.
        require(before.type.num_fields == after.type.num_fields == len(kinds))
        deleted = pc.equal(op, _DELETED)
        there = pc.if_else(deleted, pc.is_valid(before), pc.is_valid(after))
        lsn, tx, source_ms, sequence = source.flatten()[:4]
        known = pc.and_(pc.greater_equal(lsn, 0), pc.is_in(op, _OPERATIONS))
        require(every(pc.fill_null(pc.and_(there, known), False)))
        require(every(pc.and_(pc.greater_equal(source_ms, EARLIEST), pc.less_equal(source_ms, LATEST))))
        old = _columns(before, table.columns)
        rows = _chosen(deleted, old, _columns(after, table.columns))
        require(not any(rows[name].null_count for name in table.key))
        of_table = iter((_row(rows), _row(old, pc.or_(pc.is_null(before), pc.is_in(op, _NEW)))))
        lsn = _read_at(op, lsn, table)
        return [op, lsn, _place(op, lsn, sequence), tx, source_ms, *self._of_all(of_table, len(messages))]

    def _of_all(self, of_table: Iterator[Any], count: int) -> Iterator[Any]:
        for topic, table in self.tables.items():
            for _ in ("row", "before"):
                yield next(of_table) if topic == self.topic else pa.nulls(count, _struct(table.columns))


def _read_at(op: Any, lsn: Any, table: SourceTable) -> Any:
    """Where in the log a change is: rows that were there, where they were read at the earliest."""
    if table.rows_from is None:
        return lsn
    return pc.if_else(pc.equal(op, _ROW), pc.min_element_wise(lsn, table.rows_from), lsn)


def _place(op: Any, lsn: Any, sequence: Any) -> Any:
    """Where it counts as made: not before what was committed before it.

    A change may be in the log before another that it has waited for: an insert is written, and then finds its key taken.
    """
    told = pc.struct_field(pc.extract_regex(sequence, LAST_COMMIT.replace("(", "(?P<lsn>")), "lsn").cast(_LONG)
    return pc.if_else(pc.equal(op, _ROW), lsn, pc.max_element_wise(lsn, told))


def _struct(columns: Mapping[str, ColumnType]) -> Any:
    return pa.struct([(name, arrow_type(kind)) for name, kind in columns.items()])


def _columns(rows: Any, columns: Mapping[str, ColumnType]) -> dict[str, Any]:
    read = rows.flatten()
    if rows.null_count == len(rows):
        return {name: pa.nulls(len(rows), arrow_type(kind)) for name, kind in columns.items()}
    return {name: made(column, kind) for column, (name, kind) in zip(read, columns.items(), strict=True)}


def _chosen(deleted: Any, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Of a deleted row what it was, of any other what it is."""
    if not pc.any(deleted).as_py():
        return after
    return {name: pc.if_else(deleted, before[name], after[name]) for name in after}


def _row(columns: dict[str, Any], nothing: Any = None) -> Any:
    return pa.StructArray.from_arrays(list(columns.values()), names=list(columns), mask=nothing)
