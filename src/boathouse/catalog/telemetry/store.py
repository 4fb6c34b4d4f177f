"""A store that is watched: every operation timed, commits traced. Else it is the store that it stands before."""

import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from boathouse.catalog.store import Comparison, Cut, Entry, Store, StoreHealth, Write
from boathouse.catalog.telemetry.metrics import STORE_ERRORS, STORE_SECONDS
from boathouse.catalog.telemetry.tracing import span

_READ, _LIST, _COMMIT = (STORE_SECONDS.labels(operation) for operation in ("read", "list", "commit"))


class ObservedStore:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def read(self, key: str) -> Entry | None:
        began = time.perf_counter()
        try:
            return await self._store.read(key)
        except Exception:
            STORE_ERRORS.labels("read").inc()
            raise
        finally:
            _READ.observe(time.perf_counter() - began)

    async def list(self, prefix: str, *, after: str = "", limit: int) -> list[Entry]:
        began = time.perf_counter()
        try:
            return await self._store.list(prefix, after=after, limit=limit)
        except Exception:
            STORE_ERRORS.labels("list").inc()
            raise
        finally:
            _LIST.observe(time.perf_counter() - began)

    async def keys(self, prefix: str, *, after: str = "", limit: int) -> Sequence[str]:
        began = time.perf_counter()
        try:
            return await self._store.keys(prefix, after=after, limit=limit)
        except Exception:
            STORE_ERRORS.labels("list").inc()
            raise
        finally:
            _LIST.observe(time.perf_counter() - began)

    async def commit(self, comparisons: Sequence[Comparison], writes: Sequence[Write]) -> bool:
        began = time.perf_counter()
        with span("store.commit", writes=len(writes)) as told:
            try:
                applied = await self._store.commit(comparisons, writes)
            except Exception:
                STORE_ERRORS.labels("commit").inc()
                raise
            finally:
                _COMMIT.observe(time.perf_counter() - began)
            told.set_attribute("applied", applied)
            return applied

    def cut(self) -> AbstractAsyncContextManager[Cut]:
        return self._store.cut()

    async def check(self) -> None:
        await self._store.check()

    async def health(self) -> StoreHealth:
        return await self._store.health()

    async def close(self) -> None:
        await self._store.close()
