"""Where the engine's work is waited for: it blocks, and takes no lock of Python's while it does."""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from boathouse.stack.embedded_clickhouse.engine import Engine
from boathouse.stack.embedded_clickhouse.errors import ClickHouseError
from boathouse.stack.embedded_clickhouse.running import stop_in_engine

_T = TypeVar("_T")
_KILL_AGAIN_SECONDS = 0.25


class EngineThreads:
    def __init__(self, engine: Engine, max_queries: int) -> None:
        self._engine = engine
        self.queries = ThreadPoolExecutor(max_queries, "query")
        # Their own, so that a query can be stopped however many run.
        self._stopping = ThreadPoolExecutor(2, "stop")

    async def run(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self.queries, work)

    async def stop(self, query_id: str, query: asyncio.Future[Any]) -> None:
        """Again and again, as a query may be on its way to the engine when it is first told."""
        while not query.done():
            await self.tell_to_stop(query_id)
            await asyncio.wait([query], timeout=_KILL_AGAIN_SECONDS)

    async def tell_to_stop(self, query_id: str) -> None:
        with contextlib.suppress(ClickHouseError):
            await asyncio.get_running_loop().run_in_executor(self._stopping, self._stop_now, query_id)

    def _stop_now(self, query_id: str) -> None:
        connection = self._engine.connect()
        try:
            stop_in_engine(connection, query_id)
        finally:
            connection.close()

    def close(self) -> None:
        self.queries.shutdown(wait=True)
        self._stopping.shutdown(wait=True)
