"""Which form of the store an address means."""

import os
from collections.abc import Mapping
from pathlib import Path

from boathouse.catalog.store.protocol import Store
from boathouse.catalog.store.sqlite import SqliteStore
from boathouse.kit.errors import ConfigurationError

_SQLITE = "sqlite:///"


def sqlite_file(address: str) -> Path | None:
    """The file that the address names, if it names one: `sqlite:///state.db` is here, `sqlite:////var/state.db` is there."""
    if not address.startswith(_SQLITE) or len(address) == len(_SQLITE):
        return None
    return Path(address.removeprefix(_SQLITE)).absolute()


def open_store(address: str, environment: Mapping[str, str] = os.environ, *, create: bool = True) -> Store:
    """Open `sqlite:///FILE`, or `etcd://HOST:PORT,…`, whose password is in the environment or a file."""
    file = sqlite_file(address)
    if file is not None:
        return SqliteStore(file, create=create)
    if address.startswith(("etcd://", "etcds://")):
        # Only here: gRPC takes 10 MB, which a server on SQLite has no use for.
        from boathouse.catalog.store.etcd import EtcdAddress, EtcdStore

        return EtcdStore(EtcdAddress.parse(address, environment))
    raise ConfigurationError(
        f"{address!r} is not the address of a store.", hint="Write it as sqlite:///FILE or etcd://HOST:PORT,HOST:PORT."
    )
