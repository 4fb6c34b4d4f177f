"""What a commit says must still hold, one small function each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boathouse.catalog.errors import BadRequest, CommitFailed, IllegalArgument
from boathouse.catalog.metadata.fields import Json, a_long, a_string, an_int

Requirement = Callable[[Json, Json], None]

CREATE = "assert-create"


def check_requirements(metadata: Json, requirements: Sequence[Json]) -> None:
    """Raise CommitFailed for the first that does not hold for this table."""
    check_known(metadata, requirements, _REQUIREMENTS)


def check_known(metadata: Json, requirements: Sequence[Json], known: Mapping[str, Requirement]) -> None:
    for requirement in requirements:
        _of_type(requirement, known)(metadata, requirement)


def asserts_create(requirements: Sequence[Json]) -> bool:
    """Whether the commit is to create its table. Then it can ask for nothing else: there is no table to ask about."""
    for requirement in requirements:
        _of_type(requirement, _REQUIREMENTS)
    kinds = {requirement["type"] for requirement in requirements}
    if CREATE in kinds and kinds != {CREATE}:
        raise IllegalArgument(f"Invalid create requirements: {sorted(kinds - {CREATE})}")
    return CREATE in kinds


def _of_type(requirement: Json, known: Mapping[str, Requirement]) -> Requirement:
    kind = a_string(requirement, "type")
    if kind not in known:
        raise BadRequest(f"Cannot parse update requirement: unknown type {kind[:100]}")
    return known[kind]


def _does_not_exist(_metadata: Json, _requirement: Json) -> None:
    raise CommitFailed("Requirement failed: table already exists")


def _uuid(metadata: Json, requirement: Json) -> None:
    expected, found = a_string(requirement, "uuid"), metadata["table-uuid"]
    if expected.lower() != found.lower():
        raise CommitFailed(f"Requirement failed: UUID does not match: expected {found} != {expected}")


def _ref(metadata: Json, requirement: Json) -> None:
    name = a_string(requirement, "ref")
    expected = None if requirement.get("snapshot-id") is None else a_long(requirement, "snapshot-id")
    ref = metadata.get("refs", {}).get(name)
    if ref is None:
        if expected is not None:
            raise CommitFailed(f"Requirement failed: branch or tag {name} is missing, expected {expected}")
    elif expected is None:
        raise CommitFailed(f"Requirement failed: {ref['type']} {name} was created concurrently")
    elif expected != ref["snapshot-id"]:
        raise CommitFailed(
            f"Requirement failed: {ref['type']} {name} has changed: expected id {expected} != {ref['snapshot-id']}"
        )


def _same(asked: str, held: str, what: str) -> Requirement:
    """A requirement that one number of the metadata is still what it was."""

    def check(metadata: Json, requirement: Json) -> None:
        expected: int = an_int(requirement, asked)
        found: Any = metadata[held]
        if expected != found:
            raise CommitFailed(f"Requirement failed: {what} changed: expected id {expected} != {found}")

    return check


_REQUIREMENTS: dict[str, Requirement] = {
    CREATE: _does_not_exist,
    "assert-table-uuid": _uuid,
    "assert-ref-snapshot-id": _ref,
    "assert-last-assigned-field-id": _same("last-assigned-field-id", "last-column-id", "last assigned field id"),
    "assert-current-schema-id": _same("current-schema-id", "current-schema-id", "current schema"),
    "assert-last-assigned-partition-id": _same(
        "last-assigned-partition-id", "last-partition-id", "last assigned partition id"
    ),
    "assert-default-spec-id": _same("default-spec-id", "default-spec-id", "default partition spec"),
    "assert-default-sort-order-id": _same("default-sort-order-id", "default-sort-order-id", "default sort order"),
}
