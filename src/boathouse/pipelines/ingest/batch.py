"""What every format gives the load: rows still carrying where they came from and what is wrong with them.

A batch is a lazy DataFrame. Its columns are the data's own, then the ones named here, which the load takes off again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it
from pyspark.sql.types import StructType

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.types import ColumnType, from_spark

FILE = "_bh_file"
"""The file, as Spark names it."""
START = "_bh_start"
"""Where in the file: the byte at which Spark began the row's piece, or the row's own number from zero."""
ID = "_bh_id"
"""Which row it is among the files that are read together; the same whenever they are read again."""
RAW = "_bh_raw"
"""The row as it stood in the file."""
ROW = "_bh_row"
"""The row as the format's parser read it, a struct."""
VERDICT = "_bh_verdict"
"""The number of the rule that decided about the row, or null if it passes."""
PICKED = "_bh_picked"
"""The id of a row that is quarantined."""
FAILED = "_bh_failed"
"""The id of a row that stops the load."""
PIECE = "_bh_piece"
"""For either: the piece's number, where it began and its file, as `Picked` holds them."""
MALFORMED = "_bh_malformed"
"""Whether the row does not fit the schema."""
COMPLAINT = "_bh_complaint"
"""Why it does not: worked out only where somebody asks for it."""
PIECE_SHIFT = 33
"""Spark numbers the rows of a piece in the lower 33 bits of the id."""
LINE_BITS = (1 << PIECE_SHIFT) - 1


@dataclass(frozen=True)
class Picked:
    """Rows to be looked at again, by their ids."""

    ids: Sequence[int]
    pieces: Mapping[int, tuple[str, int]]
    """For the upper bits of an id: the file as Spark names it, and the byte at which it began the piece."""
    store: ObjectStoreAccess


@dataclass(frozen=True)
class Batch:
    """Rows of one format, ready to be judged."""

    rows: Callable[[Picked | None], DataFrame]
    """All the rows, or those that are picked; only those are parsed."""
    columns: dict[str, ColumnType]
    line: Callable[[DataFrame], DataFrame]
    """Adds the column `line`: worked out only for the rows that are rejected."""
    most_rows: int
    """No more rows than this can come out."""


def only(rows: DataFrame, picked: Picked | None) -> DataFrame:
    """The rows that are picked, found among all of them before any is parsed."""
    if picked is None:
        return rows
    wanted = rows.sparkSession.createDataFrame(pa.table({ID: pa.array(picked.ids, pa.int64())}))
    return rows.join(F.broadcast(wanted), ID, "left_semi")


def columns_of(schema: StructType) -> dict[str, ColumnType]:
    """The columns as Spark found them; InvalidInput names one that no table can hold."""
    columns: dict[str, ColumnType] = {}
    for field in schema.fields:
        try:
            columns[field.name] = from_spark(field.dataType.jsonValue())
        except ValueError as error:
            raise InvalidInput(
                f"The column {field.name!r} cannot be written: {error}.", hint="Cast it in the spec."
            ) from error
    return columns


def any_of(conditions: Sequence[Column]) -> Column:
    first, *rest = conditions
    for condition in rest:
        first = first | condition
    return first
