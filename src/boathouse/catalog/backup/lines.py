"""A backup's lines: a header, an entry each, and a last line with the count and a checksum of all before it.

Values are JSON themselves, so they are kept as text that people can read; what is not UTF-8 is kept in base 64.
"""

import gzip
from base64 import b64decode, b64encode
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

import orjson
import zstandard

from boathouse.catalog.store import Put
from boathouse.kit.errors import InvalidInput


def entry_line(key: str, value: bytes) -> bytes:
    try:
        return line({"key": key, "value": value.decode()})
    except UnicodeDecodeError:
        return line({"key": key, "base64": b64encode(value).decode()})


def entry_of(parsed: dict[str, Any]) -> Put:
    value = b64decode(parsed["base64"]) if "base64" in parsed else parsed["value"].encode()
    return Put(parsed["key"], value)


def line(value: dict[str, Any]) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)


@contextmanager
def packed(path: Path, file: BinaryIO) -> Generator[IO[bytes]]:
    """Compressed as the name asks: .zst or .gz."""
    if path.suffix == ".zst":
        with zstandard.ZstdCompressor().stream_writer(file, closefd=False) as writer:
            yield cast(IO[bytes], writer)
    elif path.suffix == ".gz":
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as writer:
            yield cast(IO[bytes], writer)
    else:
        yield file


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a backup, unpacked, or a refusal if it cannot be read."""
    try:
        with path.open("rb") as file:
            yield from _unpacked(path, file)
    except FileNotFoundError:
        raise InvalidInput(f"There is no file {path}.", hint="Name a file that `catalog export` wrote.") from None
    except (OSError, EOFError, zstandard.ZstdError) as error:
        raise InvalidInput(f"The backup {path} cannot be read: {error}.", hint="Take another copy of it.") from error


def _unpacked(path: Path, file: BinaryIO) -> Iterator[bytes]:
    if path.suffix == ".zst":
        # A stream that breaks off in the middle is seen by the missing last line.
        with zstandard.ZstdDecompressor().stream_reader(file) as reader:
            yield from _split(cast(IO[bytes], reader))
    elif path.suffix == ".gz":
        with gzip.GzipFile(fileobj=file) as reader:
            yield from reader
    else:
        yield from file


def _split(stream: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while chunk := stream.read(1 << 20):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (one + b"\n" for one in whole)
    if rest:
        yield rest
