"""Metadata files of other writers: older forms are understood, what is no metadata is refused."""

from typing import Any

import pytest

from boathouse.catalog.errors import BadRequest
from boathouse.catalog.metadata import Json, check_registered_table, read_metadata
from boathouse.kit.errors import InvalidInput
from tests.unit.catalog.metadata.sample import NOW, SCHEMA, changed, table, with_history

OLD: Json = {
    "format-version": 1,
    "table-uuid": "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0003",
    "location": "s3://lake/old",
    "last-updated-ms": NOW,
    "last-column-id": 3,
    "schema": {"type": "struct", "fields": SCHEMA["fields"]},
    "partition-spec": [{"name": "day", "transform": "identity", "source-id": 2}],
    "current-snapshot-id": 5,
    "snapshots": [{"snapshot-id": 5, "timestamp-ms": NOW, "manifests": ["s3://lake/m.avro"]}],
}


def test_the_oldest_form_is_filled_in() -> None:
    metadata = read_metadata(OLD)
    assert metadata["schemas"] == [{**OLD["schema"], "schema-id": 0}]
    assert metadata["partition-specs"][0]["fields"][0]["field-id"] == 1000
    assert metadata["last-partition-id"] == 1000
    assert metadata["sort-orders"] == [{"order-id": 0, "fields": []}]
    assert metadata["refs"] == {"main": {"snapshot-id": 5, "type": "branch"}}
    assert metadata["properties"] == {}


def test_it_can_be_changed_like_any_other() -> None:
    metadata = changed(read_metadata(OLD), {"action": "upgrade-format-version", "format-version": 2})
    assert metadata["format-version"] == 2
    assert metadata["current-snapshot-id"] == 5


def test_our_own_form_stays_as_it_is() -> None:
    for metadata in (table(), with_history(1, 2)):
        assert read_metadata(metadata) == metadata


def test_a_newer_version_and_its_fields_pass_through() -> None:
    metadata = read_metadata({**table(), "format-version": 4, "x-new": 1})
    assert (metadata["format-version"], metadata["x-new"]) == (4, 1)


def test_no_snapshot_may_be_written_as_null() -> None:
    assert read_metadata({**table(), "current-snapshot-id": None})["current-snapshot-id"] == -1


@pytest.mark.parametrize(
    "broken",
    [
        {"format-version": None},
        {"format-version": 0},
        {"format-version": "2"},
        {"location": None},
        {"table-uuid": None},
        {"last-updated-ms": "yesterday"},
        {"current-schema-id": 9},
        {"schemas": [{}]},
        {"schemas": [{**SCHEMA, "schema-id": None}]},
        {"schemas": [SCHEMA, 5]},
        {"schemas": None},
        {"default-spec-id": 9},
        {"partition-specs": [{"spec-id": 0}]},
        {"partition-specs": None},
        {"sort-orders": [{"order-id": 0}]},
        {"sort-orders": ["x"]},
        {"snapshots": [{}]},
        {"snapshots": {}},
        {"snapshot-log": [{"timestamp-ms": 1}]},
        {"snapshot-log": [{"snapshot-id": 1}]},
        {"metadata-log": [{"metadata-file": "s3://lake/v0.metadata.json", "timestamp-ms": "1"}]},
        {"refs": []},
        {"refs": {"main": 5}},
        {"refs": {"main": {"snapshot-id": 5}}},
        {"statistics": [5]},
        {"properties": {"a": 1}},
        {"last-column-id": "3"},
        {"last-sequence-number": "3"},
    ],
)
def test_what_is_no_metadata_is_refused(broken: Json) -> None:
    with pytest.raises(BadRequest):
        read_metadata({**table(), **broken})


@pytest.mark.parametrize("json", [None, 5, "text", [], {}])
def test_neither_is_any_other_json(json: Any) -> None:
    with pytest.raises(BadRequest):
        read_metadata(json)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"format-version": 99}, "Cannot read unsupported version 99"),
        ({"table-uuid": "not-a-uuid"}, "is not a UUID"),
        ({"current-snapshot-id": 77}, "Current snapshot does not exist"),
        ({"current-snapshot-id": 1}, "does not match main branch"),
        ({"current-snapshot-id": -1}, "Current snapshot is not set, but main branch exists"),
        ({"refs": {"t": {"snapshot-id": 77, "type": "tag"}}}, "Snapshot for reference t does not exist"),
        ({"last-column-id": 1}, "Invalid last column ID: 1 <"),
    ],
)
def test_what_is_registered_is_what_every_reader_takes(wrong: Json, said: str) -> None:
    whole = read_metadata(with_history(1, 2))
    check_registered_table(whole)
    with pytest.raises(InvalidInput, match=said):
        check_registered_table(read_metadata({**whole, **wrong}))
