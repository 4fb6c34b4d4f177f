"""How far a source's connectors are behind its log, and when one that failed is begun again."""

from collections import deque

from boathouse.pipelines.stream.postgres import LogPlace

# Marks are kept of the last hours: whoever is behind by more is told to be behind by that.
_MARKS = 5000
# Of the log, what may not have been read where nobody changes anything: each connector's last messages, of 64 bytes each, which
# have it note how far it has read, and what Postgres says of itself.
_QUIET = 1024
_FIRST_PAUSE, _LONGEST_PAUSE = 5.0, 300.0


class Behind:
    """The log is looked at now and then. What has been read up to where it ended at some look is as old as that look."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, int]] = deque(maxlen=_MARKS)
        self._last: LogPlace | None = None

    def see(self, place: LogPlace | None, at: float) -> None:
        self._last = place
        if place is None:
            return
        self._marks.append((at, place.written))
        # The last that has been read stays.
        while len(self._marks) > 1 and self._marks[1][1] <= place.read + _QUIET:
            self._marks.popleft()

    @property
    def bytes(self) -> int | None:
        return None if self._last is None else max(0, self._last.written - self._last.read)

    def seconds(self) -> float | None:
        """Since the log was as long as it has been read; at least since it was first looked at."""
        if self._last is None:
            return None
        first, last = self._marks[0], self._marks[-1]
        return 0.0 if last[1] <= self._last.read + _QUIET else last[0] - first[0]


class Restarts:
    """Of a connector: after a pause that becomes longer as long as it does not help. It runs for a while before it fails again."""

    def __init__(self) -> None:
        self._pauses: dict[str, tuple[float, float]] = {}
        """By its name: when it was begun again, and how long to wait after that."""

    def is_time(self, name: str, now: float) -> bool:
        at, pause = self._pauses.get(name, (now, 0.0))
        if now < at + pause:
            return False
        self._pauses[name] = (now, min(_LONGEST_PAUSE, max(_FIRST_PAUSE, pause * 2)))
        return True

    def went_well(self, name: str, now: float) -> None:
        if now >= self._pauses.get(name, (now, 0.0))[0] + _LONGEST_PAUSE:
            del self._pauses[name]
