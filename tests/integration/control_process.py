"""The control plane as people start it: a process of its own, on a free port."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx
import orjson

from tests.integration.catalog_process import free_port

# On a machine with better things to do.
_START_SECONDS = 120


def first_password(said: str) -> str:
    """Of what the first start says."""
    return re.findall(r"password (\S+)", said)[0]


class ControlProcess:
    def __init__(self, directory: Path, database: str | None = None, *arguments: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.directory = directory
        self.database = database or f"sqlite:///{directory}/control.db"
        self.results = f"file://{directory}/results"
        self.password = ""
        self._arguments = arguments
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.password = self.set_password(first_password(self.start()))
        except BaseException:
            self.stop(signal.SIGKILL)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop(signal.SIGKILL)

    def start(self) -> str:
        """What it says to whoever starts it."""
        command = [sys.executable, "-m", "boathouse.cli.main", "control", "serve", "--port", str(self.port)]
        command += ["--keys", str(self.directory / "keys.json"), "--results", self.results, *self._arguments]
        environment = {**os.environ, "BOATHOUSE_CONTROL_DATABASE": self.database}
        said = self.directory / "said"
        with (self.directory / "log").open("ab") as log, said.open("wb") as stderr:
            self.process = subprocess.Popen(command, stdout=log, stderr=stderr, env=environment)
        deadline = time.monotonic() + _START_SECONDS
        while not self._ready():
            assert self.process.poll() is None, said.read_text()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        return said.read_text()

    def set_password(self, given: str) -> str:
        """As the first admin does before anything else."""
        with httpx.Client(base_url=f"{self.url}/api/v1", trust_env=False, timeout=30) as browser:
            login = browser.post("/login", json={"name": "admin", "password": given}).json()
            change = {"current": given, "new": "a lantern by the pier"}
            headers = {"X-Boathouse-CSRF": login["csrf"]}
            browser.post("/me/password", json=change, headers=headers).raise_for_status()
        return change["new"]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        return self.process.wait(timeout=30)

    def lines(self) -> list[dict[str, object]]:
        return [orjson.loads(line) for line in (self.directory / "log").read_bytes().splitlines()]

    def _ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/readyz", timeout=5, trust_env=False).is_success
        except httpx.HTTPError:
            return False
