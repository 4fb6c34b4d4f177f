"""The metadata files that lie where a table or view keeps them, and that this catalog may have written."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import obstore
from obstore.store import LocalStore

from boathouse.catalog.metadata import Json
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.objects import path_below, storage_errors

# The names that our own commits give. Others' files are others' business.
_NAME = re.compile(r"\d{5,}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.gz)?\.metadata\.json")
# What the library calls a file in a directory until it is whole. It never lists, reads or deletes one of that name.
_UNFINISHED = re.compile(rf"{_NAME.pattern}#\d+")


@dataclass(frozen=True)
class FoundFile:
    url: str
    size: int
    unfinished: Path | None = None
    """Where it is, if whoever wrote it was stopped before it had its name: then nothing can name it."""


async def old_files(warehouse: Warehouse, metadata: Json, before: datetime) -> list[FoundFile]:
    """Metadata files in the directories of this table or view that were written before a moment."""
    found: list[FoundFile] = []
    for directory in _directories(warehouse, metadata):
        async for path, size, modified in _listed(warehouse, directory):
            if modified < before and _NAME.fullmatch(path.removeprefix(directory)):
                found.append(FoundFile(warehouse.url(path), size))
        found += [file for file, modified in _unfinished(warehouse, directory) if modified < before]
    return found


def _directories(warehouse: Warehouse, metadata: Json) -> set[str]:
    places = [f"{metadata['location'].rstrip('/')}/metadata"]
    if chosen := metadata.get("properties", {}).get("write.metadata.path"):
        places.append(chosen)
    below = {path_below(warehouse.root, place) for place in places}
    return {f"{path}/" for path in below if path}


async def _listed(warehouse: Warehouse, directory: str) -> AsyncIterator[tuple[str, int, datetime]]:
    with storage_errors(warehouse.url(directory)):
        async for page in obstore.list(warehouse.objects, prefix=directory, chunk_size=1000):
            for found in page:
                yield found["path"], found["size"], found["last_modified"]


def _unfinished(warehouse: Warehouse, directory: str) -> Iterator[tuple[FoundFile, datetime]]:
    if not isinstance(warehouse.objects, LocalStore):
        return
    place = Path(f"{warehouse.objects.prefix}/{directory}")
    for path in place.iterdir() if place.is_dir() else ():
        if not _UNFINISHED.fullmatch(path.name):
            continue
        with suppress(FileNotFoundError):  # it is finished by now
            status = path.stat()
            url = warehouse.url(directory + path.name)
            yield FoundFile(url, status.st_size, path), datetime.fromtimestamp(status.st_mtime, UTC)
