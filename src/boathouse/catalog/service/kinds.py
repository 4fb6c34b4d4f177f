"""The two kinds of things that have a name in a namespace and metadata in files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from boathouse.catalog.errors import NoSuchTable, NoSuchView
from boathouse.catalog.metadata import (
    Json,
    change_table,
    change_view,
    check_registered_table,
    check_registered_view,
    check_requirements,
    check_view_requirements,
)
from boathouse.catalog.names import Namespace, TableName, pointer_key, pointers_prefix
from boathouse.catalog.service.files import MetadataFile
from boathouse.kit.errors import NotFound


@dataclass(frozen=True)
class Kind:
    word: str
    missing: type[NotFound]
    check: Callable[[Json, Sequence[Json]], None]
    """Raises if a requirement does not hold for the metadata."""
    change: Callable[[MetadataFile, Sequence[Json], int], Json]
    """The metadata after updates at a time, or the file's own if they change nothing."""
    check_registered: Callable[[Json], None]
    """Raises if metadata that somebody else wrote is not of the kind that every reader takes."""

    @property
    def title(self) -> str:
        return self.word.capitalize()

    def owner(self, name: TableName) -> str:
        """As it stands in the index of locations."""
        return f"{self.word} {name}"

    def key(self, warehouse: str, name: TableName) -> str:
        return pointer_key(warehouse, self.word, name)

    def prefix(self, warehouse: str, namespace: Namespace) -> str:
        return pointers_prefix(warehouse, self.word, namespace)


def _change_table(base: MetadataFile, updates: Sequence[Json], now_ms: int) -> Json:
    return change_table(base.metadata, updates, base_location=base.location, now_ms=now_ms)


def _change_view(base: MetadataFile, updates: Sequence[Json], now_ms: int) -> Json:
    return change_view(base.metadata, updates, now_ms=now_ms)


TABLE = Kind("table", NoSuchTable, check_requirements, _change_table, check_registered_table)
VIEW = Kind("view", NoSuchView, check_view_requirements, _change_view, check_registered_view)
KINDS = (TABLE, VIEW)
