"""How far topics have been taken in: told by the snapshots of the table itself, so that its rows and this never differ."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import obstore

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.catalog_client import Json
from boathouse.kit.errors import WorkFailed
from boathouse.kit.objects import storage_errors
from boathouse.pipelines.ingest.discovery import s3_object
from boathouse.pipelines.stream.spec import KafkaSource, StreamSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Offsets = dict[str, dict[str, int]]
"""By topic and partition: the offset of the next event, as Spark and Kafka write it."""
PROPERTY = "boathouse.stream.offsets"


def of_batch(store: ObjectStoreAccess, directory: str, batch: int) -> Offsets:
    """Where a batch ends, as Spark wrote it down before it began."""
    url = f"s3://{store.bucket}/{directory}/offsets/{batch}"
    opened, key = s3_object(url, store)
    with storage_errors(url):
        lines = bytes(obstore.get(opened, key).bytes()).decode().splitlines()
    if len(lines) < 3:
        raise WorkFailed(f"{url} does not say where the batch ends.")
    return json.loads(lines[2])


def recorded(metadata: Json) -> Offsets | None:
    said = newest_said(metadata, PROPERTY)
    return None if said is None else json.loads(said)


def newest_said(metadata: Json, name: str) -> str | None:
    """By the newest snapshot that says, of those the table goes back to; one that rewrites files says nothing."""
    by_id: dict[int, Any] = {one["snapshot-id"]: one for one in metadata.get("snapshots", [])}
    here = by_id.get(metadata.get("current-snapshot-id", -1))
    while here is not None:
        if name in here.get("summary", {}):
            return str(here["summary"][name])
        here = by_id.get(here.get("parent-snapshot-id", -1))
    return None


def start_at(done: Offsets, spec: StreamSpec) -> str:
    """Where to begin if there is no checkpoint: after what is there already."""
    if all(topic in done for topic in spec.topics):
        return json.dumps({topic: done[topic] for topic in spec.topics})
    # What is there of some topics is passed over when it is read.
    return spec.source.start if isinstance(spec.source, KafkaSource) and not done else "earliest"


def in_table(rows: "DataFrame") -> Offsets:
    """By the rows: slower, but true when no snapshot is left that says."""
    found = rows.groupBy("topic", "partition").agg({"offset": "max"}).collect()
    offsets: Offsets = {}
    for topic, partition, last in found:
        offsets.setdefault(topic, {})[str(partition)] = last + 1
    return offsets


def beyond(events: "DataFrame", done: Offsets) -> "DataFrame":
    """The events that have not been taken in.

    For a batch that may begin earlier, after a crash: Spark compiles the numbers into what it runs, and that takes seconds.
    """
    from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

    for topic, partitions in done.items():
        for partition, offset in partitions.items():
            here = (F.col("topic") == topic) & (F.col("partition") == int(partition))
            events = events.where(~here | (F.col("offset") >= offset))
    return events


def together(first: Offsets, second: Offsets) -> Offsets:
    """The further of both."""
    merged: Offsets = {topic: dict(partitions) for topic, partitions in first.items()}
    for topic, partitions in second.items():
        for partition, offset in partitions.items():
            here = merged.setdefault(topic, {})
            here[partition] = max(offset, here.get(partition, 0))
    return merged


def reaches(done: Offsets, end: Offsets) -> bool:
    return all(
        done.get(topic, {}).get(partition, 0) >= offset
        for topic, partitions in end.items()
        for partition, offset in partitions.items()
    )


def between(done: Mapping[str, Mapping[str, int]], end: Mapping[str, Mapping[str, int]]) -> int:
    """How many events lie between: what aborted transactions left in a topic is counted as well."""
    return sum(
        max(0, offset - done.get(topic, {}).get(partition, 0))
        for topic, partitions in end.items()
        for partition, offset in partitions.items()
    )
