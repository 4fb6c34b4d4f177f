"""The control plane's API, on a SQLite file in the home. Its user is the platform admin by a token in the secrets."""

import sys
from collections.abc import Iterable
from pathlib import Path

import httpx

from boathouse.kit.files import private_directory
from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.ports import LOOPBACK, PortWish
from boathouse.stack.service import Impaired, NotReady, Service

TOKEN = "control-token"  # noqa: S105 - the name of its file, not a token


def database(home: Home) -> str:
    """As `--database` takes it: for the API, and for whoever works beside it on the same runs."""
    return f"sqlite:///{home.data(Control.name) / 'control.db'}"


def keys(home: Home) -> Path:
    """Beside the other secrets and not beside the database, so that a copy of that alone opens nothing."""
    return home.secrets / "control-keys.json"


class Control(Service):
    name = "control"

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        yield PortWish(cls.name, 8090, settings.control.port, "control.port")

    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.site.ports[self.name]}"

    def prepare(self) -> None:
        private_directory(self.site.home.data(self.name))

    def command(self) -> list[str]:
        home = self.site.home
        return [
            *(sys.executable, "-m", "boathouse.cli.main", "control", "serve"),
            *("--host", LOOPBACK),
            *("--port", str(self.site.ports[self.name])),
            *("--database", database(home)),
            *("--keys", str(keys(home))),
            *("--local-token-file", str(home.secrets / TOKEN)),
            *("--lake", str(self.site.settings.home)),
        ]

    def check(self) -> None:
        try:
            response = httpx.get(f"{self.address()}/readyz", timeout=5, trust_env=False)
        except httpx.HTTPError as error:
            raise NotReady(f"no answer yet ({type(error).__name__})") from error
        if not response.is_success:
            # It answers, but its database does not: starting it again would not help.
            raise Impaired(f"not ready: {response.text[:300]}")
