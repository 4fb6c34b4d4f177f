"""A real S3 store of a test's own: SeaweedFS on free ports, over a directory."""

import json
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from boathouse.kit.objects import open_store
from boathouse.stack.services.object_store import SMALL_FILES, weed
from tests.etcd_cluster import free_ports

URL = "s3://lake/warehouse"
KEY = "seaweedfs-key"
_START_SECONDS = 120
_PARTS = ("master", "volume", "filer", "s3")


class SeaweedFs:
    def __init__(self, directory: Path, *, iceberg: bool = False) -> None:
        directory.mkdir(parents=True)
        self._directory = directory
        self.process: subprocess.Popen[bytes] | None = None
        *ports, spare = free_ports(2 * len(_PARTS) + 1)
        self.master = f"127.0.0.1:{ports[0]}.{ports[1]}"
        """As `weed shell` takes it."""
        self.port = ports[6]
        self.iceberg_port = spare if iceberg else 0
        """Where its own catalog listens; 0 if it does not."""
        self._ports = [f"-{part}.port={ports[2 * place]}" for place, part in enumerate(_PARTS)]
        self._ports += [f"-{part}.port.grpc={ports[2 * place + 1]}" for place, part in enumerate(_PARTS)]

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """As the AWS libraries read it."""
        keys = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": KEY, "AWS_REGION": "x"}
        return {"AWS_ENDPOINT_URL": self.endpoint, **keys}

    def objects(self) -> S3Store:
        """The store itself, past any proxy before it."""
        store = open_store(URL, endpoint=self.endpoint, region="x", access_key=KEY, secret_key=KEY)
        assert isinstance(store, S3Store)
        return store

    def start(self) -> None:
        self.process = self._begin()
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            assert self.process.poll() is None, (self._directory / "weed.log").read_text()[-2000:]
            assert time.monotonic() < deadline, "SeaweedFS did not start"
            time.sleep(0.1)

    def _begin(self) -> subprocess.Popen[bytes]:
        config = self._directory / "s3.json"
        credentials = [{"accessKey": KEY, "secretKey": KEY}]
        config.write_text(json.dumps({"identities": [{"name": "x", "credentials": credentials, "actions": ["Admin"]}]}))
        command = [
            *(str(weed()), "-logtostderr", "server", f"-dir={self._directory}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1"),
            *self._ports,
            *("-filer", "-s3", f"-s3.config={config}", f"-s3.port.iceberg={self.iceberg_port}", "-s3.port.lance=0"),
            *("-filer.localSocket=filer.sock", "-s3.localSocket=s3.sock", "-master.telemetry=false"),
            *("-master.electionTimeout=200ms", "-master.heartbeatInterval=50ms"),
            *("-volume.max=50", "-volume.index=leveldb", SMALL_FILES),
        ]
        with (self._directory / "weed.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self._directory)

    def stop(self) -> None:
        """At once: nobody needs its data any more, and its own way takes 15 s."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(timeout=30)

    def _answers(self) -> bool:
        try:
            obstore.put(self.objects(), "started", b"")
        except (BaseError, OSError):
            return False
        return True
