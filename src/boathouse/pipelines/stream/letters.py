"""What could not be read: a row of the table of rejects for each, as files have it, its topic as the file and its offset as the line."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.kit.deadletters.book import Place
from boathouse.kit.deadletters.desk import Text
from boathouse.kit.deadletters.mending import Form
from boathouse.kit.deadletters.topics import SCHEME
from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.stream.steps import chosen

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def rejected(judged: "DataFrame", load_id: str) -> "DataFrame":
    raw = F.col("raw")
    readable = F.is_valid_utf8(raw.cast("string"))
    return _bad(judged).select(
        F.lit(load_id).alias("load_id"),
        F.concat(F.lit(SCHEME), "topic", F.lit("/"), F.col("partition").cast("string")).alias("file"),
        F.col("offset").alias("line"),
        F.col("problem").alias("reason"),
        F.coalesce(F.when(readable, raw.cast("string")), F.make_valid_utf8(raw.cast("string"))).alias("raw"),
        F.when(~readable, raw).alias("raw_bytes"),
        F.current_timestamp().alias("rejected_at"),
        F.col("raw_key").alias("key"),
        "kafka_at",
    )


@dataclass(frozen=True)
class Letter:
    """A rejected event as it is judged anew."""

    place: Place
    raw: bytes | None
    """None of one that has no value."""
    key: bytes | None
    kafka_at: datetime
    problem: str | None = None
    """Why it cannot even be judged."""


def letter_of(place: Place, text: Text, form: Form) -> Letter:
    # What was rejected before its time was noted is about as old as that.
    letter = Letter(place, text.whole, text.key, text.kafka_at or place.rejected_at)
    if place.fate.raw is None:
        return letter
    try:
        return replace(letter, raw=form.bytes_of(place.fate.raw))
    except InvalidInput as error:
        return replace(letter, problem=str(error))


def tell_topic(judged: "DataFrame", options: dict[str, str], topic: str) -> None:
    """The same events in a topic, their reasons as headers, for whoever follows it. One may come there twice."""
    headers = F.array(
        *(
            F.struct(F.lit(name).alias("key"), value.cast("binary").alias("value"))
            for name, value in (
                ("reason", F.col("problem")),
                ("topic", F.col("topic")),
                ("partition", F.col("partition").cast("string")),
                ("offset", F.col("offset").cast("string")),
            )
        )
    )
    told = _bad(judged).select(F.col("raw_key").alias("key"), F.col("raw").alias("value"), headers.alias("headers"))
    told.write.format("kafka").options(**options).option("includeHeaders", "true").option("topic", topic).save()


def _bad(judged: "DataFrame") -> "DataFrame":
    return chosen(judged, F.col("problem").isNotNull())
