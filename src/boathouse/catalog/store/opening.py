"""Which form of the store an address means."""

import os
from collections.abc import Mapping
from pathlib import Path

from boathouse.catalog.store.protocol import Store
from boathouse.catalog.store.sqlite import SqliteStore
from boathouse.kit.errors import ConfigurationError

_SQLITE = "sqlite:///"


def open_store(address: str, environment: Mapping[str, str] = os.environ) -> Store:
    """Open `sqlite:///FILE`, or `etcd://HOST:PORT,…`, whose password is in the environment or a file."""
    if address.startswith(_SQLITE) and len(address) > len(_SQLITE):
        return SqliteStore(Path(address.removeprefix(_SQLITE)))
    if address.startswith(("etcd://", "etcds://")):
        # Only here: gRPC takes 10 MB, which a server on SQLite has no use for.
        from boathouse.catalog.store.etcd import EtcdAddress, EtcdStore

        return EtcdStore(EtcdAddress.parse(address, environment))
    raise ConfigurationError(
        f"{address!r} is not the address of a store.", hint="Write it as sqlite:///FILE or etcd://HOST:PORT,HOST:PORT."
    )
