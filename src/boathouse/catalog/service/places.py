"""Where tables lie. No table's location lies inside another's, so that deleting one's files takes nobody else's."""

from dataclasses import dataclass
from secrets import token_hex

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
        """Below its namespace under its own name; beside that place if it is taken, as it is after a rename."""
        base = namespace_properties.get("location") or self._warehouse.url(table.namespace.path)
        location = f"{base.rstrip('/')}/{path_segment(table.name)}"
        beside = f"{location}-{token_hex(4)}"
        for place in (location, beside):
            if await self._overlapping(self._key(place), self._around(place), None) is None:
                return place
        # The namespace's own directory is a table's: `a.b` is a table and `a.b.c` another.
        return self._warehouse.url(f"{path_segment(str(table))}-{token_hex(4)}")

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
