"""What a stream writes, by name: each of its tables in the lake and in ClickHouse, no two of which may be one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from boathouse.kit.catalog_client import TableName
from boathouse.kit.relations import DELETED_SUFFIX, MENDS_SUFFIX, REJECTS_SUFFIX

DELTAS_SUFFIX = "__deltas"
REBUILT_SUFFIX = "__rebuilt"
VIEW_SUFFIX = "__view"
OFFSETS, ODD, EMPTIED = "__offsets", "__odd", "__emptied"
"""Of ClickHouse's tables, those in which a stream notes what it knows."""


@dataclass(frozen=True)
class Target:
    name: str
    what: str
    """That is written there."""


def own_name(source: str) -> str:
    """What a source table is called in the lake and in ClickHouse."""
    schema, _, name = source.partition(".")
    return name if schema == "public" else f"{schema}_{name}"


def of_log(log: TableName) -> Iterator[Target]:
    yield Target(str(log), "bronze.table")
    yield Target(str(log.beside(REJECTS_SUFFIX)), "the rejects of bronze.table")
    yield Target(str(log.beside(MENDS_SUFFIX)), "what was done about the rejects of bronze.table")


def of_lake(namespace: str, tables: Iterable[str]) -> Iterator[Target]:
    for table in tables:
        name = TableName((namespace,), own_name(table))
        yield Target(str(name), f"the table {table}")
        yield Target(str(name.beside(DELETED_SUFFIX)), f"the deleted keys of {table}")


def of_rows(table: str, what: str, *, summed: bool) -> Iterator[Target]:
    """Within ClickHouse's database."""
    name = own_name(table)
    yield Target(name, what)
    yield Target(f"{name}{REBUILT_SUFFIX}", f"{what}, made anew")
    if summed:
        yield Target(f"{name}{DELTAS_SUFFIX}", f"the changes of {what}")


def of_rollup(name: str) -> Iterator[Target]:
    """Likewise."""
    yield Target(name, f"the rollup {name}")
    yield Target(f"{name}{VIEW_SUFFIX}", f"the view of the rollup {name}")
    yield Target(f"{name}{REBUILT_SUFFIX}", f"the rollup {name}, counted anew")


def of_notes() -> Iterator[Target]:
    """Likewise."""
    for name in (OFFSETS, ODD, EMPTIED):
        yield Target(name, "what the stream notes itself")


def refuse_shared(targets: Iterable[Target], where: str) -> None:
    seen: dict[str, str] = {}
    for target in targets:
        if target.name in seen:
            raise ValueError(
                f"{target.name} {where} would be both {seen[target.name]} and {target.what}: "
                "name one of them otherwise, or leave it to another pipeline"
            )
        seen[target.name] = target.what
