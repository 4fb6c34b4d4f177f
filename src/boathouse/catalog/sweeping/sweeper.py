"""Finds the metadata files of live tables and views that nothing names, and deletes them.

Age alone cannot tell whether a file is still wanted: a server may stand still for days between writing a metadata file and moving
the pointer to it. So before anything is deleted the pointer is written again as it is. That gives it a new revision, and every
commit that was planned before, each of which compares the pointer's revision, is refused and planned again with a new file.
From then on what is not named never will be.

What lies where no live table or view is, is left alone: a table that was dropped without purging may be registered again
from its files, and a creation that failed looks just the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from boathouse.catalog.metadata import uuid_of
from boathouse.catalog.service.files import MetadataFiles
from boathouse.catalog.store import Put, Store, Unchanged
from boathouse.catalog.sweeping.directories import FoundFile, old_files
from boathouse.catalog.sweeping.naming import Relation, file_name, names_in_use, relations
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import BoathouseError

Report = Callable[[int], None]


@dataclass
class Sweeping:
    """What one sweep found and did."""

    relations: int = 0
    files: int = 0
    """Metadata files that were old enough to be looked at."""
    orphans: list[FoundFile] = field(default_factory=list[FoundFile])
    deleted: int = 0
    bytes: int = 0
    """Of the orphans."""
    busy: int = 0
    """Tables and views that changed meanwhile, and are left for the next sweep."""
    foreign: int = 0
    """Files that name another table or cannot be read: not for us to judge."""


class Sweeper:
    def __init__(self, store: Store, warehouse: Warehouse) -> None:
        self._store = store
        self._warehouse = warehouse
        # Little is kept: each file is wanted once, perhaps twice.
        self._files = MetadataFiles(warehouse, cache_bytes=32 * 1024 * 1024)

    async def sweep(
        self,
        older_than: timedelta,
        *,
        delete: bool,
        report: Report = lambda _done: None,
        now: datetime | None = None,
    ) -> Sweeping:
        """Find orphans older than the grace; delete them if told so."""
        swept = Sweeping()
        suspects = await self._suspects((now or datetime.now(UTC)) - older_than, swept, report)
        if delete:
            suspects = [one for one in suspects if await self._fenced(one[0], swept)]
        # Only now: whatever was committed up to here is seen, and whatever comes later has files of its own.
        named = await names_in_use(self._store, self._warehouse.name, self._files) if suspects else set[str]()
        for relation, files in suspects:
            for file in files:
                if file_name(file.url) in named:
                    continue
                if delete and not await self._still(relation):
                    # An old version may have been registered meanwhile, and that has no file of its own.
                    swept.busy += 1
                    break
                await self._orphan(relation, file, swept, delete=delete)
        return swept

    async def _suspects(
        self, before: datetime, swept: Sweeping, report: Report
    ) -> list[tuple[Relation, list[FoundFile]]]:
        """Old files beside those that each table or view names itself."""
        suspects: list[tuple[Relation, list[FoundFile]]] = []
        async for relation in relations(self._store, self._warehouse.name, self._files):
            swept.relations += 1
            report(swept.relations)
            if relation.keeps_all:
                continue
            own = await old_files(self._warehouse, relation.metadata, before)
            swept.files += len(own)
            unnamed = [file for file in own if file_name(file.url) not in relation.names]
            if unnamed:
                suspects.append((relation, unnamed))
        return suspects

    async def _fenced(self, relation: Relation, swept: Sweeping) -> bool:
        """Refuse every commit that was planned before now. False if one of them was faster."""
        entry = relation.entry
        done = await self._store.commit([Unchanged(entry.key, entry.revision)], [Put(entry.key, entry.value)])
        swept.busy += not done
        return done

    async def _still(self, relation: Relation) -> bool:
        now = await self._store.read(relation.entry.key)
        return now is not None and now.value == relation.entry.value

    async def _orphan(self, relation: Relation, file: FoundFile, swept: Sweeping, *, delete: bool) -> None:
        if not file.unfinished and not await self._belongs(file, relation):
            swept.foreign += 1
            return
        swept.orphans.append(file)
        swept.bytes += file.size
        if delete:
            if file.unfinished:
                file.unfinished.unlink(missing_ok=True)
            else:
                await self._files.delete([file.url])
            swept.deleted += 1

    async def _belongs(self, file: FoundFile, relation: Relation) -> bool:
        """A table that was dropped may have left its files here, and may be registered again from them."""
        try:
            return uuid_of((await self._files.read(file.url)).metadata) == relation.uuid
        except BoathouseError:
            return False
