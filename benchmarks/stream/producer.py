"""Events as Debezium writes them, put straight into Kafka: what is measured then is the pipeline, not Postgres."""

import time
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field

from confluent_kafka import Producer

from boathouse.kit.access import KafkaAccess

# Far beyond where the log of a new Postgres is.
_FIRST_LSN = 10**12
_FIRST_READING = 1_767_225_600
_A_TICK = 0.05
# Readings are marked so often by when they were produced.
_MARK_EVERY = 100

# Written by hand, field by field as Debezium has them: to make a document of each would be the slowest part.
_EVENT = (
    '{"before":null,"after":{"id":%d,"meter_id":%d,"read_at":"%s","kwh":"%s","corrected":false,"note":null},'
    '"source":{"version":"3.6.3.Final","connector":"postgresql","name":"bench","ts_ms":%d,"snapshot":"false",'
    '"db":"oltp","sequence":"[\\"%d\\",\\"%d\\"]","ts_us":%d000,"ts_ns":%d000000,"schema":"public",'
    '"table":"readings","txId":%d,"lsn":%d,"xmin":null,"origin":null,"origin_lsn":null},'
    '"transaction":null,"op":"c","ts_ms":%d,"ts_us":%d000,"ts_ns":%d000000}'
)


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
        now = int(time.time() * 1000)
        while self._next < until:
            one = self._next
            key, value = _message(one, now)
            try:
                self._producer.produce(self._topic, value, key)
            except BufferError:
                self._producer.poll(0.1)
                continue
            if one % _MARK_EVERY == 0:
                done.mark(one)
            self._next += 1
        self._producer.poll(0)


def _message(one: int, now: int) -> tuple[str, str]:
    # A quarter of an hour later after each thousand meters.
    read_at = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(_FIRST_READING + one // 1000 % 10_000 * 900))
    lsn = _FIRST_LSN + one * 100
    kwh = f"{one % 5}.{one % 1000:03}"
    times = (now, lsn, lsn, now, now, one // 100, lsn, now, now, now)
    return f'{{"id":{one}}}', _EVENT % (one, one % 1000 + 1, read_at, kwh, *times)
