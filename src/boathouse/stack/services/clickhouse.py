"""ClickHouse, where the speed layer's tables are.

The program where there is one, on this machine's PATH or by the settings; else its engine, embedded. Both have the
same SQL and the same HTTP interface, but not the same files: a home stays with the one it began with.
"""

import shutil
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path

import httpx
import structlog

from boathouse.kit.access import ClickHouseAccess, of_stream
from boathouse.kit.errors import ConfigurationError
from boathouse.kit.files import private_directory, write_private
from boathouse.kit.settings import Settings, in_bytes
from boathouse.stack.embedded_clickhouse.options import PREFIX
from boathouse.stack.ports import LOOPBACK, PortWish
from boathouse.stack.service import Impaired, NotReady, Service
from boathouse.stack.services.clickhouse_config import server_config

_UNKNOWN_DATABASE = "81"
# Too many queries, no memory for one more, no thread for it: it is at work, and a new start would end what it works at.
_BUSY = {"202", "241", "439"}
_log = structlog.get_logger()


class ClickHouse(Service):
    name = "clickhouse"

    @classmethod
    def wanted(cls, settings: Settings) -> bool:
        return settings.clickhouse.uri is None

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        yield PortWish(cls.name, 8123, settings.clickhouse.port, "clickhouse.port")

    def address(self) -> str:
        return self._access.uri

    def prepare(self) -> None:
        private_directory(self._data)
        if _has_any(self._embedded) and (found := _on_path()) is not None:
            _log.info(
                "this home's tables are of the embedded engine, which goes on", service=self.name, unused=str(found)
            )
        if self._program is not None:
            write_private(self._config, self._server_config().encode())
            return
        if find_spec("chdb") is None:
            raise ConfigurationError(
                "ClickHouse is not there: neither the program `clickhouse` nor the package chdb.",
                hint="Install boathouse[stream], or set clickhouse.program or clickhouse.uri.",
            )

    def command(self) -> list[str]:
        program = self._program
        if program is None:
            return [sys.executable, "-m", "boathouse.stack.embedded_clickhouse"]
        server = [] if program.name == "clickhouse-server" else ["server"]
        return [str(program), *server, f"--config-file={self._config}"]

    def environment(self) -> dict[str, str]:
        if self._program is not None:
            return {}
        told = {
            "HOST": LOOPBACK,
            "PORT": str(self.site.ports[self.name]),
            "DATA": str(self._embedded),
            "USER": self._access.user,
            "PASSWORD": self._access.password.get_secret_value(),
            "DATABASE": self._access.database,
            "MEMORY_BYTES": str(self._memory),
        }
        return {PREFIX + name: value for name, value in told.items()}

    def check(self) -> None:
        answered = self._asked("SELECT 1", {"X-ClickHouse-Database": self._access.database})
        if answered.headers.get("X-ClickHouse-Exception-Code") == _UNKNOWN_DATABASE:
            # A server program starts with databases of its own only.
            answered = self._asked(f"CREATE DATABASE IF NOT EXISTS `{self._access.database}`", {})
        if answered.is_success:
            return
        told = answered.text.strip()[:300]
        if answered.headers.get("X-ClickHouse-Exception-Code") in _BUSY:
            raise Impaired(f"it is busy: {told}")
        raise NotReady(f"it does not answer queries: {told}")

    def _asked(self, query: str, headers: Mapping[str, str]) -> httpx.Response:
        access = self._access
        login = {"X-ClickHouse-User": access.user, "X-ClickHouse-Key": access.password.get_secret_value()}
        try:
            return httpx.post(access.uri, headers={**login, **headers}, content=query, timeout=5, trust_env=False)
        except httpx.HTTPError as error:
            raise NotReady(f"no answer yet ({type(error).__name__})") from error

    def _server_config(self) -> str:
        access = self._access
        return server_config(
            port=self.site.ports[self.name],
            user=access.user,
            password=access.password.get_secret_value(),
            data=self._server,
            memory=self._memory,
        )

    @property
    def _program(self) -> Path | None:
        given = self.site.settings.clickhouse.program
        if given is not None:
            if not given.is_file():
                raise ConfigurationError(
                    f"clickhouse.program is {given}, which is not a file.", hint="Mend the setting, or leave it empty."
                )
            if _has_any(self._embedded):
                raise self._other_files("the embedded engine", "Leave clickhouse.program empty")
            return given
        found = None if _has_any(self._embedded) else _on_path()
        if found is None and _has_any(self._server):
            raise self._other_files("the program `clickhouse`", "Name it by clickhouse.program")
        return found

    def _other_files(self, began_with: str, instead: str) -> ConfigurationError:
        """An empty ClickHouse in their place would look as if all had been lost."""
        return ConfigurationError(
            f"The tables in {self._data} are of {began_with}, and nothing else can read them.",
            hint=f"{instead}, or move that directory away: streams fill an empty ClickHouse with what Kafka still has.",
        )

    @property
    def _memory(self) -> int:
        return in_bytes(self.site.settings.clickhouse.memory)

    @property
    def _access(self) -> ClickHouseAccess:
        return of_stream(self.site.lake.clickhouse, "ClickHouse")

    @property
    def _data(self) -> Path:
        return self.site.home.data(self.name)

    @property
    def _embedded(self) -> Path:
        return self._data / "embedded"

    @property
    def _server(self) -> Path:
        return self._data / "server"

    @property
    def _config(self) -> Path:
        return self.site.home.config(self.name) / "config.xml"


def _on_path() -> Path | None:
    found = shutil.which("clickhouse") or shutil.which("clickhouse-server")
    return Path(found) if found else None


def _has_any(directory: Path) -> bool:
    return directory.is_dir() and any(directory.iterdir())
