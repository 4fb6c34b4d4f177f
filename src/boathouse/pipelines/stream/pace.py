"""No more events in a second than a limit allows, however often a hop asks for some."""

import math
import threading
import time


class Pace:
    """One hop's; without a limit it takes what there is."""

    def __init__(self, per_second: int | None) -> None:
        self._per_second = per_second
        self._next_at = 0.0

    def batch(self, at_most: int, every: float) -> tuple[int, float]:
        """How many at once, and how often. Where not even one may come each time, it is asked less often."""
        if self._per_second is None:
            return at_most, every
        at_most = min(at_most, math.ceil(self._per_second * every))
        return at_most, max(every, at_most / self._per_second)

    def took(self, events: int, began: float) -> None:
        """Some, since a moment of `time.monotonic`: a batch that follows at once would be too many."""
        if self._per_second is not None:
            self._next_at = began + events / self._per_second

    def wait(self, stopping: threading.Event) -> None:
        """Until what was taken last has had its time."""
        if (seconds := self._next_at - time.monotonic()) > 0:
            stopping.wait(seconds)
