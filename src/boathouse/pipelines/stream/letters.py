"""What could not be read: a row of the table of rejects for each, as files have it, its topic as the file and its offset as the line."""

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEME = "kafka://"


def rejected(judged: "DataFrame", load_id: str) -> "DataFrame":
    raw = F.col("raw")
    readable = F.is_valid_utf8(raw.cast("string"))
    return judged.where(F.col("problem").isNotNull()).select(
        F.lit(load_id).alias("load_id"),
        F.concat(F.lit(SCHEME), "topic", F.lit("/"), F.col("partition").cast("string")).alias("file"),
        F.col("offset").alias("line"),
        F.col("problem").alias("reason"),
        F.coalesce(F.when(readable, raw.cast("string")), F.make_valid_utf8(raw.cast("string"))).alias("raw"),
        F.when(~readable, raw).alias("raw_bytes"),
        F.current_timestamp().alias("rejected_at"),
    )


def origin(file: str) -> tuple[str, int]:
    """The topic and the partition."""
    topic, _, partition = file.removeprefix(SCHEME).rpartition("/")
    return topic, int(partition)
