"""What a commit to a view may say must still hold: that it is the same view."""

from collections.abc import Sequence

from boathouse.catalog.errors import CommitFailed
from boathouse.catalog.metadata.fields import Json, a_string
from boathouse.catalog.metadata.requirements import Requirement, check_known


def check_view_requirements(metadata: Json, requirements: Sequence[Json]) -> None:
    check_known(metadata, requirements, _REQUIREMENTS)


def _uuid(metadata: Json, requirement: Json) -> None:
    expected, found = a_string(requirement, "uuid"), metadata["view-uuid"]
    if expected.lower() != found.lower():
        raise CommitFailed(f"Requirement failed: view UUID does not match: expected {found} != {expected}")


_REQUIREMENTS: dict[str, Requirement] = {"assert-view-uuid": _uuid}
