"""The end of a pipe from which a result is read: to its end, in pieces, and closed once."""

import asyncio
import os
from typing import Any

import pytest
import uvloop

from boathouse.stack.embedded_clickhouse.results import ReadingEnd

LOOPS = pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])


def piped() -> tuple[ReadingEnd, int, int]:
    reading, writing = os.pipe()
    return ReadingEnd(reading), reading, writing


@LOOPS
def test_it_is_read_as_it_is_written_up_to_its_end(run: Any) -> None:
    async def read() -> list[bytes]:
        pipe, _, writing = piped()
        found: list[bytes] = []
        for piece in (b"one", b"two", b""):
            waiting = asyncio.ensure_future(pipe.read())
            await asyncio.sleep(0.01)
            assert not waiting.done()
            os.write(writing, piece) if piece else os.close(writing)
            found.append(await waiting)
        pipe.close()
        return found

    assert run(read()) == [b"one", b"two", b""]


@LOOPS
def test_who_waits_is_told_when_it_is_closed(run: Any) -> None:
    async def read() -> bytes:
        pipe, _, writing = piped()
        waiting = asyncio.ensure_future(pipe.read())
        await asyncio.sleep(0.01)
        pipe.close()
        try:
            return await asyncio.wait_for(waiting, 5)
        finally:
            os.close(writing)

    assert run(read()) == b""


@LOOPS
def test_a_file_that_is_opened_after_it_was_closed_stays_open(run: Any) -> None:
    async def close_and_open() -> None:
        pipe, reading, writing = piped()
        os.close(writing)
        assert await pipe.read() == b""
        pipe.close()
        opened = os.open(os.devnull, os.O_RDONLY)
        assert opened == reading
        pipe.close()
        for _ in range(10):
            await asyncio.sleep(0.001)
        os.close(opened)

    run(close_and_open())
