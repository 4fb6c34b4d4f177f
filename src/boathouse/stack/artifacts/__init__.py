"""Jars and archives, pinned by checksum in one lock file, fetched once and shared by every lakehouse of a user."""

from boathouse.stack.artifacts.cache import ArtifactCache
from boathouse.stack.artifacts.fetch import Fetcher, Progress
from boathouse.stack.artifacts.lock import Artifact, read_lock

__all__ = ["Artifact", "ArtifactCache", "Fetcher", "Progress", "read_lock"]
