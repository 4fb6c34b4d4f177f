"""What the caller of a changing operation is told, and how that is kept for a repeat."""

from dataclasses import dataclass
from typing import Any

from boathouse.catalog.service.files import MetadataFile


@dataclass(frozen=True)
class Answer:
    """A status and what goes with it: nothing, a JSON body, or one version of a table or view."""

    status: int
    body: dict[str, Any] | None = None
    version: MetadataFile | None = None
    pointer: str | None = None
    """The key under which later versions are found, should this one's file be deleted before a repeat asks for it."""
    replayed: bool = False
    """Whether it was told before, to the first request with the same idempotency key."""


DONE = Answer(204)
