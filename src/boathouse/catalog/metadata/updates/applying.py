"""A commit's updates in turn, each by the function for its action."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from boathouse.catalog.errors import BadRequest
from boathouse.catalog.metadata.draft import Draft
from boathouse.catalog.metadata.fields import Json, a_string

D = TypeVar("D", bound=Draft)


def apply_known(draft: D, updates: Sequence[Json], known: Mapping[str, Callable[[D, Json], None]]) -> None:
    """That each is known is asked first, so that an unknown one is the error that is named."""
    for update in updates:
        action = a_string(update, "action")
        if action not in known:
            raise BadRequest(f"Cannot parse update: unknown action {action[:100]}")
    for update in updates:
        known[update["action"]](draft, update)
