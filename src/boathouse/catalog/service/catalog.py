"""One warehouse's catalog, put together."""

import asyncio
from dataclasses import dataclass

import structlog

from boathouse.catalog.service.changes import Changes
from boathouse.catalog.service.commits import Commits
from boathouse.catalog.service.files import MetadataFiles
from boathouse.catalog.service.namespaces import Namespaces
from boathouse.catalog.service.places import Places
from boathouse.catalog.service.pointers import Pointers
from boathouse.catalog.service.purging import Purging
from boathouse.catalog.service.repeats import Repeats
from boathouse.catalog.service.tables import Tables
from boathouse.catalog.store import Store
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import BoathouseError

_SWEEP_SECONDS = 300


@dataclass(frozen=True)
class Catalog:
    warehouse: Warehouse
    namespaces: Namespaces
    tables: Tables
    changes: Changes
    repeats: Repeats
    purging: Purging

    @classmethod
    def over(cls, store: Store, warehouse: Warehouse) -> "Catalog":
        name = warehouse.name
        files = MetadataFiles(warehouse)
        repeats = Repeats(store, name, files)
        commits = Commits(store, files, repeats)
        pointers = Pointers(store, files, name)
        purging = Purging(store, warehouse)
        places = Places(store, warehouse, purging)
        namespaces = Namespaces(store, commits, name)
        tables = Tables(store, files, pointers, places, namespaces, commits, purging, name)
        changes = Changes(files, pointers, places, namespaces, commits, name)
        return cls(warehouse, namespaces, tables, changes, repeats, purging)

    async def keep_house(self) -> None:
        """Finish purges that were begun, then forget old idempotency records from time to time. Runs until cancelled."""
        self.purging.start()
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            try:
                await self.repeats.forget_expired()
            except BoathouseError as error:
                structlog.get_logger().warning("idempotency records not swept", error=str(error))
