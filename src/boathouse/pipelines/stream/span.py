"""Between which keys the changes of a round are: what a table has outside of that need not be read to merge them."""

from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import ColumnType, Decimal, Primitive, quoted

# Of these, whatever Spark has comes to Python and goes back as the same; moments reach further than Python's own.
_SURE = (Primitive("int"), Primitive("long"), Primitive("string"))


@dataclass(frozen=True)
class Span:
    column: str | None = None
    """Of the key; None where nothing is known."""
    ends: dict[str, Any] = field(default_factory=dict[str, Any])
    """`least` and `most`, for a statement with `sql` in it."""

    def sql(self, side: str) -> str:
        """To be put behind another condition."""
        if self.column is None:
            return ""
        name = f"{side}.{quoted(self.column)}"
        return f" AND {name} >= :least AND {name} <= :most"

    def holds(self, side: str) -> Column:
        if self.column is None:
            return F.lit(True)
        return F.col(f"{side}.{quoted(self.column)}").between(self.ends["least"], self.ends["most"])


def span_of(rows: DataFrame, table: SourceTable) -> Span:
    """Reads all of them, by which what is persisted is there."""
    column = next((name for name in table.key if _is_sure(table.columns[name])), None)
    if column is None:
        rows.count()
        return Span()
    found = rows.agg(F.min(quoted(column)).alias("least"), F.max(quoted(column)).alias("most")).first()
    ends = found.asDict() if found else {}
    return Span() if ends.get("least") is None else Span(column, ends)


def _is_sure(kind: ColumnType) -> bool:
    return kind in _SURE or isinstance(kind, Decimal)
