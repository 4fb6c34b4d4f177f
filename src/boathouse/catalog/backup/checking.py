"""Whether the metadata files that a backup's pointers name are there."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import obstore
import orjson

from boathouse.catalog.backup.reading import entries_of
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import NotFound
from boathouse.kit.objects import storage_errors

_POINTERS = ("table", "view")
_AT_ONCE = 32


async def missing_files(path: Path, warehouses: Sequence[Warehouse]) -> list[str]:
    """The metadata files of these warehouses that pointers in the backup name and storage does not have."""
    missing: list[str] = []
    named = _named(path, {warehouse.name: warehouse for warehouse in warehouses})
    while batch := list(islice(named, _AT_ONCE)):
        there = await asyncio.gather(*(_is_there(warehouse, location) for warehouse, location in batch))
        missing += [location for (_, location), found in zip(batch, there, strict=True) if not found]
    return missing


def _named(path: Path, warehouses: dict[str, Warehouse]) -> Iterator[tuple[Warehouse, str]]:
    for entry in entries_of(path):
        kind, _, rest = entry.key.partition("/")
        warehouse = warehouses.get(rest.partition("/")[0])
        if kind in _POINTERS and warehouse is not None:
            yield warehouse, orjson.loads(entry.value)["metadata-location"]


async def _is_there(warehouse: Warehouse, location: str) -> bool:
    try:
        with storage_errors(location):
            await obstore.head_async(warehouse.objects, warehouse.path(location))
    except NotFound:
        return False
    return True
