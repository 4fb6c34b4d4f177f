"""Whose a place is, as far as whoever asks may know."""

from collections.abc import Callable, Iterator
from itertools import combinations

import orjson

from boathouse.catalog.names import Namespace, TableName, location_key
from boathouse.catalog.service.asker import Asker
from boathouse.catalog.service.kinds import KINDS, Kind
from boathouse.catalog.store import Entry, Store
from boathouse.catalog.warehouse import Warehouse

# Of how many parts a name may be made to be told apart from others that are spelled alike: each more doubles the work.
_MOST_PARTS = 8


class Owners:
    def __init__(self, store: Store, warehouse: Warehouse) -> None:
        self._store = store
        self._warehouse = warehouse

    async def told(self, place: Entry, asker: Asker) -> str:
        """The owner that stands in the index of locations, by name only if the asker may see it."""
        kind = _kind(place)
        if kind is None or asker.manages or await self._is_one(kind, place, asker.sees):
            return place.value.decode()
        return f"another {kind.word}"

    async def writable(self, place: Entry, asker: Asker) -> bool:
        """Whether it is that of a table or view that the asker may write."""
        kind = _kind(place)
        return kind is not None and (asker.manages or await self._is_one(kind, place, asker.writes))

    async def _is_one(self, kind: Kind, place: Entry, fitting: Callable[[TableName], bool]) -> bool:
        for name in _spelled_so(place.value.decode().partition(" ")[2]):
            if fitting(name) and await self._lies_in(kind, name, place):
                return True
        return False

    async def _lies_in(self, kind: Kind, name: TableName, place: Entry) -> bool:
        pointer = await self._store.read(kind.key(self._warehouse.name, name))
        if pointer is None:
            return False
        held = orjson.loads(pointer.value)
        places: list[str] = [held["location"], *held.get("places", ())]
        return place.key in {location_key(self._warehouse.name, self._warehouse.path(one)) for one in places}


def _kind(place: Entry) -> Kind | None:
    """None for a place that is being purged."""
    word = place.value.decode().partition(" ")[0]
    return next((kind for kind in KINDS if kind.word == word), None)


def _spelled_so(text: str) -> Iterator[TableName]:
    """Every name that is written like this: a dot may stand between levels or in one."""
    parts = text.split(".")
    if len(parts) > _MOST_PARTS:
        return
    between = range(1, len(parts))
    for count in between:
        for cuts in combinations(between, count):
            ends = (*cuts, len(parts))
            *levels, name = (".".join(parts[a:b]) for a, b in zip((0, *cuts), ends, strict=True))
            yield TableName(Namespace(tuple(levels)), name)
