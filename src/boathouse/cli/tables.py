"""Tables and views by the names people type: found in the catalog, or the closest ones offered."""

import difflib

from boathouse.kit.access import LakeAccess
from boathouse.kit.catalog_client import CatalogClient, LoadedTable, Namespace, TableName
from boathouse.kit.errors import NotFound
from boathouse.kit.relations import Kind, Relation, all_relations


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
