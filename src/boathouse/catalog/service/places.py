"""Where tables and views lie. No location lies inside another, so that deleting one's files takes nobody else's."""

from dataclasses import dataclass
from secrets import token_hex

from boathouse.catalog.errors import IllegalArgument
from boathouse.catalog.metadata import Json
from boathouse.catalog.names import TableName, location_key, path_segment
from boathouse.catalog.service.asker import Asker
from boathouse.catalog.service.kinds import Kind
from boathouse.catalog.service.owners import Owners
from boathouse.catalog.service.paths import deletes_nothing, paths_to_check
from boathouse.catalog.service.purging import BEING_PURGED, Purging
from boathouse.catalog.service.reach import Reach
from boathouse.catalog.store import Absent, Comparison, Delete, Empty, Entry, Put, Store
from boathouse.catalog.warehouse import Warehouse


@dataclass(frozen=True)
class Claimant:
    """What is to have a place, and on whose behalf."""

    kind: Kind
    name: TableName
    asker: Asker

    @property
    def owner(self) -> str:
        return self.kind.owner(self.name)


@dataclass(frozen=True)
class Claim:
    """What must hold, and what is written, for a table or view to have its location to itself."""

    comparisons: tuple[Comparison, ...]
    writes: tuple[Put, ...]

    def also(self, comparisons: tuple[Comparison, ...]) -> "Claim":
        return Claim((*self.comparisons, *comparisons), self.writes)


class Places:
    """Keeps an index in the store: one key a location, which is the prefix of the keys of all places inside it."""

    def __init__(self, store: Store, warehouse: Warehouse, purging: Purging, reach: Reach) -> None:
        self._store = store
        self._warehouse = warehouse
        self._purging = purging
        self._reach = reach
        self._owners = Owners(store, warehouse)

    async def claim(self, location: str, claimant: Claimant, *, leaving: str | None = None) -> Claim:
        """Claim a location, or say whose it is. An owner that moves may overlap the place it is `leaving`."""
        key = self._key(location)
        own = self._key(leaving) if leaving else None
        if key != own:
            await self.check_reach(location, claimant)
        around = [outer for outer in self._around(location) if outer != own]
        other = await self._other(key, around, own)
        if other is not None:
            owner = await self._owners.told(other, claimant.asker)
            raise IllegalArgument(f"Cannot use location {location}: it overlaps that of {owner}")
        if own is not None and own != key and own.startswith(key):
            # Others could come to lie in it before the move is committed.
            raise IllegalArgument(f"Cannot use location {location}: it encloses the one that is left")
        inside = () if own == key else (Empty(key),)
        return Claim((*(Absent(outer) for outer in around), *inside), (Put(key, claimant.owner.encode()),))

    async def check_paths(
        self, metadata: Json, claimant: Claimant, *, own: str | None = None, before: Json | None = None
    ) -> tuple[Comparison, ...]:
        """Refuse properties that put files into another's place, and say what must hold for the rest.

        Only what deletes nothing may share the place of a table, with whoever may write that one.
        """
        comparisons: list[Comparison] = []
        for name, path in paths_to_check(metadata, before):
            try:
                found = await self._free(path, own)
            except IllegalArgument as error:
                raise IllegalArgument(f"Cannot use {name}: {error}", hint=error.hint) from error
            if not isinstance(found, Entry):
                comparisons += found
            elif not (deletes_nothing(metadata) and await self._owners.writable(found, claimant.asker)):
                owner = await self._owners.told(found, claimant.asker)
                raise IllegalArgument(f"Cannot use {name} {path}: it overlaps the location of {owner}")
        return tuple(comparisons)

    async def check_reach(self, location: str, claimant: Claimant) -> None:
        """Refuse a place that does not go with the claimant's namespace, unless the asker may use any."""
        await self._reach.check(claimant.name, location, claimant.asker)

    async def is_free(self, location: str, *, own: str | None = None) -> bool:
        """Whether nobody has a claim that overlaps the location, but for the one on `own`."""
        mine = self._key(own) if own else None
        around = [outer for outer in self._around(location) if outer != mine]
        return await self._overlapping(self._key(location), around, mine) is None

    def release(self, location: str) -> Delete:
        return Delete(self._key(location))

    def reassign(self, location: str, owner: str) -> Put:
        """The location stays, but its owner has another name."""
        return Put(self._key(location), owner.encode())

    async def check_own(self, location: str, owner: str) -> None:
        """Refuse a file that lies in another's place."""
        for outer in self._around(location):
            entry = await self._store.read(outer)
            if entry is not None and entry.value != owner.encode():
                raise IllegalArgument(f"Cannot read {location}: it lies in the location of another table")

    async def default(self, name: TableName, namespace_properties: Json) -> str:
        """Below its namespace under its own name; beside that place if it is taken, as it is after a rename."""
        base = namespace_properties.get("location") or self._warehouse.url(name.namespace.path)
        location = f"{base.rstrip('/')}/{path_segment(name.name)}"
        beside = f"{location}-{token_hex(4)}"
        for place in (location, beside):
            if await self._overlapping(self._key(place), self._around(place), None) is None:
                return place
        # The namespace's own directory is a table's: `a.b` is a table and `a.b.c` another.
        return self._warehouse.url(f"{path_segment(str(name))}-{token_hex(4)}")

    async def _free(self, path: str, own: str | None) -> tuple[Comparison, ...] | Entry:
        """What must hold for nobody but the one at `own` to have a part in a place, or who has."""
        key, mine = self._key(path), self._key(own) if own else None
        around = [outer for outer in self._around(path) if outer != mine]
        other = await self._other(key, around, mine)
        if other is not None:
            return other
        encloses = mine is not None and mine.startswith(key)
        return (*(Absent(outer) for outer in around), *(() if encloses else (Empty(key),)))

    async def _other(self, key: str, around: list[str], own: str | None) -> Entry | None:
        """Whose place it overlaps, after what this server is purging is gone."""
        other = await self._overlapping(key, around, own)
        if other is not None and other.value == BEING_PURGED:
            await self._purging.finished()
            other = await self._overlapping(key, around, own)
        return other

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
