"""A session watched from beside it: a thread asks the driver what it does for it, now and then.

What the driver tells is worth having, not needed: one that does not answer, or tells what nobody understands, is
watched no better, and nothing else comes of it.
"""

import threading
import time
from collections.abc import Callable
from typing import Self

import httpx

from boathouse.engines.spark.driver import Driver
from boathouse.engines.spark.progress import Progress

# Often enough for a bar that moves.
_EVERY = 0.5
# The driver hears of a job's end from its own scheduler some milliseconds after the client does.
_LAST_LOOKS = 3
_BETWEEN_LAST_LOOKS = 0.1


class Watch:
    def __init__(self, address: str | None, session_id: str, tell: Callable[[Progress], None]) -> None:
        """Without an address nothing is ever seen."""
        self._answered: bool | None = None
        self._driver = Driver(address, session_id) if address else None
        self._tell = tell
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    @property
    def sees(self) -> bool:
        """Whether the last look was answered."""
        return bool(self._answered)

    def __enter__(self) -> Self:
        if self._driver is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._driver is not None:
            self._over.set()
            self._thread.join()
            self._look_at_the_end(self._driver)
            self._driver.close()

    def _watch(self) -> None:
        while self._driver is not None and not self._over.wait(_EVERY):
            self._look(self._driver)

    def _look_at_the_end(self, driver: Driver) -> None:
        for _ in range(_LAST_LOOKS):
            # Whoever did not answer just now is not waited for.
            if self._answered is not False:
                self._look(driver)
            if not (self.sees and driver.is_at_work):
                break
            time.sleep(_BETWEEN_LAST_LOOKS)

    def _look(self, driver: Driver) -> None:
        try:
            news = driver.look()
        except (httpx.HTTPError, ValueError):
            self._answered = False
            return
        self._answered = True
        if news is not None:
            self._tell(news)
