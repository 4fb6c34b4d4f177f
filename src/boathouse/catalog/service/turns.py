"""Changes to one table through one server go one after another.

Side by side they would lose to each other, again and again, and write a metadata file for every try. Other servers
still may be faster: whether a change is applied is decided by the store alone.
"""

from asyncio import Lock
from collections.abc import AsyncGenerator, Hashable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary


class Turns:
    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def of(self, names: Iterable[Hashable]) -> AsyncGenerator[None]:
        """Wait until it is one's turn for all of them. In one order, so that nobody waits in a circle."""
        async with AsyncExitStack() as turns:
            for name in sorted(set(names), key=repr):
                lock = self._locks.setdefault(name, Lock())
                await turns.enter_async_context(lock)
            yield
