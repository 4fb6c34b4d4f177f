"""Files of dropped tables, deleted in the background.

A purge is written down in the same commit that drops the table, and its location stays taken until the last file is
gone: a server that dies in between leaves it for the next one, and no new table's files are deleted by mistake.
"""

import asyncio
from contextlib import suppress

import obstore
import structlog

from boathouse.catalog.names import location_key
from boathouse.catalog.store import Delete, Entry, Put, Store, Unchanged, Write
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import BoathouseError
from boathouse.kit.objects import storage_errors

_PAGE = 100
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 300.0
# Of whoever wants the place for a new table: some thousands of files are gone by then.
PATIENCE_SECONDS = 10.0
BEING_PURGED = b"(being purged)"
"""Stands in the index of locations where the table's name stood."""


class Purging:
    def __init__(self, store: Store, warehouse: Warehouse) -> None:
        self._store = store
        self._warehouse = warehouse
        self._task: asyncio.Task[None] | None = None
        self._asked = asyncio.Event()
        # Nothing is left to delete, or what is left failed and has to wait.
        self._rests = asyncio.Event()
        self._rests.set()

    def writes(self, *places: str) -> tuple[Write, ...]:
        """To be committed with the drop."""
        paths = sorted({self._warehouse.path(place) for place in places})
        purges = [Put(self._prefix() + path, b"") for path in paths]
        return *purges, *(Put(location_key(self._warehouse.name, path), BEING_PURGED) for path in paths)

    def start(self) -> None:
        """Delete what is written down. Asked for while it runs, it looks once more when it is done."""
        self._asked.set()
        self._rests.clear()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def finished(self) -> None:
        """Wait for what this server is deleting now, but not for what fails, nor for long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._rests.wait(), PATIENCE_SECONDS)

    async def stop(self) -> None:
        """What is not deleted yet stays written down for the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        """Until nothing is left. What fails is tried again after a while, or when somebody asks."""
        failures = 0
        try:
            while self._asked.is_set() or failures:
                self._asked.clear()
                failures = 0 if await self._try_all() else failures + 1
                if failures:
                    await self._pause(min(FIRST_PAUSE_SECONDS * 2 ** min(failures - 1, 10), LONGEST_PAUSE_SECONDS))
        finally:
            self._rests.set()

    async def _pause(self, seconds: float) -> None:
        if not self._asked.is_set():
            self._rests.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._asked.wait(), seconds)
        self._rests.clear()

    async def _try_all(self) -> bool:
        """Everything that is written down. False if something of it failed."""
        after, well = "", True
        try:
            while page := await self._store.list(self._prefix(), after=after, limit=_PAGE):
                for entry in page:
                    well &= await self._try(entry)
                after = page[-1].key
        except BoathouseError as error:
            structlog.get_logger().warning("purges not looked up", error=str(error))
            return False
        return well

    async def _try(self, entry: Entry) -> bool:
        """One location. What fails stays written down."""
        path = entry.key.removeprefix(self._prefix())
        url = self._warehouse.url(path)
        try:
            done = await self._purge(entry, url, path)
        except BoathouseError as error:
            structlog.get_logger().warning("purge failed", location=url, error=str(error))
            return False
        structlog.get_logger().info("purged" if done else "purged by another server", location=url)
        return True

    async def _purge(self, entry: Entry, url: str, path: str) -> bool:
        """Another server may be at it too, finish first, and give the place to a new table: that one's files must stay.

        So what was listed is deleted only if the purge was still written down afterwards. Then the place was not free
        yet when it was listed, and whatever is deleted belonged to the table that was dropped.
        """
        objects = self._warehouse.objects
        with storage_errors(url):
            async for page in obstore.list(objects, prefix=f"{path}/", chunk_size=500):
                now = await self._store.read(entry.key)
                if now is None or now.revision != entry.revision:
                    return False
                await obstore.delete_async(objects, [found["path"] for found in page])
        ending = (Delete(entry.key), Delete(location_key(self._warehouse.name, path)))
        return await self._store.commit([Unchanged(entry.key, entry.revision)], ending)

    def _prefix(self) -> str:
        return f"purge/{self._warehouse.name}/"
