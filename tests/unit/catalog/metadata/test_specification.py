"""Every update and every requirement that the REST specification names is applied, and refused where it cannot be."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from boathouse.catalog.errors import CommitFailed
from boathouse.catalog.metadata import Json, check_requirements, check_view_requirements
from boathouse.kit.errors import InvalidInput
from tests.unit.catalog.metadata.sample import NOW, SCHEMA, add_snapshot, changed, set_main, set_ref, snapshot, table
from tests.unit.catalog.metadata.views.sample_view import UUID as VIEW_UUID
from tests.unit.catalog.metadata.views.sample_view import WIDER, add_version, sql, version, view
from tests.unit.catalog.metadata.views.sample_view import changed as view_changed

_FILE = Path(__file__).parents[3] / "conformance" / "rest-catalog-open-api.yaml"
SPECIFIED: Json = yaml.load(_FILE.read_text(), yaml.CSafeLoader)["components"]["schemas"]

OTHER_UUID = "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0099"
DAY: Json = {"source-id": 2, "name": "day", "transform": "identity"}
BY_DAY: Json = {"spec-id": 1, "fields": [{**DAY, "field-id": 1000}]}
BY_ID: Json = {"spec-id": 2, "fields": [{"source-id": 1, "field-id": 1001, "name": "b", "transform": "bucket[4]"}]}
ASCENDING: Json = {"transform": "identity", "direction": "asc", "null-order": "nulls-first"}
SORTED: Json = {"order-id": 1, "fields": [{"source-id": 1, **ASCENDING}]}
SORTED_BY_DAY: Json = {"order-id": 2, "fields": [{"source-id": 2, **ASCENDING}]}
PARTITION_STATISTICS: Json = {"snapshot-id": 1, "statistics-path": "s3://lake/p", "file-size-in-bytes": 1}
STATISTICS: Json = {**PARTITION_STATISTICS, "file-footer-size-in-bytes": 1, "blob-metadata": []}
KEY: Json = {"key-id": "k", "encrypted-key-metadata": "eA=="}
WITH_X: Json = {**WIDER, "schema-id": 1}
WITH_Y: Json = {**SCHEMA, "fields": [*SCHEMA["fields"], {"id": 5, "name": "y", "required": False, "type": "int"}]}
MAIN: Json = {"snapshot-id": 2, "type": "branch"}
TAG: Json = {"snapshot-id": 1, "type": "tag"}


def furnished() -> Json:
    """A table with two of everything that an update could choose between, and one of all it could remove."""
    return changed(
        table(properties={"owner": "ann"}),
        {"action": "add-schema", "schema": WITH_X},
        {"action": "add-spec", "spec": BY_DAY},
        {"action": "add-sort-order", "sort-order": SORTED},
        add_snapshot(1, sequence=1),
        set_ref("v1", 1, "tag"),
        add_snapshot(2, sequence=2, parent=1),
        set_main(2),
        {"action": "set-statistics", "statistics": STATISTICS},
        {"action": "set-partition-statistics", "partition-statistics": PARTITION_STATISTICS},
        {"action": "add-encryption-key", "encryption-key": KEY},
    )


TABLE = furnished()
VIEW = view_changed(view(properties={"owner": "ann"}), add_version(sql("SELECT 2"), **{"version-id": 2}))

Applied = tuple[Json, str, Any]
"""An update, what of the metadata it changes, and to what."""

TABLE_UPDATES: dict[str, tuple[Applied, Json]] = {
    "assign-uuid": (({"uuid": TABLE["table-uuid"]}, "table-uuid", TABLE["table-uuid"]), {"uuid": OTHER_UUID}),
    "upgrade-format-version": (({"format-version": 3}, "format-version", 3), {"format-version": 1}),
    "add-schema": (
        ({"schema": WITH_Y}, "schemas", [*TABLE["schemas"], {**WITH_Y, "schema-id": 2}]),
        {"schema": {"type": "struct", "fields": [{"id": 1, "name": "a", "required": True, "type": "unheard of"}]}},
    ),
    "set-current-schema": (({"schema-id": 1}, "current-schema-id", 1), {"schema-id": 9}),
    "remove-schemas": (({"schema-ids": [1]}, "schemas", TABLE["schemas"][:1]), {"schema-ids": [0]}),
    "add-spec": (
        ({"spec": BY_ID}, "partition-specs", [*TABLE["partition-specs"], BY_ID]),
        {"spec": {"spec-id": 2, "fields": [{**DAY, "source-id": 9}]}},
    ),
    "set-default-spec": (({"spec-id": 1}, "default-spec-id", 1), {"spec-id": 9}),
    "remove-partition-specs": (({"spec-ids": [1]}, "partition-specs", TABLE["partition-specs"][:1]), {"spec-ids": [0]}),
    "add-sort-order": (
        ({"sort-order": SORTED_BY_DAY}, "sort-orders", [*TABLE["sort-orders"], SORTED_BY_DAY]),
        {"sort-order": {"order-id": 2, "fields": [{"source-id": 9, **ASCENDING}]}},
    ),
    "set-default-sort-order": (({"sort-order-id": 1}, "default-sort-order-id", 1), {"sort-order-id": 9}),
    "add-snapshot": (
        ({"snapshot": snapshot(3, sequence=3)}, "snapshots", [*TABLE["snapshots"], snapshot(3, sequence=3)]),
        {"snapshot": snapshot(2, sequence=3)},
    ),
    "set-snapshot-ref": (
        ({"ref-name": "b", **TAG}, "refs", {"main": MAIN, "v1": TAG, "b": TAG}),
        {"ref-name": "b", "type": "branch", "snapshot-id": 9},
    ),
    "remove-snapshots": (({"snapshot-ids": [1]}, "snapshots", TABLE["snapshots"][1:]), {"snapshot-ids": ["1"]}),
    "remove-snapshot-ref": (({"ref-name": "v1"}, "refs", {"main": MAIN}), {}),
    "set-location": (({"location": "s3://lake/x"}, "location", "s3://lake/x"), {"location": 5}),
    "set-properties": (
        ({"updates": {"a": "b"}}, "properties", {**TABLE["properties"], "a": "b"}),
        {"updates": {"a": None}},
    ),
    "remove-properties": (
        ({"removals": ["owner"]}, "properties", {"write.parquet.compression-codec": "zstd"}),
        {"removals": "owner"},
    ),
    "set-statistics": (
        (
            {"statistics": {**STATISTICS, "snapshot-id": 2}},
            "statistics",
            [STATISTICS, {**STATISTICS, "snapshot-id": 2}],
        ),
        {"statistics": PARTITION_STATISTICS},
    ),
    "remove-statistics": (({"snapshot-id": 1}, "statistics", []), {"snapshot-id": "1"}),
    "set-partition-statistics": (
        (
            {"partition-statistics": {**PARTITION_STATISTICS, "snapshot-id": 2}},
            "partition-statistics",
            [PARTITION_STATISTICS, {**PARTITION_STATISTICS, "snapshot-id": 2}],
        ),
        {"partition-statistics": {"snapshot-id": 2}},
    ),
    "remove-partition-statistics": (({"snapshot-id": 1}, "partition-statistics", []), {}),
    "add-encryption-key": (
        ({"encryption-key": {**KEY, "key-id": "l"}}, "encryption-keys", [KEY, {**KEY, "key-id": "l"}]),
        {"encryption-key": {"key-id": "l"}},
    ),
    "remove-encryption-key": (({"key-id": "k"}, "encryption-keys", []), {"key-id": None}),
}
VIEW_UPDATES: dict[str, tuple[Applied, Json]] = {
    # A view keeps its uuid and has one format version: what can be said again changes nothing.
    "assign-uuid": (({"uuid": VIEW_UUID}, "view-uuid", VIEW_UUID), {"uuid": OTHER_UUID}),
    "upgrade-format-version": (({"format-version": 1}, "format-version", 1), {"format-version": 2}),
    "add-schema": (({"schema": WIDER}, "schemas", [SCHEMA, WITH_X]), {"schema": []}),
    "set-location": (({"location": "s3://lake/x"}, "location", "s3://lake/x"), {}),
    "set-properties": (({"updates": {"a": "b"}}, "properties", {"owner": "ann", "a": "b"}), {"updates": []}),
    "remove-properties": (({"removals": ["owner"]}, "properties", {}), {"removals": {}}),
    "add-view-version": (
        (
            {"view-version": version(sql("SELECT 3"), **{"version-id": 3})},
            "versions",
            [*VIEW["versions"], version(sql("SELECT 3"), **{"version-id": 3})],
        ),
        {"view-version": version(**{"schema-id": 9})},
    ),
    "set-current-view-version": (({"view-version-id": 2}, "current-version-id", 2), {"view-version-id": 9}),
}
TABLE_REQUIREMENTS: dict[str, tuple[Json | None, Json]] = {
    # One that holds, and one that does not. That a table is to be created holds for none that is there.
    "assert-create": (None, {}),
    "assert-table-uuid": ({"uuid": TABLE["table-uuid"]}, {"uuid": OTHER_UUID}),
    "assert-ref-snapshot-id": ({"ref": "main", "snapshot-id": 2}, {"ref": "main", "snapshot-id": 1}),
    "assert-last-assigned-field-id": ({"last-assigned-field-id": 4}, {"last-assigned-field-id": 3}),
    "assert-current-schema-id": ({"current-schema-id": 0}, {"current-schema-id": 1}),
    "assert-last-assigned-partition-id": ({"last-assigned-partition-id": 1000}, {"last-assigned-partition-id": 999}),
    "assert-default-spec-id": ({"default-spec-id": 0}, {"default-spec-id": 1}),
    "assert-default-sort-order-id": ({"default-sort-order-id": 0}, {"default-sort-order-id": 1}),
}
VIEW_REQUIREMENTS: dict[str, tuple[Json, Json]] = {"assert-view-uuid": ({"uuid": VIEW_UUID}, {"uuid": OTHER_UUID})}


def actions(update: str) -> set[str]:
    kinds = [one["$ref"].rpartition("/")[2] for one in SPECIFIED[update]["anyOf"]]
    return {SPECIFIED[kind]["properties"]["action"]["const"] for kind in kinds}


def kinds(requirement: str) -> set[str]:
    return set(SPECIFIED[requirement]["discriminator"]["mapping"])


def test_none_of_the_specification_is_left_out() -> None:
    assert TABLE_UPDATES.keys() == actions("TableUpdate")
    assert VIEW_UPDATES.keys() == actions("ViewUpdate")
    assert TABLE_REQUIREMENTS.keys() == kinds("TableRequirement")
    assert VIEW_REQUIREMENTS.keys() == kinds("ViewRequirement")


@pytest.mark.parametrize("action", TABLE_UPDATES)
class TestUpdatesOfTables:
    def test_it_is_applied(self, action: str) -> None:
        update, what, wanted = TABLE_UPDATES[action][0]
        assert (TABLE[what] != wanted) == (action != "assign-uuid"), "which is given once"
        assert changed(TABLE, {"action": action, **update}, now_ms=NOW + 2000)[what] == wanted

    def test_it_is_refused(self, action: str) -> None:
        with pytest.raises(InvalidInput):
            changed(TABLE, {"action": action, **TABLE_UPDATES[action][1]})


@pytest.mark.parametrize("action", VIEW_UPDATES)
class TestUpdatesOfViews:
    def test_it_is_applied(self, action: str) -> None:
        update, what, wanted = VIEW_UPDATES[action][0]
        assert view_changed(VIEW, {"action": action, **update})[what] == wanted

    def test_it_is_refused(self, action: str) -> None:
        with pytest.raises(InvalidInput):
            view_changed(VIEW, {"action": action, **VIEW_UPDATES[action][1]})


@pytest.mark.parametrize("kind", TABLE_REQUIREMENTS)
def test_a_requirement_of_a_table_holds_or_is_refused(kind: str) -> None:
    holding, failing = TABLE_REQUIREMENTS[kind]
    if holding is not None:
        check_requirements(TABLE, [{"type": kind, **holding}])
    with pytest.raises(CommitFailed):
        check_requirements(TABLE, [{"type": kind, **failing}])


@pytest.mark.parametrize("kind", VIEW_REQUIREMENTS)
def test_a_requirement_of_a_view_holds_or_is_refused(kind: str) -> None:
    holding, failing = VIEW_REQUIREMENTS[kind]
    check_view_requirements(VIEW, [{"type": kind, **holding}])
    with pytest.raises(CommitFailed):
        check_view_requirements(VIEW, [{"type": kind, **failing}])
