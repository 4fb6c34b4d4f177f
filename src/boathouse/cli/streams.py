"""Streaming pipelines as a command runs them: a Spark driver of their own, until somebody stops them."""

import json
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from boathouse.kit.access import LakeAccess
    from boathouse.kit.settings import Settings
    from boathouse.pipelines.stream.spec import StreamSpec

Say = Callable[[str], None]


def run_stream(
    spec: "StreamSpec", *, once: bool, take_over: bool, status: Path | None, report: Path | None
) -> dict[str, Any]:
    """Its last status."""
    from boathouse.kit.files import write_atomically
    from boathouse.pipelines.stream.context import StreamContext
    from boathouse.pipelines.stream.run import Stream

    def tell(document: dict[str, Any]) -> None:
        if status is not None:
            write_atomically(status, json.dumps(document).encode())

    stopped = threading.Event()
    with _ended_together(stopped), driver(f"boathouse {spec.pipeline}") as (session, access, say):
        stream = Stream(StreamContext(spec, session, access, say), tell, take_over=take_over)

        def stop(*_: Any) -> None:
            stopped.set()
            stream.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        last = stream.once() if once else stream.run()
    if report is not None:
        report.write_text(json.dumps(last))
    return last


@contextmanager
def _ended_together(stopped: threading.Event) -> Generator[None]:
    """A signal to all processes of a group ends Spark's at once, whatever is at hand."""
    from py4j.protocol import Py4JError

    from boathouse.kit.errors import Cancelled

    try:
        yield
    except (ConnectionError, Py4JError):
        if not stopped.is_set():
            raise
        raise Cancelled(
            "The stream was stopped, and its Spark with it, while a batch was at hand.",
            hint="Nothing is lost: the next run takes that batch once more.",
        ) from None


@contextmanager
def driver(name: str) -> Generator[tuple["SparkSession", "LakeAccess", Say]]:
    from boathouse.cli.output import notices
    from boathouse.engines.spark.own_driver import driver_session
    from boathouse.kit.access import LakeAccess
    from boathouse.kit.run_properties import settings_of_this_run
    from boathouse.kit.settings import load_settings
    from boathouse.stack.java import find_java

    settings = load_settings()
    access = LakeAccess.load(settings.home)
    console = notices()
    console.print("· starting Spark", style="dim")
    with tempfile.TemporaryDirectory(prefix="boathouse-stream-") as scratch:
        java = find_java(settings.java.home, settings.cache)
        opened = driver_session(
            access,
            name=name,
            settings=settings.spark,
            jars=_jars(settings),
            java_home=java.home,
            python=sys.executable,
            scratch=Path(scratch),
            said=settings_of_this_run(),
        )
        with opened as session:
            yield session, access, lambda step: console.print(f"· {step}", style="dim")


def show(last: dict[str, Any], spec: str) -> None:
    from boathouse.cli.output import listing

    rows = [
        (hop["title"], hop["to"], f"{hop['events']:,}", hop["lag"], _seconds(hop["freshness"])) for hop in last["hops"]
    ]
    listing(["hop", "to", "events", "behind", "seconds behind"], rows, as_json=False)
    if last["rejected"]:
        typer.echo(f"{last['rejected']:,} were rejected: `boathouse deadletter list {spec}` shows them.")


def _seconds(freshness: float | None) -> str | None:
    return None if freshness is None else f"{freshness:.1f}"


def _jars(settings: "Settings") -> list[Path]:
    from boathouse.stack.artifacts import read_lock
    from boathouse.stack.plan import artifact_cache

    lock, cache = read_lock(), artifact_cache(settings)
    return [*cache.require(lock["spark"]), *cache.require(lock["spark-kafka"])]
