"""A TCP proxy that can lose what passes it, in one direction or the other, or end connections when an answer passes."""

import asyncio
import random
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable

from tests.chaos.catalog.proxy import Proxy


class FaultyLink(Proxy):
    def __init__(self, target: int, dice: random.Random) -> None:
        super().__init__(target)
        self._dice = dice
        self._open: set[StreamWriter] = set()
        self.requests_lost = False
        self.replies_lost = False
        self.flaky = 0.0
        """The share of answers in whose place the connection ends."""

    def mend(self) -> None:
        """Nothing is lost from now on. A stream with a hole in it is of no use, so every connection is reset."""
        self.requests_lost = self.replies_lost = False
        self.flaky = 0.0
        for writer in list(self._open):
            writer.transport.abort()

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._open.add(writer)
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            self._reset(writer)
            return
        self._open.add(there_writer)
        directions = (
            asyncio.create_task(_pump(reader, there_writer, lambda: self.requests_lost, lambda: False)),
            asyncio.create_task(_pump(there_reader, writer, lambda: self.replies_lost, self._breaks)),
        )
        try:
            await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for direction in directions:
                direction.cancel()
            await asyncio.gather(*directions, return_exceptions=True)
            self._reset(writer)
            self._reset(there_writer)

    def _breaks(self) -> bool:
        return self._dice.random() < self.flaky

    def _reset(self, writer: StreamWriter) -> None:
        self._open.discard(writer)
        writer.transport.abort()


async def _pump(source: StreamReader, sink: StreamWriter, lost: Callable[[], bool], breaks: Callable[[], bool]) -> None:
    """Until one of the ends is gone, or the connection breaks."""
    try:
        while (data := await source.read(65536)) and not breaks():
            if not lost():
                sink.write(data)
                await sink.drain()
    except OSError:
        return
