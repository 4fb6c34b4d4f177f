"""What the log remembers of the columns of the tables whose changes it has: types that all of its changes fit.

A table that is made of the log later has to take the first of them too, whatever the source's columns have become since.
"""

import json
from collections.abc import Iterable, Mapping

from boathouse.kit.catalog_client import Json
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import ColumnType, Primitive, fits, parse_type, spark_type

PROPERTY = "boathouse.stream.columns"
Columns = Mapping[str, Mapping[str, ColumnType]]
"""By the source table's name."""


def known(metadata: Json) -> Columns:
    """Older logs remember nothing."""
    told: dict[str, dict[str, str]] = json.loads(metadata.get("properties", {}).get(PROPERTY, "{}"))
    return {name: {one: parse_type(kind) for one, kind in columns.items()} for name, columns in told.items()}


def with_those_of(tables: Iterable[SourceTable], before: Columns) -> Columns:
    """Of tables that are not followed any more, there are changes all the same."""
    return {**before, **{table.name: merged(before.get(table.name, {}), table.columns) for table in tables}}


def as_property(columns: Columns) -> str:
    told = {name: {one: spark_type(kind) for one, kind in kinds.items()} for name, kinds in columns.items()}
    return json.dumps(told, sort_keys=True)


def merged(before: Mapping[str, ColumnType], now: Mapping[str, ColumnType]) -> dict[str, ColumnType]:
    """By types that values of either fit, those of now first and in their order."""
    both = {name: _both(before.get(name, kind), kind) for name, kind in now.items()}
    return both | {name: kind for name, kind in before.items() if name not in both}


def _both(before: ColumnType, now: ColumnType) -> ColumnType:
    if fits(before, now):
        return now
    return before if fits(now, before) else Primitive("string")
