"""Where properties put the files of a table or view, when that is not its location."""

from collections.abc import Iterator
from dataclasses import dataclass

from boathouse.catalog.metadata import Json
from boathouse.kit.errors import InvalidInput
from boathouse.kit.objects import path_below

# The catalog itself writes there; clients write to the others.
_METADATA = "write.metadata.path"
_PATHS = (_METADATA, "write.data.path", "write.object-storage.path", "write.folder-storage.path")
_DELETES = "gc.enabled"


@dataclass(frozen=True)
class OutsidePath:
    """A property that leads out of the location."""

    name: str
    path: str
    new: bool
    """Whether the change brings it."""


def paths_to_check(metadata: Json, before: Json | None) -> list[OutsidePath]:
    """Those that a change brings, and the catalog's own; one that encloses another before it."""
    return sorted(_to_check(metadata, before), key=lambda outside: len(outside.path))


def _to_check(metadata: Json, before: Json | None) -> Iterator[OutsidePath]:
    earlier = _properties(before) if before else {}
    relies_on = before is not None and deletes_nothing(before) == deletes_nothing(metadata)
    for name in _PATHS:
        path = _properties(metadata).get(name)
        known = relies_on and earlier.get(name) == path
        if path and (name == _METADATA or not known) and not _is_inside(metadata["location"], path):
            yield OutsidePath(name, path, not known)


def deletes_nothing(metadata: Json) -> bool:
    """Whether it says of its files that they may be others' too, so that nobody deletes any on its behalf."""
    return _properties(metadata).get(_DELETES, "true").lower() == "false"


def _properties(metadata: Json) -> dict[str, str]:
    return metadata.get("properties", {})


def _is_inside(location: str, path: str) -> bool:
    try:
        return path_below(location, path) is not None
    except InvalidInput:  # no location at all, as will be said of it
        return False
