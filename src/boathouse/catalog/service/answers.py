"""What the caller of a changing operation is told, and how that is kept for a repeat."""

from dataclasses import dataclass
from typing import Any

from boathouse.catalog.service.files import TableFile


@dataclass(frozen=True)
class Answer:
    """A status and what goes with it: nothing, a JSON body, or a table as one of its versions has it."""

    status: int
    body: dict[str, Any] | None = None
    table: TableFile | None = None


DONE = Answer(204)
