"""What a commit may require, and what it is told when that does not hold."""

import pytest

from boathouse.catalog.errors import BadRequest, CommitFailed, IllegalArgument
from boathouse.catalog.metadata import Json, asserts_create, check_requirements
from tests.unit.catalog.metadata.sample import changed, set_ref, table, with_history


@pytest.mark.parametrize(
    "requirement",
    [
        {"type": "assert-table-uuid", "uuid": "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0001"},
        {"type": "assert-table-uuid", "uuid": "6B1F0A1C-6A39-4B6F-9A0A-0F4A8C9F0001"},
        {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": 7},
        {"type": "assert-ref-snapshot-id", "ref": "new", "snapshot-id": None},
        {"type": "assert-last-assigned-field-id", "last-assigned-field-id": 3},
        {"type": "assert-current-schema-id", "current-schema-id": 0},
        {"type": "assert-last-assigned-partition-id", "last-assigned-partition-id": 999},
        {"type": "assert-default-spec-id", "default-spec-id": 0},
        {"type": "assert-default-sort-order-id", "default-sort-order-id": 0},
    ],
)
def test_a_requirement_that_holds_says_nothing(requirement: Json) -> None:
    check_requirements(with_history(7), [requirement])


@pytest.mark.parametrize(
    ("requirement", "message"),
    [
        ({"type": "assert-create"}, "table already exists"),
        ({"type": "assert-table-uuid", "uuid": "other"}, "UUID does not match: expected 6b1f.* != other"),
        (
            {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": 8},
            "branch main has changed: expected id 8 != 7",
        ),
        (
            {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": None},
            "branch main was created concurrently",
        ),
        ({"type": "assert-ref-snapshot-id", "ref": "v1", "snapshot-id": 8}, "tag v1 has changed: expected id 8 != 7"),
        ({"type": "assert-ref-snapshot-id", "ref": "x", "snapshot-id": 8}, "branch or tag x is missing, expected 8"),
        (
            {"type": "assert-last-assigned-field-id", "last-assigned-field-id": 2},
            "last assigned field id changed: expected id 2 != 3",
        ),
        ({"type": "assert-current-schema-id", "current-schema-id": 1}, "current schema changed: expected id 1 != 0"),
        (
            {"type": "assert-last-assigned-partition-id", "last-assigned-partition-id": 1000},
            "last assigned partition id changed: expected id 1000 != 999",
        ),
        (
            {"type": "assert-default-spec-id", "default-spec-id": 1},
            "default partition spec changed: expected id 1 != 0",
        ),
        (
            {"type": "assert-default-sort-order-id", "default-sort-order-id": 1},
            "default sort order changed: expected id 1",
        ),
    ],
)
def test_one_that_does_not_hold_says_what_it_found(requirement: Json, message: str) -> None:
    base = changed(with_history(7), set_ref("v1", 7, "tag"))
    with pytest.raises(CommitFailed, match=f"Requirement failed: {message}"):
        check_requirements(base, [requirement])


@pytest.mark.parametrize(
    "requirement",
    [
        {},
        {"type": 1},
        {"type": "assert-happiness"},
        {"type": "assert-table-uuid"},
        {"type": "assert-current-schema-id", "current-schema-id": "0"},
        {"type": "assert-ref-snapshot-id", "snapshot-id": 1},
        {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": "x"},
    ],
)
def test_one_that_cannot_be_read_is_refused(requirement: Json) -> None:
    with pytest.raises(BadRequest):
        check_requirements(table(), [requirement])


def test_a_commit_that_creates_its_table_asks_for_nothing_else() -> None:
    assert asserts_create([{"type": "assert-create"}])
    assert not asserts_create([{"type": "assert-default-spec-id", "default-spec-id": 0}])
    with pytest.raises(IllegalArgument, match="Invalid create requirements"):
        asserts_create([{"type": "assert-create"}, {"type": "assert-table-uuid", "uuid": "x"}])
