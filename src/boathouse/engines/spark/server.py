"""What the Spark Connect server is started with. The stack starts it; this module only says how.

Secrets travel by environment: a property is shown by the UI and a command line by `ps`.
"""

import os
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from boathouse.kit.access import LakeAccess
from boathouse.kit.errors import ConfigurationError
from boathouse.kit.settings import SparkSettings

MAIN_CLASS = "org.apache.spark.sql.connect.service.SparkConnectServer"
LOOPBACK = "127.0.0.1"
CATALOG_TOKEN = "BOATHOUSE_CATALOG_TOKEN"  # noqa: S105 - the name of a variable, not a secret
DEFAULT_PORT = 15002
_LOCAL = re.compile(r"local(?:\[\s*(\*|\d+)\s*(?:,.*)?\])?")
_LOCAL_CLUSTER = re.compile(r"local-cluster\[\s*(\d+)\s*,\s*(\d+)\s*,.*\]")
# Of a cluster elsewhere the master's URL does not say; Spark itself assumes no fewer.
_UNKNOWN_CORES = 2


def server_properties(
    lake: LakeAccess,
    *,
    settings: SparkSettings,
    jars: Sequence[Path],
    ui_port: int,
    scratch: Path,
    python: str,
    archive: Path | None = None,
) -> dict[str, str]:
    """Every property of the server; what the user's settings say wins.

    The directory `scratch` must be there. `archive` is what `class_archive` says.
    """
    own = application_properties(
        lake,
        settings=settings,
        jars=jars,
        scratch=scratch,
        python=python,
        options=[*_SMALL_AT_REST, *_archive_options(archive)],
    )
    return {**own, **_addresses(lake, ui_port), **settings.conf}


def application_properties(
    lake: LakeAccess,
    *,
    settings: SparkSettings,
    jars: Sequence[Path],
    scratch: Path,
    python: str,
    options: Sequence[str] = (),
) -> dict[str, str]:
    """What every driver on this lake needs to know; what the user's settings say wins."""
    return {
        **_process(settings, jars, [*_java_options(scratch), *options]),
        "spark.driver.host": LOOPBACK,
        "spark.driver.bindAddress": LOOPBACK,
        "spark.ui.showConsoleProgress": "false",
        **_sql(scratch),
        **_catalog(lake),
        **_s3_files(lake),
        "spark.pyspark.python": python,
        # For pipelines, which cut their input into as many pieces; a Spark Connect client cannot ask the scheduler.
        "spark.boathouse.cores": str(cores_of(settings.conf.get("spark.master", settings.master))),
        **settings.conf,
    }


def server_environment(lake: LakeAccess, *, java_home: Path, python: str) -> dict[str, str]:
    """The variables the server needs beside those it inherits. They hold every secret it is given."""
    return {
        "JAVA_HOME": str(java_home),
        "SPARK_HOME": str(spark_home()),
        "SPARK_LOCAL_IP": LOOPBACK,
        "SPARK_CONNECT_AUTHENTICATE_TOKEN": lake.spark.token.get_secret_value(),
        CATALOG_TOKEN: lake.catalog.token.get_secret_value(),
        "AWS_ACCESS_KEY_ID": lake.object_store.access_key.get_secret_value(),
        "AWS_SECRET_ACCESS_KEY": lake.object_store.secret_key.get_secret_value(),
        "AWS_REGION": lake.object_store.region,
        "AWS_EC2_METADATA_DISABLED": "true",
        "PYSPARK_PYTHON": python,
        "PYSPARK_DRIVER_PYTHON": python,
        # Each arena keeps what it once held; two are enough and keep the idle server small.
        "MALLOC_ARENA_MAX": "2",
    }


def server_command(properties_file: Path) -> list[str]:
    """The command that becomes the server: `spark-submit` replaces itself, so its process id is the server's."""
    submit = spark_home() / "bin" / "spark-submit"
    return [str(submit), "--properties-file", str(properties_file), "--class", MAIN_CLASS, "spark-internal"]


def class_archive(directory: Path, *, java_home: Path, jars: Sequence[Path]) -> Path | None:
    """Where this Java may keep Spark's parsed classes, so that later starts take 3 seconds instead of 9.

    The Java machine writes the file when it first stops, and ignores one that does not fit its class path.
    None where this Java cannot do it: it adds to an archive of its own classes, which not every Java brings.
    """
    base = java_home / "lib" / "server" / "classes.jsa"
    if not base.is_file():
        return None
    parts = [*map(str, jars), str(spark_home()), (java_home / "release").read_text()]
    return directory / f"spark-{sha256(chr(0).join(parts).encode()).hexdigest()[:16]}.jsa"


def properties_text(properties: Mapping[str, str]) -> str:
    """The properties as a Java properties file."""
    return "".join(f"{_escape(name)}={_escape(value)}\n" for name, value in properties.items())


def cores_of(master: str) -> int:
    """How many tasks that master runs at once."""
    if cluster := _LOCAL_CLUSTER.fullmatch(master):
        return int(cluster[1]) * int(cluster[2])
    local = _LOCAL.fullmatch(master)
    if local is None:
        return _UNKNOWN_CORES
    threads = local[1] or "1"
    return (os.cpu_count() or _UNKNOWN_CORES) if threads == "*" else int(threads)


def spark_home() -> Path:
    """Where pyspark is installed; found without importing it, which would take a second."""
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise ConfigurationError("pyspark is not installed.", hint="Install Boathouse anew, with its dependencies.")
    return Path(spec.origin).parent


def _process(settings: SparkSettings, jars: Sequence[Path], options: Sequence[str]) -> dict[str, str]:
    classpath = ":".join(str(jar) for jar in jars)
    return {
        "spark.app.name": "boathouse",
        "spark.master": settings.master,
        "spark.driver.memory": settings.memory,
        # The jars are on this machine already: a class path opens them in place, spark.jars would copy them.
        "spark.driver.extraClassPath": classpath,
        "spark.executor.extraClassPath": classpath,
        "spark.driver.extraJavaOptions": " ".join(options),
        # When Spark asks for such a collection; its own half hour is long for a machine that is shared.
        "spark.cleaner.periodicGC.interval": "5min",
    }


# With these G1 gives memory back at each full collection (measured: 1.4 GB after work, 0.6 GB then).
_SMALL_AT_REST = ("-XX:+UseG1GC", "-XX:MinHeapFreeRatio=10", "-XX:MaxHeapFreeRatio=30")


def _java_options(scratch: Path) -> list[str]:
    logging = files("boathouse.engines.spark").joinpath("log4j2.properties")
    return [
        "-Xms128m",
        "-Duser.timezone=UTC",
        # Spark's own default for spark.local.dir and for uploaded artifacts too: one place for all that is temporary.
        f'"-Djava.io.tmpdir={scratch}"',
        f'"-Dlog4j2.configurationFile={logging}"',
    ]


def _archive_options(archive: Path | None) -> list[str]:
    if archive is None:
        return []
    use = "SharedArchiveFile" if archive.is_file() else "ArchiveClassesAtExit"
    # Its log would name each of the hundreds of classes that cannot be kept.
    return [f'"-XX:{use}={archive}"', "-Xlog:cds=off", "-Xlog:cds+dynamic=off"]


def _addresses(lake: LakeAccess, ui_port: int) -> dict[str, str]:
    return {
        "spark.connect.grpc.binding.address": LOOPBACK,
        "spark.connect.grpc.binding.port": str(urlsplit(lake.spark.remote).port or DEFAULT_PORT),
        # A taken port is an error to report, not a reason to answer somewhere else.
        "spark.connect.grpc.port.maxRetries": "0",
        "spark.connect.progress.reportInterval": "500ms",
        "spark.ui.port": str(ui_port),
        "spark.ui.retainedJobs": "200",
        "spark.ui.retainedStages": "200",
        "spark.ui.retainedTasks": "10000",
        "spark.sql.ui.retainedExecutions": "100",
    }


def _sql(scratch: Path) -> dict[str, str]:
    return {
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": (scratch / "warehouse").as_uri(),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.ansi.enabled": "true",
        "spark.sql.adaptive.enabled": "true",
        # 200, Spark's default, is meant for a cluster: on one machine most of them would be empty tasks.
        "spark.sql.shuffle.partitions": "16",
        # Java compiles no longer method, and would interpret it for ever; what is longer Spark then cuts into several.
        "spark.sql.codegen.hugeMethodLimit": "8000",
    }


def _catalog(lake: LakeAccess) -> dict[str, str]:
    name = f"spark.sql.catalog.{lake.spark.catalog}"
    return {
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.defaultCatalog": lake.spark.catalog,
        name: "org.apache.iceberg.spark.SparkCatalog",
        f"{name}.type": "rest",
        f"{name}.uri": lake.catalog.uri,
        f"{name}.warehouse": lake.catalog.warehouse,
        # Without one, a statement waits for ever on a catalog that took the call and hangs.
        f"{name}.rest.client.socket-timeout-ms": "60000",
        # The token is fixed: Iceberg is to send it as it is and never to trade it in for another.
        f"{name}.rest.auth.type": "oauth2",
        f"{name}.oauth2-server-uri": f"{lake.catalog.uri}/v1/oauth/tokens",
        f"{name}.token-refresh-enabled": "false",
        f"{name}.token": f"env:{CATALOG_TOKEN}",
        # Other engines write the same tables: a cached table would hide their commits.
        f"{name}.cache-enabled": "false",
        f"{name}.io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        f"{name}.s3.endpoint": lake.object_store.endpoint,
        f"{name}.s3.path-style-access": "true",
        f"{name}.client.region": lake.object_store.region,
    }


def _s3_files(lake: LakeAccess) -> dict[str, str]:
    """Plain files in the object store, read as s3a://bucket/… or s3://bucket/…"""
    implementation = "org.apache.hadoop.fs.s3a.S3AFileSystem"
    return {
        "spark.hadoop.fs.s3.impl": implementation,
        "spark.hadoop.fs.s3a.impl": implementation,
        "spark.hadoop.fs.s3a.endpoint": lake.object_store.endpoint,
        "spark.hadoop.fs.s3a.endpoint.region": lake.object_store.region,
        "spark.hadoop.fs.s3a.path.style.access": "true",
        "spark.hadoop.fs.s3a.connection.ssl.enabled": str(lake.object_store.endpoint.startswith("https:")).lower(),
        "spark.hadoop.fs.s3a.aws.credentials.provider": (
            "software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider"
        ),
        "spark.hadoop.fs.s3a.buffer.dir": "${java.io.tmpdir}/s3a",
    }


def _escape(text: str) -> str:
    for plain, escaped in (("\\", "\\\\"), ("\n", "\\n"), ("=", "\\="), (":", "\\:"), ("#", "\\#"), (" ", "\\ ")):
        text = text.replace(plain, escaped)
    return text
