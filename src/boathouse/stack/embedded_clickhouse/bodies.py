"""What a client sends: taken in whole before anything is done with it, in memory if it is small and else on disk.

So a client that dies in the middle of an insert has inserted nothing, and one that is slow holds nothing up.
"""

import tempfile
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from boathouse.stack.embedded_clickhouse.encodings import UNDECODABLE, Decoder, decoder
from boathouse.stack.embedded_clickhouse.errors import ClickHouseError

_IN_MEMORY = 8 << 20
_PIECE = 1 << 20
# What the engine takes as a query at most, if it is not told otherwise.
_LONGEST_HEAD = 256 << 10
_LONGEST_QUERY = 16 << 20


class Body:
    """A query's text, and what follows it."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file = file
        self.size = size

    def head(self) -> bytes:
        """Enough to find where a query ends and its data begins."""
        self._file.seek(0)
        return self._file.read(_LONGEST_HEAD)

    def text(self) -> str:
        if self.size > _LONGEST_QUERY:
            raise ClickHouseError(62, "SYNTAX_ERROR", f"A query of {self.size} bytes is too long")
        self._file.seek(0)
        return self._file.read().decode(errors="surrogateescape")

    def pieces(self, start: int) -> Iterator[bytes]:
        self._file.seek(start)
        while piece := self._file.read(_PIECE):
            yield piece


@asynccontextmanager
async def taken_in(query: str, receive: Any, encoding: str, scratch: Path) -> AsyncGenerator[Body]:
    """The query of the address and the body of the request, as one text. Raises ClientDisconnect if it does not end."""
    decoding = decoder(encoding)
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY, dir=str(scratch)) as file:
        if query:
            file.write(query.rstrip().encode(errors="surrogateescape") + b"\n")
        async for piece in _pieces(receive):
            await run_in_threadpool(_keep, file, decoding, piece)
        if not decoding.complete():
            raise ClickHouseError(33, "CANNOT_READ_ALL_DATA", f"The body ends in the middle of its {encoding} encoding")
        yield Body(file, file.tell())  # pyright: ignore[reportArgumentType] - a file in all but name


async def _pieces(receive: Any) -> AsyncGenerator[bytes]:
    """What arrives, gathered: a change of thread for each packet would cost more than the work."""
    gathered, size, more = list[bytes](), 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        gathered.append(message.get("body", b""))
        size += len(gathered[-1])
        more = message.get("more_body", False)
        if size and (size >= _PIECE or not more):
            yield b"".join(gathered)
            gathered, size = [], 0


def _keep(file: Any, decoding: Decoder, piece: bytes) -> None:
    try:
        file.write(decoding.decode(piece))
    except UNDECODABLE as error:
        raise ClickHouseError(354, "ZLIB_INFLATE_FAILED", f"The body cannot be decoded: {error}") from error
