"""How far topics have been taken in: told by the snapshots of the table itself, so that its rows and this never differ."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from boathouse.kit.catalog_client import Json
from boathouse.kit.deadletters.topics import SCHEME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Offsets = dict[str, dict[str, int]]
"""By topic and partition: the offset of the next event, as Spark and Kafka write it."""
Ids = dict[str, str]
"""By topic: Kafka's own id of it, which one that is made anew under its name does not share."""
PROPERTY = "boathouse.stream.offsets"
IDS_PROPERTY = "boathouse.stream.topics"
_FILE = f"^{SCHEME}(.*)/(\\d+)$"
"""What a rejected event has as its file."""


def recorded(metadata: Json) -> Offsets | None:
    said = newest_said(metadata, PROPERTY)
    return None if said is None else json.loads(said)


def recorded_ids(metadata: Json) -> Ids:
    """Of the topics that the offsets are of; older tables have none."""
    return json.loads(newest_said(metadata, IDS_PROPERTY) or "{}")


def newest_said(metadata: Json, name: str) -> str | None:
    """By the newest snapshot that says, of those the table goes back to; one that rewrites files says nothing."""
    by_id: dict[int, Any] = {one["snapshot-id"]: one for one in metadata.get("snapshots", [])}
    here = by_id.get(metadata.get("current-snapshot-id", -1))
    while here is not None:
        if name in here.get("summary", {}):
            return str(here["summary"][name])
        here = by_id.get(here.get("parent-snapshot-id", -1))
    return None


def of_these_topics(done: Offsets, of: Ids, now: Ids) -> Offsets:
    """What counts of `done`: a topic that is another one by now has not been taken in at all."""
    return {
        topic: places
        for topic, places in done.items()
        if of.get(topic, now.get(topic)) == now.get(topic, of.get(topic))
    }


def in_table(rows: "DataFrame", rejects: "DataFrame | None") -> Offsets:
    """By the rows: slower, but true when no snapshot is left that says."""
    from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

    taken = rows.select("topic", "partition", "offset")
    if rejects is not None:
        topic, partition = (F.regexp_extract("file", _FILE, group) for group in (1, 2))
        of_topics = rejects.where(F.col("file").startswith(SCHEME))
        taken = taken.union(of_topics.select(topic, partition.try_cast("int"), F.col("line")))
    found = taken.groupBy("topic", "partition").agg({"offset": "max"}).collect()
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


def places(offsets: Offsets) -> Iterator[tuple[str, str, int]]:
    """Topic, partition, offset."""
    for topic, partitions in offsets.items():
        for partition, offset in partitions.items():
            yield topic, partition, offset


def between(done: Mapping[str, Mapping[str, int]], end: Mapping[str, Mapping[str, int]]) -> int:
    """How many events lie between: what aborted transactions left in a topic is counted as well."""
    return sum(
        max(0, offset - done.get(topic, {}).get(partition, 0))
        for topic, partitions in end.items()
        for partition, offset in partitions.items()
    )
