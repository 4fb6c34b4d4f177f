"""Which server is meant: the one named, the one in the environment, the one logged in to, or the local lakehouse's."""

import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from boathouse.client.client import ControlClient
from boathouse.client.logins import LOCAL, Logins
from boathouse.kit.access import LakeAccess
from boathouse.kit.errors import ConfigurationError, Unavailable
from boathouse.kit.settings import load_settings

URL_VARIABLE = "BOATHOUSE_CONTROL_URL"
TOKEN_VARIABLE = "BOATHOUSE_CONTROL_TOKEN"  # noqa: S105 - where a token is, not one


@dataclass(frozen=True)
class Server:
    name: str
    """As people know it."""
    url: str
    token: SecretStr
    key: str
    """What its workspace in use is kept by."""


def connect(server: str | None = None) -> ControlClient:
    """A client of the server named, or of the one that is meant if none is."""
    found = find_server(server)
    return ControlClient(found.url, found.token)


def find_server(named: str | None = None) -> Server:
    if named is None and URL_VARIABLE in os.environ:
        return _from_environment()
    logins = Logins.load()
    name = named or logins.current
    if name == LOCAL:
        return _local()
    login = logins.get(name)
    known = next(key for key, one in logins.servers.items() if one is login)
    return Server(known, login.url, login.token, known)


def local_key(home: Path) -> str:
    """Each home is a lakehouse of its own, with workspaces of its own."""
    return f"{LOCAL} {home}"


def _from_environment() -> Server:
    url, token = os.environ[URL_VARIABLE], os.environ.get(TOKEN_VARIABLE)
    if not token:
        raise ConfigurationError(
            f"{URL_VARIABLE} is set, but {TOKEN_VARIABLE} is not.",
            hint="Set both, or neither and use `boathouse login`.",
        )
    return Server(url, url, SecretStr(token), url)


def _local() -> Server:
    home = load_settings().home
    access = LakeAccess.load(home).control
    if access is None:
        raise Unavailable(
            f"The lakehouse in {home} runs without a control plane.",
            hint="Run `boathouse down` and `boathouse up`; or `boathouse login URL` for one elsewhere.",
        )
    return Server(LOCAL, access.uri, access.token, local_key(home))
