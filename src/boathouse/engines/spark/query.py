"""One SQL statement and its rows, batch by batch, as Arrow."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.connect.dataframe import DataFrame as ConnectDataFrame
from pyspark.sql.connect.session import SparkSession

from boathouse.engines.spark.errors import translated
from boathouse.engines.spark.statements import Statement

# pyarrow is compiled and brings no types: what these really are is pyarrow.Schema and pyarrow.Table.
ArrowSchema = Any
ArrowTable = Any


@dataclass(frozen=True)
class Result:
    """What a statement returned. The rows are fetched as they are asked for, once."""

    schema: ArrowSchema
    batches: Iterator[ArrowTable]

    @property
    def has_columns(self) -> bool:
        """False for a statement that only does something, such as INSERT."""
        return len(self.schema) > 0


def run(
    session: SparkSession,
    statement: Statement,
    *,
    at_most: int | None = None,
    values: Mapping[str, Any] | None = None,
) -> Result:
    """Run the statement, with values for its `:name`s; of a query's rows fetch no more than `at_most`."""
    with _pointing_into(statement):
        frame = session.sql(statement.text, dict(values) if values else None)
        batches = _fetch(session, frame if at_most is None else frame.limit(at_most), statement)
        first = next(batches)
    return Result(first.schema, chain([first], batches))


def _fetch(session: SparkSession, frame: DataFrame, statement: Statement) -> Iterator[ArrowTable]:
    """Arrow as it arrives: the public `toArrow` waits for everything, `toLocalIterator` makes Python rows of it."""
    plan = cast("ConnectDataFrame", frame)._plan  # noqa: SLF001
    with _pointing_into(statement):
        for part in session.client.to_table_as_iterator(plan.to_proto(session.client), plan.observations):
            if isinstance(part, pa.Table):
                yield part


def _pointing_into(statement: Statement) -> AbstractContextManager[None]:
    return translated(statement.text, first_line=statement.line)
