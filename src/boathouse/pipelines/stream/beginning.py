"""Where a hop goes on: where its table ends, whatever a checkpoint says.

A checkpoint is ahead of its table when the table was rolled back, or is another one, or has lost what it had. Then it is
dropped, and what the table lacks is read again; what Kafka no longer has of that is an error and never left out silently.
"""

import json
from dataclasses import dataclass, field
from functools import cached_property

from boathouse.kit.errors import Conflict, WorkFailed
from boathouse.pipelines.stream import offsets
from boathouse.pipelines.stream.checkpoints import Checkpoint
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.offsets import Ids, Offsets
from boathouse.pipelines.stream.spec import KafkaSource
from boathouse.pipelines.stream.topics import Topics


@dataclass(frozen=True)
class Said:
    """What a table says of itself."""

    offsets: Offsets = field(default_factory=Offsets)
    ids: Ids = field(default_factory=Ids)
    by_rows: bool = False
    """Rows tell of events, and Kafka counts more than events: between two there may have been nothing."""


@dataclass
class Beginning:
    context: StreamContext
    hop: str
    to: str
    """What is written to, and by which key of the spec it is named."""
    key: str
    ids: Ids = field(default_factory=Ids)
    """Of the topics, as they are since the hop began."""
    _said: Said = field(default_factory=Said)
    _new: Offsets = field(default_factory=Offsets)
    """Where a table begins that has nothing of them."""
    _first: Offsets = field(default_factory=Offsets)
    """What Kafka still had when the hop began."""

    @cached_property
    def checkpoint(self) -> Checkpoint:
        return Checkpoint(self.context.access.object_store, self.context.directory(self.hop))

    @cached_property
    def _topics(self) -> Topics:
        return Topics(self.context.kafka, self.context.spec.topics)

    def counted(self, said: Said) -> Offsets:
        """What of it counts: not that of topics which have been made anew since."""
        now = self._topics.ids()
        done = offsets.of_these_topics(said.offsets, said.ids, now)
        for topic in sorted(said.offsets.keys() - done.keys()):
            self._say(f"the topic {topic} was made anew, and is taken in from its beginning")
        self._said, self.ids = said, {**said.ids, **now}
        return done

    def start(self, done: Offsets) -> str:
        """As Spark takes it where there is no checkpoint; one that does not lead on from the table is gone then."""
        self._topics.require()
        first, ends = self._topics.beginnings(), self._topics.ends()
        self._refuse_lost(done, first, ends)
        self._first, self._new = first, self._where_new(first, ends)
        has = {topic: {one: self._has(done, topic, one) for one in there} for topic, there in first.items()}
        goes_on_at = self.checkpoint.goes_on_at()
        if goes_on_at is None or not _leads_on(goes_on_at, has, first):
            self._say_partial(done, first, has)
            if goes_on_at is not None:
                self._say(f"{self.to} does not have all that the checkpoint says: going on where the table ends")
            self.checkpoint.drop()
        return json.dumps(has)

    def check(self, batch: int, done: Offsets, *, first: bool) -> None:
        """Refuse a batch of other topics, and one that would leave out what lies before it."""
        now = self._topics.ids()
        if any(self.ids.get(topic) != now.get(topic) for topic in self.context.spec.topics):
            raise Conflict("A topic was made anew meanwhile.", hint="It is taken in from its beginning now.")
        for topic, partition, at in offsets.places(self.checkpoint.beginning_of(batch)) if first else ():
            if at > self._has(done, topic, partition):
                raise Conflict(f"{self.to} has lost what it had.", hint="It is read again from Kafka now.")

    def _has(self, done: Offsets, topic: str, partition: str) -> int:
        has = done.get(topic, {}).get(partition, self._new.get(topic, {}).get(partition, 0))
        # What is gone between its last row and Kafka's first event has been told, and is not to be had.
        return max(has, self._first.get(topic, {}).get(partition, 0)) if self._said.by_rows else has

    def _where_new(self, first: Offsets, ends: Offsets) -> Offsets:
        if not self._begins_late():
            return first
        # One that has begun already begins there again, or what came since would be left out.
        began = self.checkpoint.first() if self.checkpoint.goes_on_at() is not None else ends
        return {
            topic: {one: max(at, min(began.get(topic, {}).get(one, 0), ends[topic][one])) for one, at in there.items()}
            for topic, there in first.items()
        }

    def _begins_late(self) -> bool:
        source = self.context.spec.source
        return isinstance(source, KafkaSource) and source.start == "latest" and not self._said.offsets

    def _refuse_lost(self, done: Offsets, first: Offsets, ends: Offsets) -> None:
        for topic, partition, at in offsets.places(done):
            if at > ends.get(topic, {}).get(partition, at):
                raise WorkFailed(
                    f"{self.to} has taken in {at:,} events of {topic} (partition {partition}), and Kafka has fewer.",
                    hint=f"If the topic was made anew, name another {self.key}, which then begins with what the topic has now.",
                )
            lost = first.get(topic, {}).get(partition, at) - at
            if lost <= 0:
                continue
            what = f"Kafka no longer has {lost:,} events of {topic} (partition {partition}, from offset {at})"
            if not self._said.by_rows:
                raise WorkFailed(
                    f"{what}, which {self.to} has not taken in.",
                    hint=f"To go on without them, name another {self.key}, which then begins with what Kafka has. "
                    "A longer kafka.retention, or the topic's own retention.ms, keeps them until the stream comes back.",
                )
            self._say(f"{what}. Whether {self.to} lacks any, it does not say: no snapshot is left that tells")

    def _say_partial(self, done: Offsets, first: Offsets, has: Offsets) -> None:
        for topic, partition, at in offsets.places(first):
            if at and partition not in done.get(topic, {}) and at == has[topic][partition] and not self._begins_late():
                gone = f"Kafka no longer has the first {at:,} events of {topic} (partition {partition})"
                self._say(f"{gone}: {self.to} begins without them")

    def _say(self, what: str) -> None:
        self.context.say(f"{self.hop}: {what}")


def _leads_on(goes_on_at: Offsets, has: Offsets, first: Offsets) -> bool:
    """Whether it begins with nothing left out, where Kafka still has it."""
    return all(
        partition in has.get(topic, {}) and first[topic][partition] <= at <= has[topic][partition]
        for topic, partition, at in offsets.places(goes_on_at)
    )
