"""The lock file: which files there are, where a Maven repository keeps them, and what their bytes must be."""

import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Self

from boathouse.kit.errors import ConfigurationError

LOCK_NAME = "artifacts.lock.toml"
_COORDINATES = re.compile(r"([^:@]+):([^:@]+):([^:@]+)(?::([^:@]+))?(?:@(.+))?")


@dataclass(frozen=True)
class Artifact:
    """One file of the lock."""

    coordinates: str
    path: str
    """Below the repository's root."""
    sha256: str
    size: int

    @property
    def file_name(self) -> str:
        return self.path.rpartition("/")[2]

    @classmethod
    def from_lock(cls, entry: dict[str, Any]) -> Self:
        coordinates = entry["coordinates"]
        return cls(coordinates, repository_path(coordinates), entry["sha256"], entry["size"])


def repository_path(coordinates: str) -> str:
    """Where a Maven repository keeps `group:artifact:version[:classifier][@extension]`."""
    match = _COORDINATES.fullmatch(coordinates)
    if match is None:
        raise ConfigurationError(
            f"{coordinates!r} is not group:artifact:version[:classifier][@extension].", hint=f"Mend {LOCK_NAME}."
        )
    group, artifact, version, classifier, extension = match.groups()
    name = "-".join(part for part in (artifact, version, classifier) if part)
    return f"{group.replace('.', '/')}/{artifact}/{version}/{name}.{extension or 'jar'}"


def read_lock(text: str | None = None) -> dict[str, tuple[Artifact, ...]]:
    """The lock's groups; without `text`, those this version of Boathouse was made with."""
    content = text if text is not None else files("boathouse.stack.artifacts").joinpath(LOCK_NAME).read_text()
    return {
        group: tuple(Artifact.from_lock(entry) for entry in entries)
        for group, entries in tomllib.loads(content).items()
    }
