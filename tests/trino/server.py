"""A real Trino as tests use it: one process on loopback, with the lake's tables, made-up ones (tpch) and some in memory."""

import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from boathouse.kit.access import LakeAccess
from tests.integration.catalog_process import free_port
from tests.trino.installation import installation, java

# The first start anywhere also fetches and unpacks half a gigabyte, before this begins.
_START_SECONDS = 300
# As the distribution's own, in little memory.
_JVM = (
    "-Xmx1G",
    "-XX:+ExitOnOutOfMemoryError",
    "-Djdk.attach.allowAttachSelf=true",
    "-Djdk.nio.maxCachedBufferSize=2000000",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
)


class TrinoServer:
    def __init__(self, directory: Path, lake: LakeAccess) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._directory = directory
        self._lake = lake
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        home = installation()
        self._write(home)
        settings = {
            "config": self._directory / "config.properties",
            "log.levels-file": self._directory / "log.properties",
        }
        command = [
            *(str(java()), *_JVM),
            *(f"-D{name}={value}" for name, value in settings.items()),
            *("-cp", f"{home}/lib/*", "io.trino.server.TrinoServer"),
        ]
        with (self._directory / "log").open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._directory)
        try:
            self._wait()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def queries(self, text: str) -> list[dict[str, Any]]:
        """Those that hold the text, as Trino itself tells of them."""
        found = httpx.get(f"{self.url}/v1/query", headers={"X-Trino-User": "admin"}, trust_env=False).json()
        return [query for query in found if text in query["query"]]

    def _end(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(timeout=60)

    def _wait(self) -> None:
        assert self.process is not None
        deadline = time.monotonic() + _START_SECONDS
        while not self._is_started():
            assert self.process.poll() is None, (self._directory / "log").read_text()[-4000:]
            assert time.monotonic() < deadline
            time.sleep(0.1)

    def _is_started(self) -> bool:
        try:
            return not httpx.get(f"{self.url}/v1/info", trust_env=False).json()["starting"]
        except (httpx.HTTPError, ValueError):
            return False

    def _write(self, home: Path) -> None:
        (self._directory / "catalog").mkdir(parents=True)
        (self._directory / "log.properties").write_text("io.trino=WARN\n")
        _properties(
            self._directory / "config.properties",
            {
                "coordinator": "true",
                "node-scheduler.include-coordinator": "true",
                "node.environment": "test",
                "node.bind-ip": "127.0.0.1",
                "node.internal-address": "127.0.0.1",
                "http-server.http.port": self.port,
                "discovery.uri": self.url,
                "plugin.dir": home / "plugin",
                "catalog.config-dir": self._directory / "catalog",
                "query.max-memory": "512MB",
                "query.max-memory-per-node": "400MB",
            },
        )
        _properties(self._directory / "catalog" / "tpch.properties", {"connector.name": "tpch"})
        _properties(self._directory / "catalog" / "memory.properties", {"connector.name": "memory"})
        _properties(self._directory / "catalog" / "lake.properties", _lake_catalog(self._lake))


def _lake_catalog(lake: LakeAccess) -> dict[str, str]:
    store = lake.object_store
    return {
        "connector.name": "iceberg",
        "iceberg.catalog.type": "rest",
        "iceberg.rest-catalog.uri": lake.catalog.uri,
        "iceberg.rest-catalog.warehouse": lake.catalog.warehouse,
        "iceberg.rest-catalog.security": "OAUTH2",
        "iceberg.rest-catalog.oauth2.token": lake.catalog.token.get_secret_value(),
        "fs.native-s3.enabled": "true",
        "s3.endpoint": store.endpoint,
        "s3.region": store.region,
        "s3.path-style-access": "true",
        "s3.aws-access-key": store.access_key.get_secret_value(),
        "s3.aws-secret-key": store.secret_key.get_secret_value(),
    }


def _properties(path: Path, values: Mapping[str, object]) -> None:
    path.write_text("".join(f"{name}={value}\n" for name, value in values.items()))
    path.chmod(0o600)
