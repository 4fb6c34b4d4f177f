"""Avro files that anybody may have written, block by block, and no further than there is room for.

A small file may unpack to more than the memory of the machine, and a schema may say that nothing is written a thousand
million times. The library believes both, so what it is given is looked at first.
"""

import bz2
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Any, cast

import fastavro
import fastavro.schema
import orjson
import zstandard

Record = dict[str, Any]

# Writers begin a new block after some ten thousand bytes, and a manifest of theirs is some megabytes when unpacked.
LARGEST_BLOCK = 32 * 1024 * 1024
LARGEST_FILE = 512 * 1024 * 1024
# No manifest's schema comes near this. The library reads by recursion, and does not look how deep it is.
_DEEPEST = 32
_HEADER = {
    "type": "record",
    "name": "header",
    "fields": [
        {"name": "magic", "type": {"type": "fixed", "name": "magic", "size": 4}},
        {"name": "meta", "type": {"type": "map", "values": "bytes"}},
        {"name": "sync", "type": {"type": "fixed", "name": "sync", "size": 16}},
    ],
}
_WINDOW = 128 * 1024 * 1024


class AvroFile:
    """Its records as they are stored. What is wrong with it comes out as a ValueError or as one of the library's many."""

    def __init__(self, content: bytes) -> None:
        self._stream = io.BytesIO(content)
        header = self._read(_HEADER)
        if header["magic"] != b"Obj\x01":
            raise ValueError("it does not begin as an Avro file does")
        self.metadata: dict[str, bytes] = header["meta"]
        self._sync: bytes = header["sync"]
        codec = self.metadata.get("avro.codec", b"null").decode()
        if codec not in _UNPACKED:
            raise ValueError(f"it is packed by {codec[:100]}, which is not known here")
        self._unpacked = _UNPACKED[codec]
        self.schema = cast(Record, _plain(orjson.loads(self.metadata["avro.schema"])))
        _check(self.schema, {}, frozenset(), 0)
        self._parsed = fastavro.schema.parse_schema(self.schema)

    def __iter__(self) -> Iterator[Record]:
        room = LARGEST_FILE
        while self._stream.tell() < len(self._stream.getbuffer()):
            count, packed = self._read("long"), self._read("bytes")
            if self._stream.read(len(self._sync)) != self._sync:
                raise ValueError("a block does not end where it says")
            block = self._unpacked(packed, min(room, LARGEST_BLOCK) + 1)
            room -= len(block)
            if len(block) > LARGEST_BLOCK or room < 0:
                raise ValueError("it unpacks to more than is read")
            if not 0 <= count <= len(block):
                raise ValueError("a block says that it has more records than bytes")
            records = io.BytesIO(block)
            for _ in range(count):
                yield cast(Record, fastavro.schemaless_reader(records, self._parsed, None))

    def _read(self, schema: Any) -> Any:
        return fastavro.schemaless_reader(self._stream, schema, None)


def _plain(schema: Any) -> Any:
    """Without logical types: values stay as they are stored, also those outside of what Python's own types hold."""
    if isinstance(schema, list):
        return [_plain(one) for one in cast(list[Any], schema)]
    if not isinstance(schema, dict):
        return schema
    return {name: _plain(value) for name, value in cast(Record, schema).items() if name != "logicalType"}


def _check(schema: Any, known: dict[str, bool], within: frozenset[str], depth: int) -> bool:
    """Whether a value of this schema takes any room. A list of such that take none is refused, and a type within itself."""
    if depth > _DEEPEST:
        raise ValueError("its schema is nested too deeply")
    if isinstance(schema, str):
        if schema in within:
            raise ValueError("its schema holds itself")
        return known.get(schema, schema != "null")
    if isinstance(schema, list):
        # Which of them it is takes a byte.
        for one in cast(list[Any], schema):
            _check(one, known, within, depth + 1)
        return True
    return _check_complex(cast(Record, schema), known, within, depth)


def _check_complex(schema: Record, known: dict[str, bool], within: frozenset[str], depth: int) -> bool:
    kind, name = schema["type"], schema.get("name", "")
    match kind:
        case "record" | "error":
            inside = within | {name}
            takes = [_check(field["type"], known, inside, depth + 1) for field in schema["fields"]]
            known[name] = any(takes)
        case "array" | "map":
            if (
                not _check(schema["items" if kind == "array" else "values"], known, within, depth + 1)
                and kind == "array"
            ):
                raise ValueError("its schema has a list of nothing")
            return True
        case "fixed":
            known[name] = schema["size"] > 0
        case "enum":
            known[name] = True
        case _:
            return _check(kind, known, within, depth + 1)
    return known[name]


def _zstandard(packed: bytes, most: int) -> bytes:
    unpacking = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    with unpacking.stream_reader(packed, read_across_frames=True) as reader:
        return reader.read(most)


_UNPACKED: dict[str, Callable[[bytes, int], bytes]] = {
    "null": lambda packed, _most: packed,
    "deflate": lambda packed, most: zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, most),
    "zstandard": _zstandard,
    "bzip2": lambda packed, most: bz2.BZ2Decompressor().decompress(packed, most),
    "xz": lambda packed, most: lzma.LZMADecompressor(memlimit=_WINDOW).decompress(packed, most),
}
