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

    def __init__(
        self, reader: asyncio.StreamReader, transport: asyncio.ReadTransport, query: asyncio.Future[Outcome]
    ) -> None:
        self._reader = reader
        self._transport = transport
        self.query = query

    @classmethod
    async def begin(cls, connection: Connection, statement: Statement, question: Question, threads: Executor) -> Self:
        loop = asyncio.get_running_loop()
        reading, writing = os.pipe()
        with contextlib.suppress(OSError):  # smaller pipes are slower, not wrong
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _PIPE)
        reader = asyncio.StreamReader(limit=_PIPE)
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(reading, "rb", 0)
        )
        sql = statement.written_to(f"/dev/fd/{writing}", question.default_format)

        def run() -> Outcome:
            try:
                return connection.run(sql, "Null", question.parameters)[1]
            finally:
                os.close(writing)

        return cls(reader, transport, loop.run_in_executor(threads, run))

    async def pieces(self) -> AsyncGenerator[bytes]:
        while piece := await self._reader.read(_PIPE):
            yield piece

    def let_go(self) -> None:
        """Nobody reads any more. The engine takes no notice of that: its query has to be killed as well."""
        self._transport.close()
        self._reader.feed_eof()
