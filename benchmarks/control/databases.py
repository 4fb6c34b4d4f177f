"""A control plane of the benchmark's own on each database."""

import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.integration.control_process import ControlProcess
from tests.postgres_server import PostgresServer

DATABASES = ("sqlite", "postgres")


@contextmanager
def control_on(database: str) -> Generator[ControlProcess]:
    with tempfile.TemporaryDirectory(prefix="boathouse-bench-") as directory:
        for url in _urls(database):
            with ControlProcess(Path(directory), url) as control:
                yield control


def _urls(database: str) -> Iterator[str | None]:
    if database == "sqlite":
        yield None
        return
    with PostgresServer() as server:
        server.execute("CREATE DATABASE bench")
        yield server.url("bench")
