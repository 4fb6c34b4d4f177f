"""Where the catalog keeps its state: a small transactional key-value store behind one protocol."""

from boathouse.catalog.store.opening import open_store, sqlite_file
from boathouse.catalog.store.protocol import (
    Absent,
    Comparison,
    Cut,
    Delete,
    Empty,
    Entry,
    Present,
    Put,
    Store,
    StoreHealth,
    Unchanged,
    Write,
    as_read,
)

__all__ = [
    "Absent",
    "Comparison",
    "Cut",
    "Delete",
    "Empty",
    "Entry",
    "Present",
    "Put",
    "Store",
    "StoreHealth",
    "Unchanged",
    "Write",
    "as_read",
    "open_store",
    "sqlite_file",
]
