"""The metadata files that lie where a table or view keeps them, and that this catalog may have written."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime

import obstore

from boathouse.catalog.metadata import Json
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.objects import path_below, storage_errors

# The names that our own commits give. Others' files are others' business.
_NAME = re.compile(r"\d{5,}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.gz)?\.metadata\.json")


@dataclass(frozen=True)
class FoundFile:
    url: str
    size: int


async def old_files(warehouse: Warehouse, metadata: Json, before: datetime) -> list[FoundFile]:
    """Metadata files in the directories of this table or view that were written before a moment."""
    found: list[FoundFile] = []
    for directory in _directories(warehouse, metadata):
        async for path, size, modified in _listed(warehouse, directory):
            if modified < before and _NAME.fullmatch(path.removeprefix(directory)):
                found.append(FoundFile(warehouse.url(path), size))
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
