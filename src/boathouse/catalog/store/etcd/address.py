"""What an address says: the members, how they are spoken to, and who speaks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

from boathouse.kit.errors import ConfigurationError

PASSWORD_VARIABLE = "BOATHOUSE_ETCD_PASSWORD"  # noqa: S105 - the name of the variable, not the password
_FORM = "etcd://HOST:PORT,HOST:PORT[/ROOT] or etcds://…?ca=FILE&cert=FILE&key=FILE&user=NAME&password-file=FILE"
_FILES = ("ca", "cert", "key", "password-file")
_ENDPOINT = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s:\[\]@]+):[0-9]{1,5}")
_ROOT = "boathouse"


@dataclass(frozen=True)
class Tls:
    """What is given as None is not sent, or in the case of `ca` is the machine's own."""

    ca: bytes | None = None
    cert: bytes | None = field(default=None, repr=False)
    key: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Credentials:
    user: str
    password: str = field(repr=False)


@dataclass(frozen=True)
class EtcdAddress:
    endpoints: tuple[str, ...]
    root: str = _ROOT
    """All keys of one catalog start with this and a slash, so that several may share a cluster."""
    tls: Tls | None = None
    credentials: Credentials | None = None

    @classmethod
    def parse(cls, address: str, environment: Mapping[str, str]) -> "EtcdAddress":
        """Read an address. It never holds a password: addresses are seen in process lists and logs."""
        # By hand: Python's own parser knows one host, and refuses a list with an address in brackets in it.
        scheme, _, rest = address.partition("://")
        place, _, query = rest.partition("?")
        hosts, _, path = place.partition("/")
        if scheme not in {"etcd", "etcds"} or "@" in hosts:
            raise _wrong(address)
        endpoints = tuple(endpoint.strip() for endpoint in hosts.split(","))
        options = dict(parse_qsl(query, keep_blank_values=True))
        secure = scheme == "etcds"
        if not all(_ENDPOINT.fullmatch(endpoint) for endpoint in endpoints) or options.keys() - {*_FILES, "user"}:
            raise _wrong(address)
        contents = {name: _content(name, options[name]) for name in _FILES if name in options}
        if contents.keys() & {"ca", "cert", "key"} and not secure:
            raise ConfigurationError(
                "The store's address gives certificates, but etcd:// is plain.", hint="Use etcds://."
            )
        if ("cert" in contents) != ("key" in contents):
            raise ConfigurationError("The store's address gives one of cert and key.", hint="A client needs both.")
        tls = Tls(contents.get("ca"), contents.get("cert"), contents.get("key")) if secure else None
        user = _credentials(options.get("user"), contents.get("password-file"), environment)
        return cls(endpoints, path.strip("/") or _ROOT, tls, user)


def _credentials(user: str | None, file: bytes | None, environment: Mapping[str, str]) -> Credentials | None:
    if user is None:
        return None
    password = file.decode().rstrip("\r\n") if file is not None else environment.get(PASSWORD_VARIABLE)
    if not password:
        raise ConfigurationError(
            f"The store's address names the user {user!r}, but there is no password.",
            hint=f"Set {PASSWORD_VARIABLE}, or add password-file=FILE to the address.",
        )
    return Credentials(user, password)


def _content(name: str, file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"{name} in the store's address names {file}, which cannot be read: {error.strerror}.",
            hint="Mend the path or the file's mode.",
        ) from error


def _wrong(address: str) -> ConfigurationError:
    # Whoever put a password in shall not find it in a log.
    shown = re.sub(r"//[^@/]*@", "//…@", address)
    return ConfigurationError(f"{shown!r} is not the address of a store.", hint=f"Write it as {_FORM}.")
