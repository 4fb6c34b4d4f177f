"""Where tables and views lie. No location lies inside another, so that deleting one's files takes nobody else's."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from secrets import token_hex

from boathouse.catalog.errors import IllegalArgument
from boathouse.catalog.metadata import Json
from boathouse.catalog.names import TableName, location_key, path_segment
from boathouse.catalog.service.asker import Asker
from boathouse.catalog.service.kinds import Kind
from boathouse.catalog.service.owners import Owners
from boathouse.catalog.service.paths import OutsidePath, deletes_nothing, paths_to_check
from boathouse.catalog.service.purging import BEING_PURGED, Purging
from boathouse.catalog.service.reach import Reach
from boathouse.catalog.store import Absent, Comparison, Delete, Empty, Entry, Put, Store
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.objects import shown

# etcd takes 128 changes at once, and a table's places are renamed and freed at once.
_MOST_PLACES = 32


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
    """What must hold, and what is written, for a table or view to have its places to itself."""

    comparisons: tuple[Comparison, ...] = ()
    writes: tuple[Put, ...] = ()
    places: tuple[str, ...] = ()
    """What is its own beside its location from then on."""


NO_CLAIM = Claim()


class Places:
    """Keeps an index in the store: one key a place, which is the prefix of the keys of all places inside it."""

    def __init__(self, store: Store, warehouse: Warehouse, purging: Purging, reach: Reach) -> None:
        self._store = store
        self._warehouse = warehouse
        self._purging = purging
        self._reach = reach
        self._owners = Owners(store, warehouse)

    async def claim(
        self, metadata: Json, claimant: Claimant, *, held: tuple[str, ...] = (), before: Json | None = None
    ) -> Claim:
        """Claim the location, and where properties put files, or say whose it is.

        What the claimant has `held` so far stays its own, whatever moves: its files still lie there.
        """
        location: str = metadata["location"]
        outside_paths = paths_to_check(metadata, before)
        if held and location == held[0] and not outside_paths:
            return Claim(places=held[1:])
        claim = await self._claim_location(location, claimant, held)
        mine = (location, *held)
        for outside in outside_paths:
            try:
                more = await self._claim_path(outside, metadata, claimant, mine)
            except IllegalArgument as error:
                raise IllegalArgument(
                    f"Cannot use {outside.name} {shown(outside.path)}: {error}", hint=error.hint
                ) from error
            claim = Claim((*claim.comparisons, *more.comparisons), (*claim.writes, *more.writes))
            mine = (*mine, *more.places)
        return Claim(claim.comparisons, claim.writes, self._beside(location, mine))

    async def _claim_location(self, location: str, claimant: Claimant, held: tuple[str, ...]) -> Claim:
        own = self._keys(held)
        if _covers(own, self._key(location)):
            return NO_CLAIM
        key = self._new_key(location)
        await self.check_reach(location, claimant)
        around = self._around(location)
        other = await self._other(key, around, own)
        if other is not None:
            owner = await self._owners.told(other, claimant.asker)
            raise IllegalArgument(f"Cannot use location {location}: it overlaps that of {owner}")
        if any(one.startswith(key) for one in own):
            # Others could come to lie in it before the move is committed.
            raise IllegalArgument(f"Cannot use location {location}: it encloses the one that is left")
        return Claim((*(Absent(outer) for outer in around), Empty(key)), (Put(key, claimant.owner.encode()),))

    async def _claim_path(
        self, outside: OutsidePath, metadata: Json, claimant: Claimant, held: tuple[str, ...]
    ) -> Claim:
        """Refuse a property that puts files into another's place.

        Only what deletes nothing may share the place of a table, with whoever may write that one. So it claims nothing.
        """
        path, own = outside.path, self._keys(held)
        if _covers(own, self._key(path)):
            return NO_CLAIM
        key, around = self._new_key(path) if outside.new else self._key(path), self._around(path)
        other = await self._other(key, around, own)
        shares = deletes_nothing(metadata)
        if other is not None:
            if shares and await self._owners.writable(other, claimant.asker):
                return NO_CLAIM
            owner = await self._owners.told(other, claimant.asker)
            raise IllegalArgument(f"it overlaps the location of {owner}")
        encloses = any(one.startswith(key) for one in own)
        free = (*(Absent(outer) for outer in around), *(() if encloses else (Empty(key),)))
        if not outside.new:
            return Claim(free)
        await self._reach.check_path(claimant.name, path, claimant.asker)
        if shares:
            return Claim(free)
        if encloses:
            raise IllegalArgument(f"it encloses a place that the {claimant.kind.word} has already")
        return Claim(free, (Put(key, claimant.owner.encode()),), (path,))

    def _beside(self, location: str, mine: tuple[str, ...]) -> tuple[str, ...]:
        """What is not the location itself, and lies in nothing else of these."""
        here = self._key(location)
        kept = tuple(place for place in self.outermost(mine) if self._key(place) != here)
        if len(kept) > _MOST_PLACES:
            raise IllegalArgument(
                f"Cannot use location {shown(location)}: files may lie in {_MOST_PLACES} other places already",
                hint="Copy it to a new one.",
            )
        return kept

    async def check_reach(self, location: str, claimant: Claimant) -> None:
        """Refuse a place that does not go with the claimant's namespace, unless the asker may use any."""
        await self._reach.check(claimant.name, location, claimant.asker)

    async def is_free(self, location: str, *, held: tuple[str, ...] = ()) -> bool:
        """Whether nobody has a claim that overlaps the location, but for those on what is `held`."""
        own = self._keys(held)
        around = [outer for outer in self._around(location) if outer not in own]
        return await self._overlapping(self._key(location), around, own) is None

    def release(self, held: tuple[str, ...]) -> tuple[Delete, ...]:
        return tuple(Delete(key) for key in sorted(self._keys(held)))

    def reassign(self, held: tuple[str, ...], owner: str) -> tuple[Put, ...]:
        """The places stay, but their owner has another name."""
        return tuple(Put(self._key(place), owner.encode()) for place in self.outermost(held))

    def outermost(self, held: tuple[str, ...]) -> tuple[str, ...]:
        """Those that lie in no other: a table may have moved within its own place."""
        keys = {self._key(place): place for place in held}
        return tuple(place for key, place in sorted(keys.items()) if not _covers(keys.keys() - {key}, key))

    def left(self, held: tuple[str, ...], metadata: Json) -> tuple[str, ...]:
        """Of what was held, what neither the location nor a path of the metadata lies in."""
        paths = (outside.path for outside in paths_to_check(metadata, None))
        used = self._keys((metadata["location"], *paths))
        return tuple(place for place in held if not any(key.startswith(self._key(place)) for key in used))

    def holds(self, held: tuple[str, ...], location: str) -> bool:
        return _covers(self._keys(held), self._key(location))

    async def check_readable(self, location: str, claimant: Claimant) -> None:
        """Refuse a file outside of a table's own places that lies in another's, or where its reader could put none."""
        for outer in self._around(location):
            if await self._store.read(outer) is not None:
                raise IllegalArgument(f"Cannot read {shown(location)}: it lies in the location of another table")
        await self._reach.check_path(claimant.name, location, claimant.asker)

    async def default(self, name: TableName, namespace_properties: Json) -> str:
        """Below its namespace under its own name; beside that place if it is taken, as it is after a rename."""
        base = namespace_properties.get("location") or self._warehouse.url(name.namespace.path)
        location = f"{base.rstrip('/')}/{path_segment(name.name)}"
        beside = f"{location}-{token_hex(4)}"
        for place in (location, beside):
            if await self._overlapping(self._key(place), self._around(place), frozenset()) is None:
                return place
        # The namespace's own directory is a table's: `a.b` is a table and `a.b.c` another.
        return self._warehouse.url(f"{path_segment(str(name))}-{token_hex(4)}")

    async def _other(self, key: str, around: list[str], own: frozenset[str]) -> Entry | None:
        """Whose place it overlaps, after what this server is purging is gone."""
        other = await self._overlapping(key, around, own)
        if other is not None and other.value == BEING_PURGED:
            await self._purging.finished()
            other = await self._overlapping(key, around, own)
        return other

    async def _overlapping(self, key: str, around: list[str], own: frozenset[str]) -> Entry | None:
        for outer in around:
            if (entry := await self._store.read(outer)) is not None:
                return entry
        inside = await self._store.list(key, limit=len(own) + 1)
        return next((entry for entry in inside if entry.key not in own), None)

    def _around(self, location: str) -> list[str]:
        """The keys of the places that `location` lies inside."""
        parts = self._warehouse.path(location).split("/")
        return [location_key(self._warehouse.name, "/".join(parts[:depth])) for depth in range(1, len(parts))]

    def _key(self, location: str) -> str:
        return location_key(self._warehouse.name, self._warehouse.path(location))

    def _new_key(self, location: str) -> str:
        return location_key(self._warehouse.name, self._warehouse.new_path(location))

    def _keys(self, places: tuple[str, ...]) -> frozenset[str]:
        return frozenset(self._key(place) for place in places)


def _covers(own: AbstractSet[str], key: str) -> bool:
    """Whether a place is one of these, or lies in one."""
    return any(key.startswith(one) for one in own)
