"""The tables and views of a catalog, and which of them people made."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum

from boathouse.kit.catalog_client import CatalogClient, Namespace, TableName
from boathouse.kit.errors import Unavailable

# Where pipelines put what is not yet ready to be seen.
HIDDEN = "_staging"
# What they keep beside a table.
REJECTS_SUFFIX = "__rejects"
LOADS_SUFFIX = "__loads"
MENDS_SUFFIX = "__mends"
DELETED_SUFFIX = "__deleted"
# Deeper than anybody nests them.
_DEEPEST = 50
RECORDS = (REJECTS_SUFFIX, LOADS_SUFFIX, MENDS_SUFFIX, DELETED_SUFFIX)


class Kind(StrEnum):
    TABLE = "table"
    VIEW = "view"


@dataclass(frozen=True, order=True)
class Relation:
    """What can be asked for rows: no table and view share a name."""

    name: TableName
    kind: Kind = Kind.TABLE


def all_relations(catalog: CatalogClient, namespace: Namespace = (), *, hidden: bool = False) -> Iterator[Relation]:
    """The tables and views of a namespace and of those below it; without one, of the whole catalog."""
    if namespace:
        tables = (Relation(name) for name in catalog.tables(namespace))
        views = (Relation(name, Kind.VIEW) for name in catalog.views(namespace))
        yield from sorted((*tables, *views))
    for below in sorted(catalog.namespaces(namespace)):
        _refuse_endless(below, namespace)
        if hidden or below[-1] != HIDDEN:
            yield from all_relations(catalog, below, hidden=hidden)


def _refuse_endless(below: Namespace, namespace: Namespace) -> None:
    if not len(namespace) < len(below) <= _DEEPEST:
        raise Unavailable(
            f"What the catalog lists below {'.'.join(namespace) or 'its root'} has no end.",
            hint="Look at it with another client of the catalog.",
        )


def without_records(relations: Sequence[Relation], parent: Namespace = ()) -> list[Relation]:
    """What people made: without what pipelines keep beside each table, and what they are still writing."""
    there = {relation.name for relation in relations if relation.kind is Kind.TABLE}
    return [
        relation
        for relation in relations
        if HIDDEN not in relation.name.namespace[len(parent) :]
        and not (relation.name in there and _is_record(relation.name, there))
    ]


def _is_record(table: TableName, there: AbstractSet[TableName]) -> bool:
    """Whether it stands beside the table whose loads it records; a name alone makes no record."""
    return any(
        table.name.endswith(suffix) and TableName(table.namespace, table.name.removesuffix(suffix)) in there
        for suffix in RECORDS
    )
