"""Which form of the store an address means."""

from pathlib import Path

from boathouse.catalog.store.protocol import Store
from boathouse.catalog.store.sqlite import SqliteStore
from boathouse.kit.errors import ConfigurationError

_SQLITE = "sqlite:///"


def open_store(address: str) -> Store:
    """Open `sqlite:///FILE`."""
    if address.startswith(_SQLITE) and len(address) > len(_SQLITE):
        return SqliteStore(Path(address.removeprefix(_SQLITE)))
    raise ConfigurationError(f"{address!r} is not the address of a store.", hint="Write it as sqlite:///FILE.")
