"""A store for whoever works with it: it takes no writes while it holds only a part of a backup."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from boathouse.catalog.backup.unfinished import UNFINISHED, mark_in
from boathouse.catalog.store import Absent, Comparison, Cut, Store, StoreHealth, Write
from boathouse.kit.errors import Unavailable


class WholeStore:
    """Every commit compares that there is no mark of an import, so that none slips in between a look and a write."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # Reading is the store's own, without a step between.
        self.read = store.read
        self.list = store.list
        self.keys = store.keys

    async def commit(self, comparisons: Sequence[Comparison], writes: Sequence[Write]) -> bool:
        applied = await self._store.commit([Absent(UNFINISHED), *comparisons], writes)
        if not applied and await mark_in(self._store) is not None:
            raise unfinished()
        return applied

    def cut(self) -> AbstractAsyncContextManager[Cut]:
        return self._store.cut()

    async def check(self) -> None:
        await self._store.check()

    async def health(self) -> StoreHealth:
        return await self._store.health()

    async def close(self) -> None:
        await self._store.close()


def unfinished() -> Unavailable:
    return Unavailable(
        "The store holds only a part of a backup: the import of a backup is not finished.",
        hint="Run `boathouse catalog import` again with the same file. Until it is done, nothing is written.",
    )
