"""What is shown of an Iceberg table's metadata."""

from typing import Any

import pytest

from boathouse.kit import table_metadata as meta

ADDRESS = {
    "type": "struct",
    "fields": [
        {"id": 5, "name": "city", "required": False, "type": "string"},
        {"id": 6, "name": "lines", "required": False, "type": {"type": "list", "element-id": 7, "element": "string"}},
    ],
}
METADATA: dict[str, Any] = {
    "current-schema-id": 1,
    "schemas": [
        {"schema-id": 0, "fields": []},
        {
            "schema-id": 1,
            "fields": [
                {"id": 1, "name": "id", "required": True, "type": "long", "doc": "the key"},
                {"id": 2, "name": "at", "required": False, "type": "timestamptz"},
                {"id": 3, "name": "address", "required": False, "type": ADDRESS},
            ],
        },
    ],
    "default-spec-id": 2,
    "partition-specs": [
        {"spec-id": 0, "fields": []},
        {
            "spec-id": 2,
            "fields": [
                {"name": "at_day", "transform": "day", "source-id": 2, "field-id": 1000},
                {"name": "id_bucket", "transform": "bucket[16]", "source-id": 1, "field-id": 1001},
                {"name": "id", "transform": "identity", "source-id": 1, "field-id": 1002},
            ],
        },
    ],
    "current-snapshot-id": 11,
    "refs": {"main": {"snapshot-id": 11, "type": "branch"}, "v1": {"snapshot-id": 10, "type": "tag"}},
    "snapshots": [
        {
            "snapshot-id": 10,
            "sequence-number": 1,
            "timestamp-ms": 1_000,
            "summary": {"operation": "append", "added-records": "3", "added-data-files": "2"},
        },
        {
            "snapshot-id": 11,
            "parent-snapshot-id": 10,
            "sequence-number": 2,
            "timestamp-ms": 2_000,
            "summary": {"operation": "delete", "deleted-records": "1", "deleted-data-files": "1"},
        },
    ],
}


def test_columns_are_those_of_the_current_schema() -> None:
    assert [column["name"] for column in meta.columns(METADATA)] == ["id", "at", "address"]
    assert meta.columns(METADATA)[0] == {"id": 1, "name": "id", "type": "long", "required": True, "doc": "the key"}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("decimal(10, 2)", "decimal(10, 2)"),
        (ADDRESS, "struct<city: string, lines: list<string>>"),
        ({"type": "map", "key": "string", "value": ADDRESS}, "map<string, struct<city: string, lines: list<string>>>"),
    ],
)
def test_a_nested_type_reads_like_sql(kind: Any, text: str) -> None:
    assert meta.type_text(kind) == text


def test_partitions_are_those_of_the_default_spec() -> None:
    assert meta.partitions(METADATA) == ["day(at)", "bucket(16, id)", "id"]


def test_history_is_newest_first_and_marks_the_current_snapshot() -> None:
    newest, oldest = meta.history(METADATA)
    assert (newest["snapshot"], newest["current"], newest["parent"]) == (11, True, 10)
    assert (oldest["snapshot"], oldest["current"], oldest["parent"]) == (10, False, None)


def test_history_counts_what_the_summary_leaves_out_as_none() -> None:
    newest, oldest = meta.history(METADATA)
    counts = ("added_records", "deleted_records", "added_files", "deleted_files")
    assert [newest[name] for name in counts] == [0, 1, 0, 1]
    assert [oldest[name] for name in counts] == [3, 0, 2, 0]


def test_history_names_branches_and_tags() -> None:
    assert [snapshot["references"] for snapshot in meta.history(METADATA)] == [["branch main"], ["tag v1"]]


def test_a_table_without_snapshots_has_no_history() -> None:
    empty = {**METADATA, "snapshots": [], "current-snapshot-id": None, "refs": {}}
    assert list(meta.history(empty)) == []
    assert meta.current_snapshot(empty) is None


def test_a_snapshot_may_come_without_a_summary() -> None:
    bare = {"snapshot-id": 7, "timestamp-ms": 0, "manifests": [], "summary": None}
    (only,) = meta.history({"current-snapshot-id": 7, "snapshots": [bare]})
    assert (only["operation"], only["added_records"]) == (None, 0)


def test_the_sort_order_in_words() -> None:
    field = {"source-id": 2, "transform": "day", "direction": "desc", "null-order": "nulls-last"}
    metadata = {
        **METADATA,
        "default-sort-order-id": 1,
        "sort-orders": [{"order-id": 0, "fields": []}, {"order-id": 1, "fields": [field]}],
    }
    assert meta.sort_order(metadata) == [{"by": "day(at)", "direction": "desc", "nulls": "nulls-last"}]
    assert meta.sort_order(METADATA) == []


def test_ancestors_are_what_the_current_snapshot_goes_back_to() -> None:
    parents = {1: None, 2: 1, 3: 2, 4: 2}
    snapshots = [{"snapshot-id": one, "parent-snapshot-id": parent} for one, parent in parents.items()]
    assert meta.ancestors({"current-snapshot-id": 4, "snapshots": snapshots}) == {4, 2, 1}
    # One whose parent was expired ends there, and a circle does not go on for ever.
    assert meta.ancestors({"current-snapshot-id": 4, "snapshots": snapshots[2:]}) == {4}
    assert meta.ancestors({"current-snapshot-id": 1, "snapshots": [{"snapshot-id": 1, "parent-snapshot-id": 1}]}) == {1}
    assert meta.ancestors({}) == set()
