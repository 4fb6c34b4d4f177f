"""ClickHouse as the stack starts it: a process of its own, on a free port, over a directory."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import clickhouse_connect
import httpx
import psutil
from clickhouse_connect.driver.client import Client

from boathouse.stack.services.clickhouse_config import server_config
from tests.integration.catalog_process import free_port

USER, PASSWORD, DATABASE = "reader", "not-told-to-anybody", "speed"
PROGRAM = shutil.which("clickhouse")
_START_SECONDS = 60


class ClickHouseProcess:
    def __init__(self, directory: Path, kind: str = "embedded", **options: str) -> None:
        self.kind = kind
        self.directory = directory
        self.port = free_port()
        self.uri = f"http://127.0.0.1:{self.port}"
        self.log = directory / "clickhouse.log"
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def memory(self) -> int:
        return psutil.Process(self.pid).memory_info().rss

    def start(self) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(self._command(), stdout=log, stderr=log, env=self._environment())
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.1)
        if self.kind == "program":
            self.ask(f"CREATE DATABASE IF NOT EXISTS {DATABASE}", database="default")

    def stop(self, seconds: float = 30) -> int:
        """Its exit status."""
        if self._process is None:
            return 0
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        finally:
            self._process = None

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def http(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.uri, trust_env=False, timeout=60, auth=(USER, PASSWORD), **options)

    def ask(self, query: str | bytes, content: bytes | None = None, /, **parameters: str) -> httpx.Response:
        """With content, the query goes in the address and the content in the body."""
        told = {"database": DATABASE, **parameters}
        with self.http() as client:
            if content is None:
                return client.post("/", params=told, content=query)
            return client.post("/", params={**told, "query": query}, content=content)

    def told(self, query: str, **parameters: str) -> str:
        response = self.ask(query, None, **parameters)
        assert response.status_code == 200, response.text
        return response.text.rstrip("\n")

    def client(self, **options: Any) -> Client:
        login: dict[str, Any] = {"username": USER, "password": PASSWORD, "database": DATABASE, **options}
        return clickhouse_connect.get_client(host="127.0.0.1", port=self.port, **login)

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.uri}/ping", trust_env=False).text == "Ok.\n"
        except httpx.HTTPError:
            return False

    def _command(self) -> list[str]:
        if self.kind == "embedded":
            return [sys.executable, "-m", "boathouse.stack.embedded_clickhouse"]
        config = self.directory / "config.xml"
        data = self.directory / "data"
        config.write_text(server_config(port=self.port, user=USER, password=PASSWORD, data=data, memory=2 << 30))
        return [str(PROGRAM), "server", f"--config-file={config}"]

    def _environment(self) -> dict[str, str]:
        told = {
            "PORT": str(self.port),
            "DATA": str(self.directory / "data"),
            "USER": USER,
            "PASSWORD": PASSWORD,
            "DATABASE": DATABASE,
            **self._options,
        }
        return {**os.environ, **{f"EMBEDDED_CLICKHOUSE_{name}": value for name, value in told.items()}}
