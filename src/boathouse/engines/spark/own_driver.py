"""A Spark driver of its own, in this process: for work that goes on for days and must not go down with anybody else's."""

import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from boathouse.engines.spark.server import application_properties, properties_text, server_environment
from boathouse.kit.access import KafkaAccess, LakeAccess
from boathouse.kit.files import write_private
from boathouse.kit.settings import SparkSettings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def driver_session(
    lake: LakeAccess,
    *,
    name: str,
    settings: SparkSettings,
    jars: Sequence[Path],
    java_home: Path,
    python: str,
    scratch: Path,
    said: Mapping[str, str],
) -> Generator["SparkSession"]:
    """Its Java process ends with this one, however this one ends. What it needs to know stands in `scratch`.

    `said` are settings of every session in it, such as what its snapshots say of the run.
    """
    logins = [f'"-Djava.security.auth.login.config={_logins(scratch, lake.kafka)}"'] if lake.kafka else []
    properties = application_properties(
        lake, settings=settings, jars=jars, scratch=scratch, python=python, options=[*_ALWAYS_AT_WORK, *logins]
    )
    file = scratch / "spark.properties"
    own = {"spark.app.name": name, **ALWAYS, **bounded(settings), **encryption(settings), **said}
    write_private(file, properties_text({**properties, **own}).encode())
    os.environ.update(server_environment(lake, java_home=java_home, python=python))
    os.environ["PYSPARK_SUBMIT_ARGS"] = f'--properties-file "{file}" pyspark-shell'
    os.environ.pop("SPARK_CONNECT_MODE_ENABLED", None)
    from pyspark.sql import SparkSession

    session = SparkSession.builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


# It never rests, so collecting beside the work would only take from it (measured: a tenth of all its CPU).
_ALWAYS_AT_WORK = ("-XX:+UseParallelGC", "-XX:NewRatio=1")
ALWAYS = {
    "spark.ui.enabled": "false",
    # Each hop has a pool, so that a long commit to the lake does not keep the quick ones waiting.
    "spark.scheduler.mode": "FAIR",
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.internal.io.cloud.AbortableStreamBasedCheckpointFileManager"
    ),
    "spark.sql.streaming.metricsEnabled": "false",
    "spark.sql.streaming.minBatchesToRetain": "20",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.adaptive.enabled": "false",
    # To weigh a batch at every row costs more than to write the row; what is long is not given to Arrow.
    "spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1),
    # Each batch costs Arrow a millisecond to begin with.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "30000",
    # What ClickHouse is given comes through the driver. A batch is the same each time it is tried, so one that is refused
    # for its size would be for ever.
    "spark.driver.maxResultSize": "0",
    # A hundred, the default, are fewer than the hops have together: each batch would push out what the next one needs.
    "spark.sql.codegen.cache.maxEntries": "2000",
    # Its Python is ours.
    "spark.python.daemon.module": "boathouse.engines.spark.python_workers",
}


# Before each text, list and map of an event, Avro has how long it is, and takes memory for that before it looks whether so much is
# there: seven bytes ask for two gigabytes, and Java ends where it has no more, again at each start. What is said to be longer is
# refused as any other event that is none. No text is longer than the largest event that Kafka takes here; of a list that many
# places take 40 MB before there is anything in them.
AVROS_LIMITS = {
    "org.apache.avro.limits.bytes.maxLength": 64 * 1024 * 1024,
    "org.apache.avro.limits.string.maxLength": 64 * 1024 * 1024,
    "org.apache.avro.limits.collectionItems.maxLength": 10_000_000,
}


def bounded(settings: SparkSettings) -> dict[str, str]:
    """What a single event may ask for, wherever it is read; what the user's own options say wins."""
    limits = [f"-D{name}={limit}" for name, limit in AVROS_LIMITS.items()]
    names = ("spark.driver.defaultJavaOptions", "spark.executor.defaultJavaOptions")
    return {name: " ".join([*limits, *filter(None, [settings.conf.get(name)])]) for name in names}


def encryption(settings: SparkSettings) -> dict[str, str]:
    """Of what Spark itself writes to the object store, which is checkpoints; Iceberg's files have their own."""
    if settings.checkpoint_encryption == "none":
        return {}
    # What S3 calls the first of them in its own headers.
    algorithm = {"sse-s3": "AES256", "sse-kms": "SSE-KMS"}[settings.checkpoint_encryption]
    prefix = "spark.hadoop.fs.s3a.encryption"
    key = {f"{prefix}.key": settings.checkpoint_key} if settings.checkpoint_key else {}
    return {f"{prefix}.algorithm": algorithm, **key}


def _logins(scratch: Path, kafka: KafkaAccess) -> Path:
    """In a file, so that no password stands in an option of a query, which logs and plans show."""
    file = scratch / "kafka-login.conf"
    write_private(file, f"KafkaClient {{ {kafka.java_client()['sasl.jaas.config']} }};\n".encode())
    return file
