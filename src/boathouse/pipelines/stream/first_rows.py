"""The rows that were there when connectors began: whether each connector read them once, or was cut off and began anew.

Debezium then reads them all again and follows the log from there. A row of the first reading that was deleted by the second
stays in its topic, and nobody ever tells that it is gone. Every row of a reading tells the same place of Postgres's log, so
where there are two places, there were two readings. Rows that were there come before all changes, which is how their last is found.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import orjson
from confluent_kafka import Consumer, KafkaError, TopicPartition

from boathouse.kit.access import KafkaAccess
from boathouse.kit.ids import new_uuid
from boathouse.pipelines.stream.offsets import Offsets, places
from boathouse.pipelines.stream.topics import away

_SECONDS = 10.0
_CHANGES = ("c", "u", "d", "t")
# Single messages are looked at, here and there, so there is nothing to wait for until more has come.
_LITTLE = {
    "fetch.message.max.bytes": 65_536,
    "queued.min.messages": 1,
    "fetch.queue.backoff.ms": 0,
    "fetch.wait.max.ms": 5,
    "enable.partition.eof": True,
}


@dataclass
class _Partition:
    """Of a topic that a connector writes to."""

    topic: str
    number: int
    last: int
    """The last row that was there, of those that are known; before the first, where that may be."""
    read_at: set[int]
    """Where Postgres's log stood when its rows were read."""
    seen: int = -1
    """Where it ended when it was looked at."""
    is_over: bool = False
    """A change has come, so there are no more rows."""


@dataclass(frozen=True)
class Message:
    offset: int
    read_at: int | None
    """None of a change."""


class FirstRows:
    """Of one connector; `since` is where its topics ended when it was made."""

    def __init__(self, access: KafkaAccess, since: Offsets) -> None:
        self._access = access
        self._since = since
        self._partitions: dict[tuple[str, str], _Partition] = {}

    def were_read_twice(self, beginnings: Offsets, ends: Offsets) -> bool:
        """By what has come. Topics that have gained nothing since are not looked at again."""
        new = [(self._partition(topic, number, beginnings), end) for topic, number, end in places(ends)]
        to_look_at = [(one, end) for one, end in new if not one.is_over and end > max(one.seen, one.last + 1)]
        if to_look_at:
            with _Reader(self._access) as reader:
                for one, end in to_look_at:
                    _look(reader, one, end)
        return len(set[int]().union(*(one.read_at for one in self._partitions.values()))) > 1

    def _partition(self, topic: str, number: str, beginnings: Offsets) -> _Partition:
        # What was there before it is another's, and what Kafka no longer has nobody can look at.
        first = max(self._since.get(topic, {}).get(number, 0), beginnings.get(topic, {}).get(number, 0))
        return self._partitions.setdefault((topic, number), _Partition(topic, int(number), first - 1, set()))


def _look(reader: "_Reader", one: _Partition, end: int) -> None:
    if not one.read_at:
        first = reader.first(one.topic, one.number, one.last + 1)
        if first is None:
            one.seen = end
            return
        if first.read_at is None:
            one.is_over = True
            return
        one.last = first.offset
        one.read_at.add(first.read_at)
    high = end
    while one.last + 1 < high:
        middle = (one.last + high) // 2
        found = reader.first(one.topic, one.number, middle)
        if found is None or found.read_at is None:
            one.is_over = one.is_over or found is not None
            high = middle
        else:
            one.last = found.offset
            one.read_at.add(found.read_at)
    one.seen = end


class _Reader:
    def __init__(self, access: KafkaAccess) -> None:
        group = {"group.id": f"boathouse-{new_uuid()}", "enable.auto.commit": False}
        reading: dict[str, Any] = {**access.client(), **group, **_LITTLE, "isolation.level": "read_committed"}
        self._consumer = Consumer(reading)
        self._access = access

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._consumer.close()

    def first(self, topic: str, partition: int, offset: int) -> Message | None:
        """From there on; None at the end. Passed over is what tells nothing: offsets without a message, and what nobody can read."""
        self._consumer.assign([TopicPartition(topic, partition, offset)])
        until = time.monotonic() + _SECONDS
        while time.monotonic() < until:
            found = self._consumer.poll(0.5)
            if found is None or (found.topic(), found.partition()) != (topic, partition):
                continue
            if (error := found.error()) is not None:
                if error.code() == KafkaError._PARTITION_EOF:  # noqa: SLF001 - its public name
                    return None
                raise away(self._access, error.str())
            here = found.offset() or 0
            if here >= offset and (told := message_of(here, found.value())) is not None:
                return told
            until = time.monotonic() + _SECONDS
        raise away(self._access, "it took too long")


def message_of(offset: int, value: bytes | None) -> Message | None:
    """None if it is neither a row that was there nor a change: such may stand anywhere, and tells nothing of the others."""
    try:
        event = orjson.loads(value or b"")
    except orjson.JSONDecodeError:
        return None
    told: Mapping[str, Any] = event if isinstance(event, dict) else {}
    source: Any = told.get("source")
    lsn = source.get("lsn") if isinstance(source, dict) else None
    if not isinstance(lsn, int):
        return None
    if told.get("op") == "r":
        return Message(offset, lsn)
    return Message(offset, None) if told.get("op") in _CHANGES else None
