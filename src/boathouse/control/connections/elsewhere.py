"""Threads of their own for what waits for systems elsewhere: however long those take, logins and results go on.

The loop's own threads are few. They are for what this machine does by itself: checking a password, reading a result.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar
from weakref import WeakValueDictionary

Found = TypeVar("Found")
# They mostly wait, and cost little meanwhile.
_THREADS = ThreadPoolExecutor(64, "elsewhere")
# So that one system that hangs, or one workspace's many, leaves threads for the others.
_AT_ONCE = 16
# Kept as long as somebody waits by them.
_turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()


async def elsewhere(whose: str, ask: Callable[[], Found]) -> Found:
    """Ask in a thread, in the turn of a workspace or of a system."""
    async with _turns.setdefault(whose, asyncio.Semaphore(_AT_ONCE)):
        return await asyncio.get_running_loop().run_in_executor(_THREADS, copy_context().run, ask)
