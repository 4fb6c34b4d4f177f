"""Tables by the names people type: found in the catalog, or the closest ones offered."""

import difflib
from collections.abc import Iterator

from boathouse.kit.access import LakeAccess
from boathouse.kit.catalog_client import CatalogClient, LoadedTable, Namespace, TableName
from boathouse.kit.errors import NotFound

# Where pipelines put what is not yet ready to be seen.
HIDDEN = "_staging"


def all_tables(catalog: CatalogClient, namespace: Namespace = (), *, hidden: bool = False) -> Iterator[TableName]:
    """The tables of a namespace and of those below it; without one, of the whole catalog."""
    if namespace:
        yield from sorted(catalog.tables(namespace))
    for below in sorted(catalog.namespaces(namespace)):
        if hidden or below[-1] != HIDDEN:
            yield from all_tables(catalog, below, hidden=hidden)


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
    known = [str(table) for table in all_tables(catalog, hidden=True)]
    close = difflib.get_close_matches(str(name), known, n=3) or [
        table for table in known if table.endswith(f".{name.name}")
    ]
    return f"Did you mean {' or '.join(close)}?" if close else "`boathouse table list` shows every table."
