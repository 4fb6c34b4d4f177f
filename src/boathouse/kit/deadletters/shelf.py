"""What was read of the lake and can be read no other way again: data files and snapshots never change."""

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Generic, TypeVar

from boathouse.kit.deadletters.book import Book, Rows
from boathouse.kit.deadletters.ledger import Fate

Kept = TypeVar("Kept")


class Latest(Generic[Kept]):
    """So many of them; the least used is forgotten first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Any, Kept] = OrderedDict()
        self._turn = Lock()

    def get(self, key: Any) -> Kept | None:
        with self._turn:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Any, value: Kept) -> Kept:
        with self._turn:
            self._kept[key] = value
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return value


@dataclass(frozen=True)
class Shelf:
    # A table that many loads wrote to has a file of each.
    files: Latest[Rows] = field(default_factory=lambda: Latest[Rows](500))
    # As many tables as people look at at once; the largest takes some hundred megabytes.
    books: Latest[Book] = field(default_factory=lambda: Latest[Book](8))
    fates: Latest[dict[str, Fate]] = field(default_factory=lambda: Latest[dict[str, Fate]](100))
