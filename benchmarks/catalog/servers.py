"""The servers that are compared on one disk, each started on its own, empty, and stopped by its process."""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.catalog.client import Client
from boathouse.kit.settings import load_settings
from boathouse.stack.artifacts import Fetcher, read_lock
from boathouse.stack.java import find_java
from boathouse.stack.plan import artifact_cache
from tests.etcd_cluster import EtcdCluster
from tests.integration.catalog_process import TOKEN, CatalogProcess, free_port

KIT_LOCK = Path(__file__).parents[2] / "tests" / "conformance" / "kit.lock.toml"
PEERS_LOCK = Path(__file__).parent / "peers.lock.toml"
FIXTURE = "org.apache.iceberg.rest.RESTCatalogServer"
START_SECONDS = 60


@dataclass(frozen=True)
class Server:
    client: Client
    processes: list[psutil.Process]
    """The catalog first, then what it needs."""

    def cpu_seconds(self) -> float:
        return sum(sum(process.cpu_times()[:2]) for process in self.processes)

    def megabytes(self) -> list[int]:
        """As `processes`."""
        return [round(process.memory_info().rss / 1e6) for process in self.processes]


Start = Callable[[], AbstractContextManager[Server]]


@contextmanager
def ours_on_sqlite() -> Generator[Server]:
    with folder_of_its_own() as folder, CatalogProcess(folder) as catalog:
        yield ours(catalog, [])


@contextmanager
def ours_on_etcd() -> Generator[Server]:
    with (
        folder_of_its_own() as folder,
        EtcdCluster(folder, members=3, fsync=True) as etcd,
        CatalogProcess(folder, store=etcd.address("bench")) as catalog,
    ):
        yield ours(catalog, [member.process for member in etcd.members])


@contextmanager
def reference_fixture() -> Generator[Server]:
    with folder_of_its_own() as folder, fixture(folder, {"WAREHOUSE": f"file://{folder}/lake"}) as server:
        yield server


@contextmanager
def fixture(folder: Path, chosen: Mapping[str, str], others: Sequence[psutil.Process] = ()) -> Generator[Server]:
    """Iceberg's own server for tests, over JDBC and a SQLite file with the same promises as ours."""
    port = free_port()
    database = f"jdbc:sqlite:{folder}/state.db?journal_mode=WAL&synchronous=FULL&busy_timeout=10000"
    environment = {
        f"CATALOG_{name}": value for name, value in {"REST_PORT": str(port), "URI": database, **chosen}.items()
    }
    command = [*_fixture_java(), "-Xmx512m", "-cp", ":".join(map(str, fixture_jars())), FIXTURE]
    with peer(command, folder, f"http://127.0.0.1:{port}", environment) as (client, process):
        yield Server(client, [process, *others])


@contextmanager
def peer(
    command: Sequence[str], folder: Path, uri: str, environment: Mapping[str, str]
) -> Generator[tuple[Client, psutil.Process]]:
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=log, stderr=log, cwd=folder)
    try:
        yield _answering(uri, process), psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(timeout=30)


def fixture_jars() -> list[Path]:
    return [*_fetched(KIT_LOCK, "kit"), *_fetched(PEERS_LOCK, "peers"), *_fetched(PEERS_LOCK, "s3")]


def nessie_jar() -> Path:
    return _fetched(PEERS_LOCK, "nessie")[0]


def ours(catalog: CatalogProcess, others: Sequence[subprocess.Popen[bytes] | None]) -> Server:
    client = Client(catalog.uri, "lake", {"Authorization": f"Bearer {TOKEN}"})
    return Server(client, [psutil.Process(process.pid) for process in (catalog.process, *others) if process])


@contextmanager
def folder_of_its_own() -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix="boathouse-bench-") as folder:
        yield Path(folder)


def _fetched(lock: Path, group: str) -> list[Path]:
    settings = load_settings()
    return Fetcher(artifact_cache(settings), settings.artifacts).fetch(read_lock(lock.read_text())[group])


def _fixture_java() -> list[str]:
    settings = load_settings()
    return [str(find_java(settings.java.home, settings.cache).home / "bin" / "java")]


def _answering(uri: str, process: subprocess.Popen[bytes]) -> Client:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            return Client(uri, None, {})
        except OSError:
            assert process.poll() is None, "the peer ended"
            assert time.monotonic() < deadline, "the peer did not start"
            time.sleep(0.1)
