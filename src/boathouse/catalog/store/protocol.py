"""The store's whole protocol: read a key, list a prefix by pages (entries or keys alone), and one atomic commit.

Every form of the store keeps the same promises:
- a read sees every commit that was acknowledged before it began, by whichever server;
- a commit's comparisons and writes happen at one moment, or not at all;
- a commit that was acknowledged is on disk;
- a revision is never given twice, so an unchanged revision means an unchanged value.
"""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
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


@dataclass(frozen=True)
class StoreHealth:
    """What an operator asks of a store. One file is its own leader, and never changes it."""

    form: str
    endpoints: tuple[str, ...]
    reachable: tuple[str, ...]
    leader: str | None
    """Which member leads; None while there is none, or none that could be asked."""
    term: int = 0
    leader_changes: int = 0
    """Elections that this server saw since it started."""


class Cut(Protocol):
    """Everything as it was at one revision, whatever is committed meanwhile."""

    @property
    def revision(self) -> int: ...

    async def list(self, prefix: str, *, after: str = "", limit: int) -> list[Entry]: ...


class Store(Protocol):
    async def read(self, key: str) -> Entry | None: ...

    async def list(self, prefix: str, *, after: str = "", limit: int) -> list[Entry]:
        """Up to `limit` entries whose keys start with `prefix` and come after `after`, in the order of their keys."""
        ...

    async def keys(self, prefix: str, *, after: str = "", limit: int) -> Sequence[str]:
        """The keys alone of what `list` would give: for long lists of names."""
        ...

    def cut(self) -> AbstractAsyncContextManager[Cut]:
        """A consistent cut, to be read while the context is open. Readers and writers go on beside it."""
        ...

    async def commit(self, comparisons: Sequence[Comparison], writes: Sequence[Write]) -> bool:
        """Do all the writes if all the comparisons hold, and say whether they did.

        Raises Unavailable when nothing was done, and CommitStateUnknown when that cannot be known.
        """
        ...

    async def check(self) -> None:
        """Raise Unavailable if what was opened is there no longer, though it still seems to answer."""
        ...

    async def health(self) -> StoreHealth:
        """How the store is, as far as it can be found out. Never raises for a store that is away."""
        ...

    async def close(self) -> None:
        """Finish what was accepted, then let go."""
        ...


def as_read(key: str, entry: Entry | None) -> Comparison:
    """The key is still as a read found it."""
    return Absent(key) if entry is None else Unchanged(key, entry.revision)
