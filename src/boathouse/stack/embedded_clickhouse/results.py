"""A result on its way from the engine, through a pipe: as fast as it is read, and in no more memory than the pipe has."""

import asyncio
import contextlib
import fcntl
import os
from collections.abc import AsyncGenerator
from concurrent.futures import Executor
from typing import Self

from boathouse.stack.embedded_clickhouse.engine import Connection, Outcome
from boathouse.stack.embedded_clickhouse.questions import Question
from boathouse.stack.embedded_clickhouse.sql_text import Statement

_PIPE = 1 << 20


class Result:
    """A SELECT that runs, and what it has written."""

    def __init__(self, pipe: "ReadingEnd", query: asyncio.Future[Outcome]) -> None:
        self._pipe = pipe
        self.query = query

    @classmethod
    async def begin(cls, connection: Connection, statement: Statement, question: Question, threads: Executor) -> Self:
        reading, writing = os.pipe()
        with contextlib.suppress(OSError):  # smaller pipes are slower, not wrong
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _PIPE)
        sql = statement.written_to(f"/dev/fd/{writing}", question.default_format, question.settings_of_statement)

        def run() -> Outcome:
            try:
                return connection.run(sql, "Null", question.parameters)[1]
            finally:
                os.close(writing)

        return cls(ReadingEnd(reading), asyncio.get_running_loop().run_in_executor(threads, run))

    async def pieces(self) -> AsyncGenerator[bytes]:
        while piece := await self._pipe.read():
            yield piece

    def let_go(self) -> None:
        """Nobody reads any more. The engine takes no notice of that: its query has to be killed as well."""
        self._pipe.close()


class ReadingEnd:
    """Of a pipe, closed once.

    The loop's own transport closes it twice (uvloop 0.23): the second time it may be a file that the engine has opened
    meanwhile, and the engine ends the process for that.
    """

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Future[None] | None = None
        self._closed = False

    async def read(self) -> bytes:
        """Nothing at its end, and once it is closed."""
        while not self._closed:
            try:
                return os.read(self._descriptor, _PIPE)
            except BlockingIOError:
                await self._readable()
        return b""

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._awake()
        os.close(self._descriptor)

    async def _readable(self) -> None:
        self._waiting = self._loop.create_future()
        self._loop.add_reader(self._descriptor, self._awake)
        try:
            await self._waiting
        finally:
            self._awake()

    def _awake(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._loop.remove_reader(self._descriptor)
            if not waiting.done():
                waiting.set_result(None)
