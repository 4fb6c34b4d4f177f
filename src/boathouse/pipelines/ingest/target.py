"""Which table the rows go into: what it is made like, and what it must become to take them."""

from typing import Any, Protocol

from boathouse.kit.catalog_client import Json, TableName
from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.ingest.context import LoadContext
from boathouse.pipelines.ingest.evolution import Changes, plan_changes
from boathouse.pipelines.ingest.staging import StagedTable
from boathouse.pipelines.partitions import partition_spec
from boathouse.pipelines.spec import Target
from boathouse.pipelines.types import ColumnType, from_iceberg, iceberg_schema


def create_request(target: Target, columns: dict[str, ColumnType]) -> Json:
    _refuse_unknown(target, columns)
    schema = iceberg_schema(columns)
    return {
        "schema": schema,
        "partition-spec": partition_spec(target.partition_by, schema),
        "properties": {"format-version": "2", **target.properties},
    }


def evolve(context: LoadContext, staged: StagedTable, columns: dict[str, ColumnType]) -> Changes:
    """Give the staged table what it lacks."""
    table = {field["name"]: from_iceberg(field["type"]) for field in staged.columns}
    changes = plan_changes(table, columns, context.spec.target.evolution, str(context.target))
    for statement in changes.statements(context.spark_name(staged.name)):
        context.session.sql(statement)
    return changes


class AtWork(Protocol):
    """What statements are made and told by, of files and of streams."""

    @property
    def session(self) -> Any: ...

    def spark_name(self, table: TableName) -> str: ...


def add_columns(context: AtWork, staged: StagedTable, columns: dict[str, ColumnType]) -> None:
    """Give a table of records the columns that came after it was made."""
    there = {field["name"] for field in staged.columns}
    changes = Changes({name: kind for name, kind in columns.items() if name not in there}, {})
    for statement in changes.statements(context.spark_name(staged.name)):
        context.session.sql(statement)


def _refuse_unknown(target: Target, columns: dict[str, ColumnType]) -> None:
    """What the spec could not tell by itself, because the columns were inferred."""
    named = {
        "keys": target.keys,
        "latest_by": [target.latest_by] if target.latest_by else [],
        "partition_by": [field.column for field in target.partition_by],
    }
    for key, names in named.items():
        for name in names:
            if name not in columns:
                raise InvalidInput(
                    f"target.{key} names {name!r}; the columns are {', '.join(columns)}.", hint="Mend the spec."
                )
