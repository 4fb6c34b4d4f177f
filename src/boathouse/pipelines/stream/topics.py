"""The topics of a pipeline: that they are there, which they are, and from where to where they reach."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from confluent_kafka import IsolationLevel, KafkaError, KafkaException, Producer, TopicCollection, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.admin._listoffsets import OffsetSpec
from confluent_kafka.cimpl import NewTopic
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from boathouse.kit.access import KafkaAccess
from boathouse.kit.errors import NotFound, Unavailable
from boathouse.pipelines.stream.context import LARGEST_EVENT
from boathouse.pipelines.stream.offsets import Ids, Offsets

_SECONDS = 10.0
_LEADERLESS = {
    KafkaError.LEADER_NOT_AVAILABLE,
    KafkaError.NOT_LEADER_FOR_PARTITION,
    # Of the client: "Failed to query partition leaders".
    KafkaError._NOENT,  # noqa: SLF001 - its public name
}
_CONFIG = {"max.message.bytes": str(LARGEST_EVENT), "compression.type": "producer"}


class Topics:
    def __init__(self, access: KafkaAccess, names: Sequence[str]) -> None:
        self._access = access
        self._names = list(names)
        self._admin = AdminClient({**access.client(), "log_level": 0})

    def make(self, partitions: int) -> None:
        """Those that are not there."""
        missing = [name for name in self._names if name not in self._there()]
        wanted = [NewTopic(name, partitions, replication_factor=-1, config=_CONFIG) for name in missing]
        for made in self._admin.create_topics(wanted).values() if wanted else ():
            self._result(made)

    def require(self) -> None:
        for name in self._names:
            if name not in self._there():
                raise NotFound(f"Kafka has no topic {name!r}.", hint="Make it, or correct source.topics.")

    def ends(self) -> Offsets:
        """Where each of them ends by now."""
        return self._reach(OffsetSpec.latest())

    def beginnings(self) -> Offsets:
        """The first event that each still has, or will have."""
        return self._reach(OffsetSpec.earliest())

    def put(self, events: Mapping[str, bytes]) -> None:
        """One to each of these topics."""
        refused: list[KafkaError] = []
        producer = Producer({**self._access.client(), "log_level": 0, "enable.idempotence": True})
        for topic, event in events.items():
            producer.produce(topic, event, on_delivery=lambda error, _: refused.append(error) if error else None)
        if producer.flush(_SECONDS) or refused:
            raise self._away(KafkaException(refused[0]) if refused else TimeoutError())

    def ids(self) -> Ids:
        """By which one that was deleted and made anew is told from what it was. Those that are not there have none."""
        found: Ids = {}
        for name, told in self._admin.describe_topics(TopicCollection(self._names), request_timeout=_SECONDS).items():
            try:
                found[name] = str(told.result(timeout=_SECONDS).topic_id)
            except (KafkaException, TimeoutError) as error:
                if not _is_unknown(error):
                    raise self._away(error) from error
        return found

    def _reach(self, which: Any) -> Offsets:
        """A topic that has just been made, or whose broker has just begun, has nobody for a moment who could tell."""
        patient = Retrying(
            stop=stop_after_delay(_SECONDS),
            wait=wait_fixed(0.1),
            retry=retry_if_exception_type(_NoLeader),
            reraise=True,
        )
        return patient(self._told, which)

    def _told(self, which: Any) -> Offsets:
        there = self._there()
        wanted: dict[TopicPartition, Any] = {
            TopicPartition(name, partition): which
            for name in self._names
            for partition in (there[name].partitions if name in there else ())
        }
        found: Offsets = {}
        asked = self._admin.list_offsets(
            wanted, isolation_level=IsolationLevel.READ_COMMITTED, request_timeout=_SECONDS
        )
        for place, told in asked.items() if wanted else ():
            found.setdefault(place.topic, {})[str(place.partition)] = self._result(told).offset
        return found

    def _there(self) -> dict[str, Any]:
        try:
            return dict(self._admin.list_topics(timeout=_SECONDS).topics or {})
        except KafkaException as error:
            raise self._away(error) from error

    def _result(self, future: "Future[Any]") -> Any:
        try:
            return future.result(timeout=_SECONDS)
        except (KafkaException, TimeoutError) as error:
            raise self._away(error) from error

    def _away(self, error: Exception) -> Unavailable:
        kind = _NoLeader if isinstance(error, KafkaException) and error.args[0].code() in _LEADERLESS else Unavailable
        why = error.args[0].str() if isinstance(error, KafkaException) else "it took too long"
        return away(self._access, why, kind)


def away(access: KafkaAccess, why: str, kind: type[Unavailable] = Unavailable) -> Unavailable:
    return kind(
        f"Kafka at {access.servers} does not answer: {why}.",
        hint="See `boathouse status` and `boathouse logs kafka`.",
    )


class _NoLeader(Unavailable):
    """Of a partition: nobody has it yet, or its client asked who had it before."""


def _is_unknown(error: Exception) -> bool:
    return isinstance(error, KafkaException) and error.args[0].code() == KafkaError.UNKNOWN_TOPIC_OR_PART
