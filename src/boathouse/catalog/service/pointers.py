"""A table's entry in the store: which metadata file is its current version."""

from dataclasses import dataclass

import orjson

from boathouse.catalog.errors import NoSuchTable
from boathouse.catalog.names import TableName, table_key
from boathouse.catalog.service.files import MetadataFiles, TableFile
from boathouse.catalog.store import Entry, Put, Store, Unchanged


@dataclass(frozen=True)
class Pointer:
    key: str
    revision: int
    metadata_location: str
    location: str

    def unchanged(self) -> Unchanged:
        return Unchanged(self.key, self.revision)


class Pointers:
    def __init__(self, store: Store, files: MetadataFiles, warehouse: str) -> None:
        self._store = store
        self._files = files
        self._warehouse = warehouse

    def key(self, table: TableName) -> str:
        return table_key(self._warehouse, table)

    async def find(self, table: TableName) -> Pointer | None:
        entry = await self._store.read(self.key(table))
        return _pointer(entry) if entry else None

    async def get(self, table: TableName) -> Pointer:
        pointer = await self.find(table)
        if pointer is None:
            raise NoSuchTable(f"Table does not exist: {table}")
        return pointer

    async def load(self, table: TableName) -> TableFile:
        return await self._files.read((await self.get(table)).metadata_location)

    def put(self, table: TableName, file: TableFile) -> Put:
        return self.put_at(table, file.location, file.metadata["location"])

    def put_at(self, table: TableName, metadata_location: str, location: str) -> Put:
        return Put(self.key(table), orjson.dumps({"metadata-location": metadata_location, "location": location}))


def _pointer(entry: Entry) -> Pointer:
    value = orjson.loads(entry.value)
    return Pointer(entry.key, entry.revision, value["metadata-location"], value["location"])
