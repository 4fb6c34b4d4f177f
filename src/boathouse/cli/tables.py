"""Tables and views by the names people type: found in the catalog, or the closest ones offered."""

import difflib
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum

from boathouse.kit.access import LakeAccess
from boathouse.kit.catalog_client import CatalogClient, LoadedTable, Namespace, TableName
from boathouse.kit.errors import NotFound
from boathouse.pipelines.spec import LOADS_SUFFIX, REJECTS_SUFFIX

# Where pipelines put what is not yet ready to be seen.
HIDDEN = "_staging"


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
        if hidden or below[-1] != HIDDEN:
            yield from all_relations(catalog, below, hidden=hidden)


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
        for suffix in (LOADS_SUFFIX, REJECTS_SUFFIX)
    )


def table_name(text: str, access: LakeAccess) -> TableName:
    """The table meant by `namespace.table`, with or without the catalog's name before it."""
    name = TableName.parse(text.replace("`", ""))
    if len(name.namespace) > 1 and name.namespace[0] == access.spark.catalog:
        return TableName(name.namespace[1:], name.name)
    return name


def load_table(catalog: CatalogClient, name: TableName) -> LoadedTable:
    """The table, or an error that names the closest ones there are."""
    try:
        return catalog.load_table(name)
    except NotFound:
        raise NotFound(f"There is no table {name}.", hint=_closest(catalog, name)) from None


def require_namespace(catalog: CatalogClient, namespace: Namespace) -> None:
    """Complain about a namespace that is not there, where a listing would only be empty."""
    if namespace and namespace not in set(catalog.namespaces(namespace[:-1])):
        raise NotFound(
            f"There is no namespace {'.'.join(namespace)}.", hint="`boathouse table list` shows every table."
        )


def _closest(catalog: CatalogClient, name: TableName) -> str:
    relations = list(all_relations(catalog, hidden=True))
    if Relation(name, Kind.VIEW) in relations:
        return "It is a view: `boathouse sql` asks for its rows, and says by SHOW CREATE TABLE what it stands for."
    known = [str(relation.name) for relation in relations if relation.kind is Kind.TABLE]
    close = difflib.get_close_matches(str(name), known, n=1) or [
        table for table in known if table.endswith(f".{name.name}")
    ]
    return f"Did you mean {' or '.join(close)}?" if close else "`boathouse table list` shows every table."
