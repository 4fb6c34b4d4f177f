"""The catalog as the stack starts it: a process of its own, on a free port, over a directory."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

import httpx

TOKEN = "integration-token"
_START_SECONDS = 120


class CatalogProcess:
    def __init__(
        self,
        directory: Path,
        *arguments: str,
        port: int | None = None,
        store: str | None = None,
        root: Path | None = None,
        warehouse: str | None = None,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.directory = directory
        self.store = store or f"sqlite:///{directory}/state.db"
        self.port = port or free_port()
        self.uri = f"http://127.0.0.1:{self.port}"
        self.root = root or directory / "lake"
        self.log = directory / "catalog.log"
        self._warehouse = warehouse or f"file://{self.root}"
        self._environment = environment
        self._arguments = arguments
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    def command(self) -> list[str]:
        warehouse = f"lake={self._warehouse}"
        module = [sys.executable, "-m", "boathouse.catalog"]
        return [*module, "--port", str(self.port), "--store", self.store, "--warehouse", warehouse, *self._arguments]

    def start(self) -> None:
        with self.log.open("ab") as log:
            environment = {**os.environ, **self._environment, "BOATHOUSE_CATALOG_TOKEN": TOKEN}
            self.process = subprocess.Popen(self.command(), stdout=log, stderr=log, env=environment)
        deadline = time.monotonic() + _START_SECONDS
        while not self.answers():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, "the catalog did not start"
            time.sleep(0.02)

    def stop(self) -> int:
        """Ask it to stop, and say how it ended."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(timeout=30)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(timeout=30)

    def pause(self) -> None:
        """It stands still: its connections stay open and nothing is answered."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def answers(self) -> bool:
        try:
            return httpx.get(f"{self.uri}/readyz", trust_env=False).is_success
        except httpx.TransportError:
            return False

    def _signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]
