"""Readings of meters as events, put straight into Kafka: what is measured then is the pipeline, not whatever makes them."""

import time
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from confluent_kafka import Producer

from boathouse.kit.access import KafkaAccess

_FIRST_READING = 1_767_225_600
_A_TICK = 0.05
# Readings are marked so often by when they were produced.
_MARK_EVERY = 100

# By hand: to make a document of each would be the slowest part.
_EVENT = '{"id":%d,"meter_id":%d,"read_at":"%s","kwh":%d.%03d,"corrected":false,"note":null}'
COLUMNS = "{id: long, meter_id: long, read_at: timestamp, kwh: 'decimal(10,3)', corrected: boolean, note: string}"


@dataclass
class Produced:
    """Which ids there are, and when they were put."""

    first: int
    count: int = 0
    seconds: float = 0.0
    _ids: "array[int]" = field(default_factory=lambda: array("q"))
    _times: "array[float]" = field(default_factory=lambda: array("d"))

    def mark(self, last: int) -> None:
        self._ids.append(last)
        self._times.append(time.time())

    def at(self, last: int) -> float | None:
        """When the id was put, to the mark before it."""
        place = bisect_right(self._ids, last) - 1
        return self._times[place] if place >= 0 else None

    @property
    def rate(self) -> float:
        return self.count / max(self.seconds, 0.001)


class Events:
    def __init__(self, access: KafkaAccess, topic: str) -> None:
        self._topic = topic
        # After those of every part before, which put fewer a second.
        self._next = int(time.time()) * 100_000
        self.last: Produced = Produced(self._next)
        tuning = {"linger.ms": 5, "batch.size": 524_288, "compression.type": "lz4"}
        more = {"acks": "all", "queue.buffering.max.messages": 1_000_000, "queue.buffering.max.kbytes": 1_048_576}
        self._producer = Producer({**access.client(), **tuning, **more})

    def put(self, count: int, rate: int | None) -> Produced:
        """So many, at that rate a second or as fast as it goes."""
        self.last = done = Produced(self._next)
        began, until = time.monotonic(), self._next + count
        while self._next < until:
            due = until if rate is None else min(until, done.first + int((time.monotonic() - began) * rate) + 1)
            self._put_some(min(due, self._next + 10_000), done)
            if rate is not None:
                time.sleep(_A_TICK)
        self._producer.flush(60)
        done.count, done.seconds = count, time.monotonic() - began
        return done

    def _put_some(self, until: int, done: Produced) -> None:
        while self._next < until:
            one = self._next
            try:
                self._producer.produce(self._topic, _message(one), str(one % 1000 + 1))
            except BufferError:
                self._producer.poll(0.1)
                continue
            if one % _MARK_EVERY == 0:
                done.mark(one)
            self._next += 1
        self._producer.poll(0)


def _message(one: int) -> str:
    return _EVENT % (one, one % 1000 + 1, _read_at(one // 1000), one % 5, one % 1000)


@lru_cache(maxsize=2)
def _read_at(round_: int) -> str:
    """A quarter of an hour later after each thousand meters."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(_FIRST_READING + round_ % 10_000 * 900))
