"""Files of plain messages as part of the log: written in Spark's tasks, added to the table by Iceberg itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark import StorageLevel
from pyspark.sql import Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.catalog_client import Json
from boathouse.kit.objects import canonical_url
from boathouse.pipelines.ingest.staging import current_schema
from boathouse.pipelines.stream.plain import LONGEST
from boathouse.pipelines.stream.plain.logged import Logged
from boathouse.pipelines.stream.plain.writing import MESSAGE, SCHEMA, LogFiles
from boathouse.pipelines.types import ColumnType, iceberg_schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_KEY = "encryption.key-id"
_CODEC = "write.parquet.compression-codec"
# As Iceberg names them, and Arrow.
_CODECS = {"zstd": "zstd", "snappy": "snappy", "gzip": "gzip", "lz4": "lz4", "uncompressed": "none"}


@dataclass(frozen=True)
class Written:
    """What became of a batch."""

    files: Sequence[Any]
    """Rows with `file`, `rows`, `bytes`, `newest` and `topic`."""
    left: int
    messages: "DataFrame"
    """Those that are left."""
    _kept: "DataFrame"

    @property
    def rows(self) -> int:
        return sum(each["rows"] for each in self.files)

    @property
    def newest(self) -> int | None:
        return max((each["newest"] for each in self.files if each["newest"] is not None), default=None)

    def end(self) -> None:
        """What is left is kept until then."""
        self._kept.unpersist()


def writer_for(
    table: Json, columns: Mapping[str, ColumnType], store: ObjectStoreAccess, logged: Logged | None
) -> LogFiles | None:
    """None for a table that somebody has given another form than ours, which is Spark's to write."""
    properties, fields = table.get("properties", {}), current_schema(table)["fields"]
    codec = _CODECS.get(properties.get(_CODEC, "zstd"))
    directory = str(properties.get("write.data.path", f"{table['location']}/data"))
    ours = _form(fields) == _form(iceberg_schema(dict(columns))["fields"]) and _by_topic(table)
    if logged is None or codec is None or not ours or _KEY in properties or canonical_url(directory) != directory:
        return None
    ids = {one["name"]: one["id"] for one in fields}
    return LogFiles(directory, store.endpoint, store.region, ids, codec, logged)


def write(messages: "DataFrame", files: LogFiles) -> Written:
    long, before, after = F.octet_length("value") > LONGEST, Observation(), Observation()
    given = messages.select(*MESSAGE).observe(before, F.count_if(long).alias("long"))
    told = given.where(~F.coalesce(long, F.lit(False))).mapInArrow(files, SCHEMA).persist(StorageLevel.MEMORY_AND_DISK)
    try:
        watched = told.observe(after, F.count("offset").alias("left"))
        rows = watched.where("file IS NOT NULL").drop("key", "value").collect()
    except BaseException:
        told.unpersist()
        raise
    left = told.where("file IS NULL").select(*MESSAGE)
    if count := before.get["long"]:
        left = left.union(messages.select(*MESSAGE).where(long))
    return Written(rows, after.get["left"] + count, left, told)


def add(session: SparkSession, name: str, files: Sequence[Any], said: Mapping[str, str]) -> None:
    """One snapshot that says so. What a file holds Iceberg reads in the file itself."""
    java: Any = session._jvm  # noqa: SLF001 - Spark has no other way to Iceberg's own interface
    iceberg = java.org.apache.iceberg
    table = iceberg.spark.Spark3Util.loadIcebergTable(session._jsparkSession, name)  # noqa: SLF001
    kept = iceberg.MetricsConfig.forTable(table)
    append = table.newAppend()
    for file in files:
        there = table.io().newInputFile(file["file"], file["bytes"])
        found = iceberg.parquet.ParquetUtil.fileMetrics(there, kept)
        topic = java.java.util.Collections.singletonList(file["topic"])
        made = iceberg.DataFiles.builder(table.spec()).withInputFile(there).withFormat("parquet").withMetrics(found)
        append.appendFile(made.withPartitionValues(topic).build())
    for key, value in said.items():
        append.set(key, value)
    append.commit()


def _form(fields: Sequence[Json]) -> list[tuple[str, Any, bool]]:
    return [(one["name"], one["type"], one.get("required", False)) for one in fields]


def _by_topic(table: Json) -> bool:
    spec = next(one for one in table["partition-specs"] if one["spec-id"] == table["default-spec-id"])
    topic = next((one["id"] for one in current_schema(table)["fields"] if one["name"] == "topic"), None)
    return [(one["transform"], one["source-id"]) for one in spec["fields"]] == [("identity", topic)]
