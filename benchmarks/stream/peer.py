"""Apache's Iceberg sink on Kafka Connect: as many events that wait, from such a topic into the same kind of table as our log's."""

import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from benchmarks.stream.events import PARTITIONS
from benchmarks.stream.producer import COLUMNS, Events
from benchmarks.stream.setting import PATIENCE, Setting, Sizes, against, held, tree
from boathouse.kit.catalog_client import CatalogClient, TableName
from boathouse.kit.settings import load_settings
from boathouse.kit.table_metadata import current_snapshot
from boathouse.pipelines.stream.topics import Topics
from boathouse.stack.artifacts import Fetcher, read_lock
from boathouse.stack.plan import artifact_cache
from boathouse.stack.services.java_program import java_command, properties_text, write_options
from tests.integration.catalog_process import free_port

Json = dict[str, Any]
LOCK = Path(__file__).parent / "peer.lock.toml"
_OUR_TOPIC, _THEIR_TOPIC, CONTROL = "peer-ours", "peer-theirs", "peer-control"
THEIRS, OURS = TableName(("peer",), "sink"), TableName(("peer",), "log")
_SPEC = f"""
pipeline: peer
source: {{kind: kafka, topics: [{_OUR_TOPIC}], format: json}}
schema: {COLUMNS}
bronze: {{table: {OURS}, every: 5s}}
"""
_JSON = "org.apache.kafka.connect.json.JsonConverter"
_CLIENTS = ("", "producer.", "consumer.", "admin.")


def peer(setting: Setting, sizes: Sizes) -> Json:
    """Both commit every five seconds, and have as many tasks as the topic has partitions. The one begins when the other has ended."""
    Topics(setting.kafka, [CONTROL]).make(1)
    CatalogClient(setting.access.catalog).create_namespace(("peer",))
    figures = {"boathouse": _ours(setting, sizes.waiting), "iceberg_sink": _theirs(setting, sizes.waiting)}
    ratios: Json = {}
    for when in ("from_a_start", "at_work"):
        of_each = {name: figure[when] for name, figure in figures.items()}
        for name, figure in of_each.items():
            against(f"{when}: events a second into Iceberg, {name}", f"{figure['per_s']:,}")
            against("  CPU seconds of the process for a million events", f"{figure['cpu_s_per_million']:,}")
            against("  its memory at the end", f"{figure['memory_mb']:,} MB")
        ratios[when] = _ratios(**of_each)
        for name, ratio in ratios[when].items():
            against(f"{when}: ours against theirs, {name}", f"{ratio:.2f}", "1 or more")
    return {**figures, "ratios": ratios}


def _ratios(boathouse: Json, iceberg_sink: Json) -> dict[str, float]:
    return {
        "events a second": round(boathouse["per_s"] / max(1, iceberg_sink["per_s"]), 2),
        "events a CPU second": round(iceberg_sink["cpu_s_per_million"] / max(0.1, boathouse["cpu_s_per_million"]), 2),
    }


def _ours(setting: Setting, events: int) -> Json:
    source = _waiting(setting, _OUR_TOPIC, events)
    with setting.pipeline("peer", _SPEC) as running:
        running.await_running()
        return _twice(setting, source, running.pid, OURS, events)


def _theirs(setting: Setting, events: int) -> Json:
    source = _waiting(setting, _THEIR_TOPIC, events)
    with _worker(setting) as (pid, uri):
        answer = httpx.put(f"{uri}/connectors/sink/config", json=_sink(setting), timeout=60, trust_env=False)
        answer.raise_for_status()
        return _twice(setting, source, pid, THEIRS, events)


def _waiting(setting: Setting, topic: str, events: int) -> Events:
    Topics(setting.kafka, [topic]).make(PARTITIONS)
    source = Events(setting.kafka, topic)
    source.put(events, None)
    return source


def _twice(setting: Setting, source: Events, pid: int, table: TableName, events: int) -> Json:
    """What it does from a start, when Java has yet to compile everything, and what when it has been at work."""
    first = _timed(setting, pid, table, events, until=events)
    with held(pid):
        source.put(events, None)
    return {"from_a_start": first, "at_work": _timed(setting, pid, table, events, until=2 * events)}


def _timed(setting: Setting, pid: int, table: TableName, events: int, *, until: int) -> Json:
    """From now until so many rows can be read."""
    client = CatalogClient(setting.access.catalog)
    began, before = time.monotonic(), _used(pid)[0]
    while (rows := _rows(client, table)) < until:
        if time.monotonic() > began + PATIENCE:
            raise TimeoutError(f"{table} has {rows:,} of {until:,} events after {PATIENCE:.0f} s.")
        time.sleep(0.1)
    seconds = time.monotonic() - began
    cpu, memory = _used(pid)
    per_million = round((cpu - before) * 1e6 / events, 1)
    return {"per_s": round(events / seconds), "cpu_s_per_million": per_million, "memory_mb": memory, "rows": rows}


def _rows(client: CatalogClient, table: TableName) -> int:
    found = client.find_table(table)
    snapshot = current_snapshot(found.metadata) if found else None
    return int(snapshot["summary"]["total-records"]) if snapshot else 0


def _used(pid: int) -> tuple[float, int]:
    """CPU seconds and megabytes, with its children."""
    processes = tree(pid)
    times = [one.cpu_times() for one in processes]
    return sum(each.user + each.system for each in times), sum(one.memory_info().rss for one in processes) // 2**20


@contextmanager
def _worker(setting: Setting) -> Generator[tuple[int, str]]:
    """A Kafka Connect of its own, beside the lakehouse's: its process and its address."""
    settings, folder = load_settings(), setting.home / "bench" / "sink"
    shutil.rmtree(folder, ignore_errors=True)
    plugin = folder / "plugins" / "iceberg"
    plugin.mkdir(parents=True)
    fetcher = Fetcher(artifact_cache(settings), settings.artifacts)
    for jar in fetcher.fetch(read_lock(LOCK.read_text())["sink"]):
        (plugin / jar.name).symlink_to(jar)
    uri = f"http://127.0.0.1:{free_port()}"
    properties = folder / "worker.properties"
    properties.write_text(properties_text(_worker_properties(setting, uri, folder)))
    # As much as the pipeline's driver may have.
    write_options(folder, memory=settings.spark.memory, jars=fetcher.fetch(read_lock()["kafka"]))
    command = java_command(settings, folder, "org.apache.kafka.connect.cli.ConnectStandalone", str(properties))
    with (folder / "worker.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        _await(uri, process, folder / "worker.log")
        yield process.pid, uri
    finally:
        process.terminate()
        process.wait(60)


def _await(uri: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 300
    while time.monotonic() < until and process.poll() is None:
        try:
            if httpx.get(f"{uri}/connectors", timeout=5, trust_env=False).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.5)
    raise TimeoutError(f"Kafka Connect does not answer at {uri}; see the end of {log}:\n{log.read_text()[-2000:]}")


def _worker_properties(setting: Setting, uri: str, folder: Path) -> dict[str, str]:
    login = setting.kafka.java_client()
    return {
        "bootstrap.servers": setting.kafka.servers,
        "listeners": uri,
        "plugin.path": str(folder / "plugins"),
        "plugin.discovery": "service_load",
        # With nothing more to read it takes part in a commit only so often; a minute by default.
        "offset.flush.interval.ms": "1000",
        "offset.storage.file.filename": str(folder / "offsets"),
        "key.converter": _JSON,
        "value.converter": _JSON,
        "key.converter.schemas.enable": "false",
        "value.converter.schemas.enable": "false",
        **{f"{client}{name}": value for client in _CLIENTS for name, value in login.items()},
    }


def _sink(setting: Setting) -> dict[str, str]:
    access, store = setting.access, setting.access.object_store
    kafka = {"bootstrap.servers": setting.kafka.servers, **setting.kafka.java_client()}
    return {
        "connector.class": "org.apache.iceberg.connect.IcebergSinkConnector",
        "tasks.max": str(PARTITIONS),
        "topics": _THEIR_TOPIC,
        "iceberg.tables": str(THEIRS),
        "iceberg.tables.auto-create-enabled": "true",
        "iceberg.tables.evolve-schema-enabled": "true",
        "iceberg.control.topic": CONTROL,
        "iceberg.control.commit.interval-ms": "5000",
        "iceberg.catalog.type": "rest",
        "iceberg.catalog.uri": access.catalog.uri,
        "iceberg.catalog.warehouse": access.catalog.warehouse,
        "iceberg.catalog.token": access.catalog.token.get_secret_value(),
        "iceberg.catalog.io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        "iceberg.catalog.s3.endpoint": store.endpoint,
        "iceberg.catalog.s3.path-style-access": "true",
        "iceberg.catalog.s3.access-key-id": store.access_key.get_secret_value(),
        "iceberg.catalog.s3.secret-access-key": store.secret_key.get_secret_value(),
        "iceberg.catalog.client.region": store.region,
        **{f"iceberg.kafka.{name}": value for name, value in kafka.items()},
    }
