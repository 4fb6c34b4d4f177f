"""Where tables lie. No table's location lies inside another's, so that deleting one's files takes nobody else's."""

from dataclasses import dataclass
from hashlib import sha256

from boathouse.catalog.errors import IllegalArgument
from boathouse.catalog.metadata import Json
from boathouse.catalog.names import TableName, location_key, path_segment
from boathouse.catalog.service.purging import BEING_PURGED, Purging
from boathouse.catalog.store import Absent, Comparison, Delete, Empty, Entry, Put, Store
from boathouse.catalog.warehouse import Warehouse


@dataclass(frozen=True)
class Claim:
    """What must hold, and what is written, for a table to have its location to itself."""

    comparisons: tuple[Comparison, ...]
    writes: tuple[Put, ...]


class Places:
    """Keeps an index in the store: one key a location, which is the prefix of the keys of all places inside it."""

    def __init__(self, store: Store, warehouse: Warehouse, purging: Purging) -> None:
        self._store = store
        self._warehouse = warehouse
        self._purging = purging

    async def claim(self, location: str, table: TableName, *, leaving: str | None = None) -> Claim:
        """Claim a location, or say whose it is. A table that moves may overlap the place it is `leaving`."""
        key = self._key(location)
        own = self._key(leaving) if leaving else None
        around = [outer for outer in self._around(location) if outer != own]
        other = await self._overlapping(key, around, own)
        if other is not None and other.value == BEING_PURGED:
            await self._purging.finished()
            other = await self._overlapping(key, around, own)
        if other is not None:
            raise IllegalArgument(f"Cannot use location {location}: it overlaps that of table {other.value.decode()}")
        inside = () if own is not None and own.startswith(key) else (Empty(key),)
        return Claim((*(Absent(outer) for outer in around), *inside), (Put(key, str(table).encode()),))

    def release(self, location: str) -> Delete:
        return Delete(self._key(location))

    def reassign(self, location: str, table: TableName) -> Put:
        """The location stays, but its table has another name."""
        return Put(self._key(location), str(table).encode())

    async def default(self, table: TableName, namespace_properties: Json) -> str:
        """Below its namespace under its own name; with something added if that place is taken, as after a rename."""
        base = namespace_properties.get("location") or self._warehouse.url(table.namespace.path)
        location = f"{base.rstrip('/')}/{path_segment(table.name)}"
        key = self._key(location)
        if await self._overlapping(key, self._around(location), None) is None:
            return location
        return f"{location}-{sha256(f'{table}/{await self._next(key)}'.encode()).hexdigest()[:8]}"

    async def _next(self, key: str) -> int:
        """A number that changes whenever the place does: the revision of what is there."""
        entries = await self._store.list(key, limit=1)
        return entries[0].revision if entries else 0

    async def _overlapping(self, key: str, around: list[str], own: str | None) -> Entry | None:
        for outer in around:
            if (entry := await self._store.read(outer)) is not None:
                return entry
        inside = await self._store.list(key, limit=2)
        return next((entry for entry in inside if entry.key != own), None)

    def _around(self, location: str) -> list[str]:
        """The keys of the places that `location` lies inside."""
        parts = self._warehouse.path(location).split("/")
        return [location_key(self._warehouse.name, "/".join(parts[:depth])) for depth in range(1, len(parts))]

    def _key(self, location: str) -> str:
        return location_key(self._warehouse.name, self._warehouse.path(location))
