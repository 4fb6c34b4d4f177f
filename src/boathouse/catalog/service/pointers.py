"""An entry in the store: which metadata file is the current version of a table or view."""

from dataclasses import dataclass

import orjson

from boathouse.catalog.errors import AlreadyExists
from boathouse.catalog.names import TableName, namespace_key
from boathouse.catalog.service.files import MetadataFile, MetadataFiles
from boathouse.catalog.service.kinds import KINDS, Kind
from boathouse.catalog.store import Absent, Comparison, Entry, Present, Put, Store, Unchanged
from boathouse.kit.errors import NotFound


@dataclass(frozen=True)
class Pointer:
    key: str
    revision: int
    metadata_location: str
    location: str
    places: tuple[str, ...] = ()
    """What else is its own as long as it is there: where it lay before, and where its properties put files."""

    @property
    def held(self) -> tuple[str, ...]:
        return self.location, *self.places

    def unchanged(self) -> Unchanged:
        return Unchanged(self.key, self.revision)


class Pointers:
    """Those of one kind. A name is given once, whatever it is given to."""

    def __init__(self, store: Store, files: MetadataFiles, warehouse: str, kind: Kind) -> None:
        self._store = store
        self._files = files
        self._warehouse = warehouse
        self.kind = kind

    def key(self, name: TableName) -> str:
        return self.kind.key(self._warehouse, name)

    async def find(self, name: TableName) -> Pointer | None:
        entry = await self._store.read(self.key(name))
        return _pointer(entry) if entry else None

    async def get(self, name: TableName) -> Pointer:
        pointer = await self.find(name)
        if pointer is None:
            raise self._missing(name)
        return pointer

    async def load(self, name: TableName) -> MetadataFile:
        entry = await self._store.read(self.key(name))
        if entry is None:
            raise self._missing(name)
        return await self._files.read(orjson.loads(entry.value)["metadata-location"])

    def _missing(self, name: TableName) -> NotFound:
        return self.kind.missing(f"{self.kind.title} does not exist: {name}")

    def put(self, name: TableName, file: MetadataFile, places: tuple[str, ...] = ()) -> Put:
        return self.put_at(name, file.location, file.metadata["location"], places)

    def put_at(self, name: TableName, metadata_location: str, location: str, places: tuple[str, ...]) -> Put:
        value = {"metadata-location": metadata_location, "location": location}
        return Put(self.key(name), orjson.dumps({**value, "places": places} if places else value))

    async def holder(self, name: TableName) -> Kind | None:
        """The kind of what has the name now, if anything has."""
        for kind in KINDS:
            if await self._store.read(kind.key(self._warehouse, name)) is not None:
                return kind
        return None

    async def check_free(self, name: TableName) -> None:
        holder = await self.holder(name)
        if holder is not None:
            other = "" if holder is self.kind else " with same name"
            raise AlreadyExists(f"{holder.title}{other} already exists: {name}")

    def still_free(self, name: TableName) -> tuple[Comparison, ...]:
        """What must hold when the name is given: nobody has it, and its namespace is there."""
        free = (Absent(kind.key(self._warehouse, name)) for kind in KINDS)
        return *free, Present(namespace_key(self._warehouse, name.namespace))


def _pointer(entry: Entry) -> Pointer:
    value = orjson.loads(entry.value)
    places = tuple(value.get("places", ()))
    return Pointer(entry.key, entry.revision, value["metadata-location"], value["location"], places)
