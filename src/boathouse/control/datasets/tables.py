"""A dataset's table, read from its catalog at the moment somebody asks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.connections.models import Connection
from boathouse.control.datasets import service
from boathouse.control.datasets.catalogs import Catalogs, Source
from boathouse.control.datasets.damage import as_iceberg_has_it
from boathouse.kit.catalog_client import LoadedTable, TableName
from boathouse.kit.errors import Conflict

Made = TypeVar("Made")
Json = dict[str, Any]


@dataclass(frozen=True)
class LiveTable:
    name: TableName
    source: Source
    loaded: LoadedTable

    @property
    def metadata(self) -> Json:
        return self.loaded.metadata

    async def read(self, make: Callable[["LiveTable"], Made]) -> Made:
        """What is made of it, beside whoever else is being answered."""

        def made() -> Made:
            with as_iceberg_has_it(str(self.name)):
                return make(self)

        return await self.source.ask(made)


async def live_table(
    work: AsyncSession, scope: Scope, catalogs: Catalogs, name: str, *, with_files: bool = False
) -> LiveTable:
    """With keys for its files, if they are to be read."""
    dataset, _ = await service.get(work, scope, name)
    connection = await work.get(Connection, dataset.connection_id) if dataset.connection_id else None
    # The catalog may take its time, in which others can use our connection to the database.
    await work.close()
    if connection is None and not dataset.in_lake:
        raise Conflict(
            f"No catalog is known to hold {name}, so its table cannot be read.",
            hint="Sync the catalog that has it, or register it with a connection to one.",
        )
    source = await catalogs.behind(connection) if connection else catalogs.lake()
    table = TableName.parse(name)
    return LiveTable(table, source, await source.ask(lambda: _loaded(source, table, with_files=with_files)))


def _loaded(source: Source, table: TableName, *, with_files: bool) -> LoadedTable:
    with source.client() as catalog, as_iceberg_has_it(str(table)):
        return catalog.load_table(table, with_keys=with_files and source.needs_keys)
