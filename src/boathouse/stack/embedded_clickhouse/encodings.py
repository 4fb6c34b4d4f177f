"""Content encodings, both ways and piece by piece."""

import zlib
from collections.abc import Callable
from typing import Any, Protocol

import brotli
import lz4.frame
import zstandard

from boathouse.stack.embedded_clickhouse.errors import ClickHouseError


class Encoder(Protocol):
    def encode(self, piece: bytes) -> bytes: ...

    def finish(self) -> bytes: ...


class Decoder(Protocol):
    def decode(self, piece: bytes) -> bytes: ...

    def complete(self) -> bool:
        """Whether what was given ends where it should."""
        ...


class _Plain:
    def encode(self, piece: bytes) -> bytes:
        return piece

    def finish(self) -> bytes:
        return b""


class _Zlib:
    def __init__(self, bits: int) -> None:
        self._stream = zlib.compressobj(3, zlib.DEFLATED, bits)

    def encode(self, piece: bytes) -> bytes:
        return self._stream.compress(piece)

    def finish(self) -> bytes:
        return self._stream.flush()


class _Zstd:
    def __init__(self) -> None:
        self._stream = zstandard.ZstdCompressor(level=3).compressobj()

    def encode(self, piece: bytes) -> bytes:
        return self._stream.compress(piece)

    def finish(self) -> bytes:
        return self._stream.flush()


class _Lz4:
    def __init__(self) -> None:
        self._stream = lz4.frame.LZ4FrameCompressor()
        self._begun = False

    def encode(self, piece: bytes) -> bytes:
        begin = b"" if self._begun else self._stream.begin()
        self._begun = True
        return begin + self._stream.compress(piece)

    def finish(self) -> bytes:
        return (b"" if self._begun else self._stream.begin()) + self._stream.flush()


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Compressor(quality=3)

    def encode(self, piece: bytes) -> bytes:
        return self._stream.process(piece)

    def finish(self) -> bytes:
        return self._stream.finish()


class _UnBrotli:
    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    def decode(self, piece: bytes) -> bytes:
        return self._stream.process(piece)

    def complete(self) -> bool:
        return self._stream.is_finished()


class _Frames:
    """One frame after another, as many as there are; clients send a frame for each block."""

    def __init__(self, open_frame: Callable[[], Any]) -> None:
        self._open_frame = open_frame
        self._frame: Any = None

    def decode(self, piece: bytes) -> bytes:
        decoded: list[bytes] = []
        while piece:
            self._frame = self._frame or self._open_frame()
            decoded.append(self._frame.decompress(piece))
            if not self._frame.eof:
                break
            piece, self._frame = self._frame.unused_data or b"", None
        return b"".join(decoded)

    def complete(self) -> bool:
        return self._frame is None


class _AsIs:
    def decode(self, piece: bytes) -> bytes:
        return piece

    def complete(self) -> bool:
        return True


# In the order in which ClickHouse chooses among what a client takes.
_ENCODERS = {
    "br": _Brotli,
    "lz4": _Lz4,
    "zstd": _Zstd,
    "gzip": lambda: _Zlib(31),
    "deflate": lambda: _Zlib(15),
}


def chosen_encoding(accepted: str) -> str | None:
    names = {part.partition(";")[0].strip().lower() for part in accepted.split(",")}
    return next((name for name in _ENCODERS if name in names), None)


def encoder(name: str | None) -> Encoder:
    return _ENCODERS[name]() if name else _Plain()


def decoder(name: str) -> Decoder:
    match name.strip().lower():
        case "" | "identity":
            return _AsIs()
        case "gzip" | "x-gzip":
            return _Frames(lambda: zlib.decompressobj(31))
        case "deflate":
            return _Frames(lambda: zlib.decompressobj(15))
        case "zstd":
            return _Frames(lambda: zstandard.ZstdDecompressor().decompressobj())
        case "lz4":
            return _Frames(lz4.frame.LZ4FrameDecompressor)
        case "br":
            return _UnBrotli()
        case other:
            raise ClickHouseError(48, "NOT_IMPLEMENTED", f"Unknown compression method {other}")


# What the libraries raise at bytes that are not what they are said to be.
UNDECODABLE = (zlib.error, zstandard.ZstdError, brotli.error, RuntimeError)
