"""Metadata files: written once, never changed, so that what was read stays true and can be kept."""

import gzip
import io
import os
import time
import zlib
from collections import OrderedDict
from collections.abc import Iterable
from functools import cached_property

import obstore
import orjson
from obstore.exceptions import BaseError
from obstore.store import LocalStore

from boathouse.catalog.errors import BadRequest, NoSuchFile
from boathouse.catalog.metadata import Json, read_metadata, referenced_only
from boathouse.catalog.telemetry.metrics import CACHE_HITS, CACHE_MISSES, METADATA_READ, METADATA_WRITTEN
from boathouse.catalog.telemetry.tracing import span
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import BoathouseError, NotFound, Unavailable
from boathouse.kit.ids import new_uuid
from boathouse.kit.objects import Store, storage_errors

_GZIP_MAGIC = b"\x1f\x8b"
# A table with a hundred thousand snapshots has about 60 MiB.
_LARGEST = 256 * 1024 * 1024
# Parsed JSON takes about this many times the room of its text.
_PARSED_FACTOR = 8
# A file that was taken away behind our back is noticed after this long. A directory is asked each time: it is so near.
_TRUSTED_SECONDS = 10.0
# Measured: a server that made 10,000 tables, which is as many as fit, had 50 MB more than one that had just started.
CACHE_BYTES = 64 * 1024 * 1024


class MetadataFile:
    """One version of a table or view: a metadata file's text, parsed when somebody needs more than the text."""

    def __init__(self, location: str, path: str, content: bytes, metadata: Json | None = None) -> None:
        self.location = location
        self.path = path
        """Where it lies in the warehouse."""
        self.content = content
        self.seen = time.monotonic()
        """When the file was last known to be there."""
        self._metadata = metadata

    @property
    def metadata(self) -> Json:
        """Shared by everybody who asks: not to be changed."""
        if self._metadata is None:
            self._metadata = self._parsed()
        return self._metadata

    def _parsed(self) -> Json:
        try:
            return read_metadata(orjson.loads(self.content))
        except orjson.JSONDecodeError as error:
            raise BadRequest(f"Cannot parse metadata file {self.location}: {error}") from error

    @cached_property
    def referenced(self) -> bytes:
        """The text with only the snapshots that branches and tags point at."""
        return orjson.dumps(referenced_only(self.metadata))


class MetadataFiles:
    """Reads and writes a warehouse's metadata files, and keeps the ones used last."""

    def __init__(self, warehouse: Warehouse, *, cache_bytes: int = CACHE_BYTES) -> None:
        self._warehouse = warehouse
        self._directory = _directory_of(warehouse.objects)
        self._cache: OrderedDict[str, MetadataFile] = OrderedDict()
        self._cached = 0
        self._capacity = cache_bytes

    async def read(self, location: str) -> MetadataFile:
        file = self._cache.get(location)
        if file is not None and await self._still_there(file):
            # Read by many at once, it may have been dropped while storage was asked.
            if location in self._cache:
                self._cache.move_to_end(location)
            CACHE_HITS.inc()
            return file
        CACHE_MISSES.inc()
        path = self._warehouse.path(location)
        with span("metadata.read", location=location):
            file = MetadataFile(location, path, await self._fetch(location, path))
        self._keep(file)
        return file

    async def write(self, metadata: Json, previous: str | None) -> MetadataFile:
        """Write the next version after the one at `previous`."""
        location = _next_location(metadata, previous)
        path = self._warehouse.path(location)
        file = MetadataFile(location, path, _text(metadata), metadata)
        self._check_root()
        content = gzip.compress(file.content, mtime=0) if ".gz." in location else file.content
        with span("metadata.write", location=location), storage_errors(location):
            await obstore.put_async(self._warehouse.objects, path, content)
        METADATA_WRITTEN.inc(len(content))
        self._keep(file)
        return file

    def _check_root(self) -> None:
        """A warehouse whose directory is gone, as of a disk that is not mounted, is not begun anew in an empty place."""
        if self._directory is not None and not os.path.isdir(self._directory):  # noqa: PTH112 - as above
            raise Unavailable(f"There is no directory {self._directory}.", hint="Mount or restore the warehouse.")

    async def delete(self, locations: Iterable[str]) -> None:
        """Remove files that no pointer names. One that stays behind does no harm, so failing is no error."""
        for location in locations:
            self._forget(location)
            try:
                with storage_errors(location):
                    await obstore.delete_async(self._warehouse.objects, self._warehouse.path(location))
            except BoathouseError:
                continue

    async def _still_there(self, file: MetadataFile) -> bool:
        """A cached file never differs from the one in storage, but that one may be gone."""
        try:
            if self._directory is not None:
                # Not through the library, which takes ten times as long; a name that it spells otherwise is only read again.
                os.stat(f"{self._directory}/{file.path}")  # noqa: PTH116 - a Path takes longer to make than this to answer
            elif time.monotonic() - file.seen > _TRUSTED_SECONDS:
                await obstore.head_async(self._warehouse.objects, file.path)
                file.seen = time.monotonic()
        except FileNotFoundError:
            self._forget(file.location)
            return False
        except (BaseError, OSError):
            return True  # storage that is away says nothing about the file
        return True

    async def _fetch(self, location: str, path: str) -> bytes:
        try:
            with storage_errors(location):
                answer = await obstore.get_async(self._warehouse.objects, path)
                _check_size(location, answer.meta["size"])
                content = bytes(await answer.bytes_async())
        except NotFound as error:
            raise NoSuchFile(f"Failed to open input stream for file: {location}") from error
        METADATA_READ.inc(len(content))
        return _unzipped(location, content)

    def _keep(self, file: MetadataFile) -> None:
        self._forget(file.location)
        self._cache[file.location] = file
        self._cached += _room(file)
        while self._cached > self._capacity and len(self._cache) > 1:
            _, dropped = self._cache.popitem(last=False)
            self._cached -= _room(dropped)

    def _forget(self, location: str) -> None:
        file = self._cache.pop(location, None)
        if file is not None:
            self._cached -= _room(file)


def _room(file: MetadataFile) -> int:
    return len(file.content) * _PARSED_FACTOR


def _text(metadata: Json) -> bytes:
    try:
        # A copy: a text as orjson made it keeps the room that was set aside for a longer one, eight times its own.
        return bytes(memoryview(orjson.dumps(metadata)))
    except orjson.JSONEncodeError as error:
        raise BadRequest(f"Cannot write metadata: {error}") from error


def _unzipped(location: str, content: bytes) -> bytes:
    if not content.startswith(_GZIP_MAGIC):
        return content
    try:
        with gzip.open(io.BytesIO(content)) as stream:
            text = stream.read(_LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BadRequest(f"Cannot parse metadata file {location}: {error}") from error
    _check_size(location, len(text))
    return text


def _check_size(location: str, size: int) -> None:
    """A client may register any file, and a small one may unpack to more than there is room for."""
    if size > _LARGEST:
        raise BadRequest(f"Cannot read metadata file {location}: it is larger than {_LARGEST >> 20} MiB")


def _directory_of(objects: Store) -> str | None:
    return str(objects.prefix) if isinstance(objects, LocalStore) else None


def _next_location(metadata: Json, previous: str | None) -> str:
    properties = metadata["properties"]
    directory = properties.get("write.metadata.path") or f"{metadata['location'].rstrip('/')}/metadata"
    zipped = properties.get("write.metadata.compression-codec", "none").lower() == "gzip"
    name = f"{_version(previous) + 1:05d}-{new_uuid()}{'.gz' if zipped else ''}.metadata.json"
    return f"{directory.rstrip('/')}/{name}"


def _version(location: str | None) -> int:
    """The number a metadata file's name starts with; -1 where there is none."""
    number = (location or "").rpartition("/")[2].partition("-")[0]
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else -1
