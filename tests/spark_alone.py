"""A Spark of its own in a process of its own, beside whatever sessions the tests hold."""

import os
import subprocess
import sys
from pathlib import Path

from boathouse.kit.settings import load_settings
from boathouse.stack.artifacts import Fetcher, read_lock
from boathouse.stack.java import JavaSearch
from boathouse.stack.plan import artifact_cache


def spark_jars() -> tuple[Path, ...]:
    settings = load_settings()
    return tuple(Fetcher(artifact_cache(settings), settings.artifacts).fetch(read_lock()["spark"]))


def run_with_spark(arguments: list[str], given: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python on `arguments`, where `SparkSession.builder` starts a Spark rather than joining one."""
    # A session of Spark Connect in this process leaves word of itself, which would make the other a client too.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("SPARK_")}
    java = JavaSearch(os.environ).find(None, load_settings().cache)
    return subprocess.run(
        [sys.executable, *arguments],
        input=given,
        env={**plain, "JAVA_HOME": str(java.home), "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
