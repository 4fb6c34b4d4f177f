"""All tables of a catalog, with what a list of datasets tells of each."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from boathouse.control.datasets.catalogs import Source
from boathouse.control.datasets.damage import as_iceberg_has_it
from boathouse.kit import table_metadata as meta
from boathouse.kit.catalog_client import CatalogClient, TableName
from boathouse.kit.errors import BoathouseError, NotFound, Unavailable
from boathouse.kit.relations import Kind, all_relations, without_records

# Asked at once: a catalog of thousands of tables answers in seconds, and none is overrun.
_AT_ONCE = 8


@dataclass(frozen=True)
class FoundTable:
    name: str
    uuid: str
    location: str
    columns: list[str]
    rows: int | None
    files: int | None
    bytes: int | None
    committed_at: datetime | None


@dataclass(frozen=True)
class Walked:
    tables: list[FoundTable]
    unreadable: dict[str, str]
    """By name, why."""


async def walk(source: Source) -> Walked:
    return await source.ask(lambda: _walk(source))


def _walk(source: Source) -> Walked:
    with source.client() as catalog, ThreadPoolExecutor(_AT_ONCE) as pool:
        relations = without_records(list(all_relations(catalog, hidden=True)))
        names: list[TableName] = [relation.name for relation in relations if relation.kind is Kind.TABLE]
        return _sorted_out(names, pool.map(partial(_found, catalog), names))


def _sorted_out(names: list[TableName], outcomes: Iterable[FoundTable | BoathouseError]) -> Walked:
    tables: list[FoundTable] = []
    unreadable: dict[str, str] = {}
    for name, outcome in zip(names, outcomes, strict=True):
        if isinstance(outcome, FoundTable):
            tables.append(outcome)
        elif isinstance(outcome, Unavailable):
            # Half a walk would make tables gone that are there.
            raise outcome
        elif not isinstance(outcome, NotFound):
            unreadable[str(name)] = str(outcome)
    return Walked(tables, unreadable)


def _found(catalog: CatalogClient, name: TableName) -> FoundTable | BoathouseError:
    try:
        metadata = catalog.load_table(name).metadata
        with as_iceberg_has_it(str(name)):
            return _told(str(name), metadata)
    except BoathouseError as error:
        return error


def _told(name: str, metadata: dict[str, Any]) -> FoundTable:
    return FoundTable(
        name=name,
        uuid=_text(metadata["table-uuid"], 64),
        location=_text(metadata["location"], 2000),
        columns=[_text(column["name"], 300) for column in meta.columns(metadata)],
        **meta.state_of(meta.current_snapshot(metadata)),
    )


def _text(given: object, longest: int) -> str:
    return str(given)[:longest].replace("\0", "\ufffd")  # Postgres cannot keep NUL
