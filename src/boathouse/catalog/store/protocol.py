"""The store's whole protocol: read a key, list a prefix by pages, and one atomic commit.

Every form of the store keeps the same promises:
- a read sees every commit that was acknowledged before it began, by whichever server;
- a commit's comparisons and writes happen at one moment, or not at all;
- a commit that was acknowledged is on disk;
- a revision is never given twice, so an unchanged revision means an unchanged value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Entry:
    key: str
    value: bytes
    revision: int


@dataclass(frozen=True)
class Unchanged:
    """The key is still as it was at `revision`."""

    key: str
    revision: int


@dataclass(frozen=True)
class Absent:
    key: str


@dataclass(frozen=True)
class Present:
    key: str


@dataclass(frozen=True)
class Empty:
    """No key starts with `prefix`."""

    prefix: str


Comparison = Unchanged | Absent | Present | Empty


@dataclass(frozen=True)
class Put:
    key: str
    value: bytes


@dataclass(frozen=True)
class Delete:
    key: str


Write = Put | Delete


class Store(Protocol):
    async def read(self, key: str) -> Entry | None: ...

    async def list(self, prefix: str, *, after: str = "", limit: int) -> list[Entry]:
        """Up to `limit` entries whose keys start with `prefix` and come after `after`, in the order of their keys."""
        ...

    async def commit(self, comparisons: Sequence[Comparison], writes: Sequence[Write]) -> bool:
        """Do all the writes if all the comparisons hold, and say whether they did.

        Raises Unavailable when nothing was done, and CommitStateUnknown when that cannot be known.
        """
        ...

    async def close(self) -> None:
        """Finish what was accepted, then let go."""
        ...


def as_read(key: str, entry: Entry | None) -> Comparison:
    """The key is still as a read found it."""
    return Absent(key) if entry is None else Unchanged(key, entry.revision)
