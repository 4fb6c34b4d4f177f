"""Definitions as they were stored: by another version of Boathouse it may be, whose fields and rules this one does not have.

Such a one is refused by itself, so that nothing else has to wait for it.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError

from boathouse.control.jobs.schemas import Definition
from boathouse.kit.complaints import in_words
from boathouse.kit.errors import InvalidInput

_MOST_SAID = 2000


class NotUnderstood(InvalidInput):
    """What is stored cannot be used by this version."""


@contextmanager
def understood(what: str) -> Generator[None]:
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "it"
        raise NotUnderstood(
            f"{what} is not one that this version of Boathouse understands: {place} {in_words(first)}.",
            hint="Run the version that wrote it, or send the job's definition anew.",
        ) from error


def definition_in(stored: Mapping[str, Any], what: str) -> Definition:
    with understood(f"The definition of {what}"):
        return Definition.model_validate(stored)


def stand_in(stored: Mapping[str, Any], error: NotUnderstood) -> Definition:
    """For a list, which must come all the same: what is wrong, where the definition says what it is for."""
    return Definition(kind=str(stored.get("kind"))[:30], spec={}, description=f"{error} {error.hint}"[:_MOST_SAID])
