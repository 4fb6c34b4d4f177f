"""One warehouse's catalog, put together."""

import asyncio
from dataclasses import dataclass

import structlog

from boathouse.catalog.planning.scans import Scans
from boathouse.catalog.service.changes import Changes
from boathouse.catalog.service.commits import Commits
from boathouse.catalog.service.files import MetadataFiles
from boathouse.catalog.service.kinds import TABLE, VIEW
from boathouse.catalog.service.namespaces import Namespaces
from boathouse.catalog.service.places import Places
from boathouse.catalog.service.pointers import Pointers
from boathouse.catalog.service.purging import Purging
from boathouse.catalog.service.reach import Reach
from boathouse.catalog.service.repeats import Repeats
from boathouse.catalog.service.storage_access import StorageAccess
from boathouse.catalog.service.tables import Tables
from boathouse.catalog.service.views import Views
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
    views: Views
    view_changes: Changes
    repeats: Repeats
    purging: Purging
    storage_access: StorageAccess
    scans: Scans

    @classmethod
    def over(cls, store: Store, warehouse: Warehouse) -> "Catalog":
        name = warehouse.name
        files = MetadataFiles(warehouse)
        repeats = Repeats(store, name, files)
        commits = Commits(store, files, repeats)
        purging = Purging(store, warehouse)
        reach = Reach(store, warehouse)
        places = Places(store, warehouse, purging, reach)
        namespaces = Namespaces(store, commits, name, reach)
        pointers, views = (Pointers(store, files, name, kind) for kind in (TABLE, VIEW))
        tables = Tables(store, files, pointers, places, namespaces, commits, name, purging)
        return cls(
            warehouse,
            namespaces,
            tables,
            Changes(files, pointers, places, namespaces, commits),
            Views(store, files, views, places, namespaces, commits, name),
            Changes(files, views, places, namespaces, commits),
            repeats,
            purging,
            StorageAccess(warehouse, pointers, places),
            Scans(store, warehouse, tables),
        )

    async def keep_house(self) -> None:
        """From time to time finish purges, also those that others left, and forget old idempotency records and plans."""
        while True:
            self.purging.start()
            await asyncio.sleep(_SWEEP_SECONDS)
            try:
                await self.repeats.forget_expired()
                await self.scans.forget_expired()
            except BoathouseError as error:
                structlog.get_logger().warning("old records not swept", error=str(error))
