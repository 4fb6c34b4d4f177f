"""Files of dropped tables, deleted in the background.

A purge is written down in the same commit that drops the table, and its location stays taken until the last file is
gone: a server that dies in between leaves it for the next one, and no new table's files are deleted by mistake.
"""

import asyncio

import obstore
import structlog

from boathouse.catalog.names import location_key
from boathouse.catalog.store import Delete, Entry, Put, Store, Unchanged, Write
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import BoathouseError
from boathouse.kit.objects import storage_errors

_PAGE = 100
BEING_PURGED = b"(being purged)"
"""Stands in the index of locations where the table's name stood."""


class Purging:
    def __init__(self, store: Store, warehouse: Warehouse) -> None:
        self._store = store
        self._warehouse = warehouse
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def writes(self, location: str) -> tuple[Write, ...]:
        """To be committed with the drop."""
        path = self._warehouse.path(location)
        return Put(self._prefix() + path, b""), Put(location_key(self._warehouse.name, path), BEING_PURGED)

    def start(self) -> None:
        """Delete what is written down. Asked for while it runs, it looks once more when it is done."""
        self._again = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def finished(self) -> None:
        """Wait for what this server is deleting now."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def stop(self) -> None:
        """What is not deleted yet stays written down for the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        while self._again:
            self._again = False
            after = ""
            while page := await self._store.list(self._prefix(), after=after, limit=_PAGE):
                for entry in page:
                    await self._try(entry)
                after = page[-1].key

    async def _try(self, entry: Entry) -> None:
        """One location. What fails stays written down, for the next start."""
        path = entry.key.removeprefix(self._prefix())
        url = self._warehouse.url(path)
        try:
            done = await self._purge(entry, url, path)
        except BoathouseError as error:
            structlog.get_logger().warning("purge failed", location=url, error=str(error))
        else:
            structlog.get_logger().info("purged" if done else "purged by another server", location=url)

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
