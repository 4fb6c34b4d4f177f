"""What the table must become to take the data: columns added, types widened, anything else refused."""

from collections.abc import Mapping
from dataclasses import dataclass

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.spec import Evolution
from boathouse.pipelines.types import ColumnType, fits, quoted, spark_type, widens


@dataclass(frozen=True)
class Changes:
    added: dict[str, ColumnType]
    widened: dict[str, ColumnType]

    def statements(self, table: str) -> list[str]:
        """The changes as SQL."""
        adds = [
            f"ALTER TABLE {table} ADD COLUMN {quoted(name)} {spark_type(kind)}" for name, kind in self.added.items()
        ]
        return adds + [
            f"ALTER TABLE {table} ALTER COLUMN {quoted(name)} TYPE {spark_type(kind)}"
            for name, kind in self.widened.items()
        ]


def plan_changes(
    table: Mapping[str, ColumnType], data: Mapping[str, ColumnType], policy: Evolution, name: str
) -> Changes:
    """Compare the table's columns with the data's; InvalidInput lists all that the policy does not allow."""
    added: dict[str, ColumnType] = {}
    widened: dict[str, ColumnType] = {}
    refused: list[str] = []
    columns = {column.lower(): (column, kind) for column, kind in table.items()}
    for column, kind in data.items():
        if column.lower() not in columns:
            added[column] = kind
            if not policy.add_columns:
                refused.append(f"{column} {spark_type(kind)} is new (evolution.add_columns is off)")
            continue
        known, current = columns[column.lower()]
        if fits(kind, current):
            continue
        widened[known] = kind
        if not widens(current, kind):
            refused.append(f"{column} is {spark_type(current)} and cannot become {spark_type(kind)}")
        elif not policy.widen_types:
            refused.append(f"{column} would widen to {spark_type(kind)} (evolution.widen_types is off)")
    if refused:
        raise InvalidInput(
            f"The table {name} does not take this data: {'; '.join(refused)}.",
            hint="Change schema in the spec, allow it under target.evolution, or load into another table.",
        )
    return Changes(added, widened)
