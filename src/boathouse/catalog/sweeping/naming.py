"""All the metadata files that something still names: a pointer, the log of a live table, an idempotency record.

They are known by the last part of their location, which holds a UUID: so a file that is named in another spelling is still known.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import cached_property

import orjson

from boathouse.catalog.metadata import Json, uuid_of
from boathouse.catalog.names import repeat_key
from boathouse.catalog.service.files import MetadataFiles
from boathouse.catalog.service.kinds import KINDS
from boathouse.catalog.store import Cut, Entry, Store
from boathouse.kit.errors import BoathouseError, WorkFailed

_PAGE = 500


@dataclass(frozen=True)
class Relation:
    """A table or view as its pointer and its current metadata have it."""

    entry: Entry
    metadata_location: str
    metadata: Json

    @property
    def uuid(self) -> str | None:
        return uuid_of(self.metadata)

    @cached_property
    def names(self) -> frozenset[str]:
        """Of the metadata files that it names itself."""
        return frozenset(file_name(file) for file in (self.metadata_location, *_logged(self.metadata)))

    @property
    def keeps_all(self) -> bool:
        """Whether it asks that none of its files be deleted."""
        return self.metadata.get("properties", {}).get("gc.enabled", "true").lower() == "false"


async def relations(cut: Store | Cut, warehouse: str, files: MetadataFiles) -> AsyncIterator[Relation]:
    """Every table and view of a warehouse."""
    for kind in KINDS:
        async for entry in _entries(cut, f"{kind.word}/{warehouse}/"):
            location = orjson.loads(entry.value)["metadata-location"]
            yield Relation(entry, location, await _metadata(files, location))


async def names_in_use(store: Store, warehouse: str, files: MetadataFiles) -> set[str]:
    """What is named at one moment. A metadata file that cannot be read ends it: nobody knows what it names."""
    named: set[str] = set()
    async with store.cut() as cut:
        async for one in relations(cut, warehouse, files):
            named |= one.names
        async for entry in _entries(cut, repeat_key(warehouse, "")):
            if location := orjson.loads(entry.value).get("metadata-location"):
                named.add(file_name(location))
    return named


def file_name(location: str) -> str:
    return location.rpartition("/")[2]


def _logged(metadata: Json) -> list[str]:
    files = (entry.get("metadata-file") for entry in metadata.get("metadata-log", ()))
    return [file for file in files if isinstance(file, str)]


async def _metadata(files: MetadataFiles, location: str) -> Json:
    try:
        return (await files.read(location)).metadata
    except BoathouseError as error:
        raise WorkFailed(
            f"The metadata file {location} cannot be read, so what it names is unknown: {error}",
            hint="Restore the file or drop its table, then sweep again. Nothing was deleted.",
        ) from error


async def _entries(cut: Store | Cut, prefix: str) -> AsyncIterator[Entry]:
    after = ""
    while page := await cut.list(prefix, after=after, limit=_PAGE):
        for entry in page:
            yield entry
        after = page[-1].key
