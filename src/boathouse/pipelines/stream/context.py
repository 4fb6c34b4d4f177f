"""What every hop of a stream needs to know."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathouse.kit.access import KafkaAccess, LakeAccess, of_stream
from boathouse.kit.catalog_client import TableName
from boathouse.pipelines.stream.spec import StreamSpec
from boathouse.pipelines.types import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ROOT = "_streams"
LARGEST_EVENT = 64 * 1024 * 1024
# Spark asks where a topic begins and ends each time that it has used up what its consumer gave it, which by default is 500
# messages: a fifth of what reading takes. What is fetched for a partition is held in memory.
_AT_ONCE = {"kafka.max.poll.records": "20000", "kafka.max.partition.fetch.bytes": str(4 * 1024 * 1024)}


def directory_of(spec: StreamSpec) -> str:
    """Where a stream keeps what it knows, below the bucket."""
    return f"{_ROOT}/{spec.slug}"


@dataclass(frozen=True)
class StreamContext:
    spec: StreamSpec
    session: "SparkSession"
    access: LakeAccess
    say: Callable[[str], None]

    @property
    def kafka(self) -> KafkaAccess:
        return of_stream(self.access.kafka, "Kafka")

    def spark_name(self, table: TableName) -> str:
        return ".".join(quoted(part) for part in (self.access.spark.catalog, *table.namespace, table.name))

    def directory(self, hop: str) -> str:
        """Where a hop keeps how far it has come, below the bucket."""
        return f"{directory_of(self.spec)}/{hop}"

    def checkpoint(self, hop: str) -> str:
        return f"s3a://{self.access.object_store.bucket}/{self.directory(hop)}"

    def follow(self, *, start: str, at_most: int, more: Mapping[str, str]) -> "DataFrame":
        """The topics as a stream; `start` is used where there is no checkpoint yet."""
        reader = self.session.readStream.format("kafka").options(**self.kafka_options())
        # What a producer took back was never there.
        reader = reader.option("kafka.isolation.level", "read_committed").options(**_AT_ONCE)
        reader = reader.option("subscribe", ",".join(self.spec.topics))
        return reader.options(startingOffsets=start, maxOffsetsPerTrigger=at_most, **more).load()

    def kafka_options(self) -> dict[str, str]:
        """The password is not among them: Spark shows the options of what it reads."""
        return {
            "kafka.bootstrap.servers": self.kafka.servers,
            "kafka.security.protocol": "SASL_PLAINTEXT",
            "kafka.sasl.mechanism": "PLAIN",
            # As large as Kafka takes them.
            "kafka.max.request.size": str(LARGEST_EVENT),
        }
