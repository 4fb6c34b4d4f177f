"""What a backup holds, as its header and its last line say."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FORMAT = "boathouse-catalog"
VERSION = 1


@dataclass(frozen=True)
class Summary:
    revision: int
    """Of the store it was taken from: the cut holds all that was committed up to it, and nothing later."""
    taken: str
    form: str
    """Of that store: sqlite or etcd."""
    entries: int
    counts: Mapping[str, int]
    """How many there are of each kind: tables, views, namespaces, …"""
    sha256: str

    def described(self) -> dict[str, Any]:
        return {
            "revision": self.revision,
            "taken": self.taken,
            "store": self.form,
            "entries": self.entries,
            "counts": dict(self.counts),
            "sha256": self.sha256,
        }


def kind_of(key: str) -> str:
    """The kind of an entry is the first part of its key: table, view, namespace, principal, …"""
    return key.partition("/")[0]
