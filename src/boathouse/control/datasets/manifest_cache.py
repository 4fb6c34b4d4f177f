"""Manifests that were read lately. A manifest is never changed, so what was read of it stays true."""

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

from boathouse.kit.manifests import LiveFile

Files = tuple[LiveFile, ...]
Key = tuple[str, str]
"""Whose rights it was read with, and where it lies: nobody is answered by what another was allowed to read."""

# About half a kilobyte each: the tables that people look at, and not all there are.
MOST_FILES = 60_000


@dataclass
class ManifestCache:
    """By how many files are in them, the one that was not asked for longest goes first."""

    most: int = MOST_FILES
    _kept: OrderedDict[Key, Files] = field(default_factory=OrderedDict[Key, Files])
    _files: int = 0
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: Key) -> Files | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, files: Files) -> None:
        with self._lock:
            if key in self._kept or len(files) > self.most:
                return
            self._kept[key] = files
            # An empty one takes room too.
            self._files += len(files) + 1
            while self._files > self.most:
                _, oldest = self._kept.popitem(last=False)
                self._files -= len(oldest) + 1
