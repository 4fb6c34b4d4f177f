"""What a hop does, in figures: how many events, how fast, how far behind, and what went wrong."""

import threading
import time
from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

# Seconds over which a rate is taken.
_WINDOW = 15.0


@dataclass(frozen=True)
class Reading:
    events: int
    rejected: int
    rate: float
    batch: int | None
    batch_seconds: float | None
    last_at: datetime | None
    freshness: float | None
    error: str | None


class Meter:
    """One hop's; written by the thread that works and read by the one that tells."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._marks: deque[tuple[float, int]] = deque([(time.monotonic(), 0)])
        self._events = 0
        self._rejected = 0
        self._batch: int | None = None
        self._seconds: float | None = None
        self._last: datetime | None = None
        self._newest: int | None = None
        self._error: str | None = None

    def took(self, batch: int | None, events: int, rejected: int, seconds: float, newest: int | None) -> None:
        """A batch is done; `newest` is when the last of its changes was made, in milliseconds since 1970."""
        # Other clocks may be ahead, and one moment that is yet to come would hide all that come late after it.
        newest = None if newest is None else min(newest, time.time_ns() // 1_000_000)
        with self._turn:
            self._events += events
            self._rejected += rejected
            self._batch, self._seconds = batch, seconds
            self._last, self._error = datetime.now(UTC), None
            self._newest = max(filter(None, (newest, self._newest)), default=None)
            self._marks.append((time.monotonic(), self._events))

    def failed(self, error: str) -> None:
        with self._turn:
            self._error = error

    def recovered(self) -> None:
        """What went wrong is over, whether there was anything to take or not."""
        with self._turn:
            self._error = None

    def reading(self, lag: int | None) -> Reading:
        with self._turn:
            return Reading(
                self._events,
                self._rejected,
                self._rate(),
                self._batch,
                self._seconds,
                self._last,
                self._freshness(lag),
                self._error,
            )

    def _rate(self) -> float:
        now = time.monotonic()
        while len(self._marks) > 1 and self._marks[1][0] <= now - _WINDOW:
            self._marks.popleft()
        since, before = self._marks[0]
        return (self._events - before) / max(1.0, now - max(since, now - _WINDOW))

    def _freshness(self, lag: int | None) -> float | None:
        """How long the last change took to arrive; while some have not arrived, how old the last that did is."""
        if self._newest is None or self._last is None:
            return None
        until = datetime.now(UTC) if lag else self._last
        return max(0.0, until.timestamp() - self._newest / 1000)


def hop_json(reading: Reading, lag: int | None, *, name: str, title: str, to: str, state: str) -> dict[str, Any]:
    return {
        "name": name,
        "title": title,
        "to": to,
        "state": state,
        "events": reading.events,
        "rate": round(reading.rate, 1),
        "lag": lag,
        "freshness": None if reading.freshness is None else round(reading.freshness, 3),
        "batch": reading.batch,
        "batch_seconds": None if reading.batch_seconds is None else round(reading.batch_seconds, 3),
        "last_at": reading.last_at.isoformat() if reading.last_at else None,
        "error": reading.error,
    }
