"""Updates of the table as a whole, its statistics and its keys; and what every change leaves behind."""

import copy

import pytest

from boathouse.catalog.errors import BadRequest, IllegalArgument, Validation
from boathouse.catalog.metadata import Json, change_table, create_table, read_metadata
from tests.unit.catalog.metadata.sample import NOW, SCHEMA, add_snapshot, changed, set_main, table, with_history

BLOB: Json = {"type": "ndv", "snapshot-id": 1, "sequence-number": 1, "fields": [1], "properties": {"ndv": "5"}}
STATISTICS: Json = {
    "snapshot-id": 1,
    "statistics-path": "s3://lake/stats.puffin",
    "file-size-in-bytes": 10,
    "file-footer-size-in-bytes": 4,
    "blob-metadata": [{**BLOB, "x-new": 1}],
}
PARTITION_STATISTICS: Json = {"snapshot-id": 1, "statistics-path": "s3://lake/p.parquet", "file-size-in-bytes": 10}
KEY: Json = {"key-id": "k1", "encrypted-key-metadata": "c2VjcmV0", "encrypted-by-id": "master"}


def set_properties(**properties: str) -> Json:
    return {"action": "set-properties", "updates": properties}


class TestTable:
    def test_properties_are_set_and_removed(self) -> None:
        base = changed(table(), set_properties(a="1", b="2"))
        metadata = changed(base, set_properties(b="3"), {"action": "remove-properties", "removals": ["a", "nope"]})
        assert metadata["properties"] == {"b": "3", "write.parquet.compression-codec": "zstd"}

    def test_nothing_to_set_changes_nothing(self) -> None:
        base = table()
        assert changed(base, set_properties(), {"action": "remove-properties", "removals": []}) is base

    def test_a_table_is_upgraded_but_never_downgraded(self) -> None:
        v3 = changed(table(), {"action": "upgrade-format-version", "format-version": 3})
        assert v3["format-version"] == 3
        assert v3["next-row-id"] == 0
        with pytest.raises(IllegalArgument, match="Cannot downgrade v3 table to v2"):
            changed(v3, {"action": "upgrade-format-version", "format-version": 2})
        with pytest.raises(IllegalArgument, match="unsupported format version: v9"):
            changed(v3, {"action": "upgrade-format-version", "format-version": 9})

    def test_an_upgrade_from_v1_drops_what_only_v1_readers_need(self) -> None:
        v2 = changed(
            table(properties={"format-version": "1"}), {"action": "upgrade-format-version", "format-version": 2}
        )
        assert "schema" not in v2
        assert "partition-spec" not in v2
        assert v2["last-sequence-number"] == 0

    def test_the_location_loses_its_last_slash(self) -> None:
        assert changed(table(), {"action": "set-location", "location": "s3://lake/x/"})["location"] == "s3://lake/x"

    def test_the_same_uuid_again_changes_nothing(self) -> None:
        base = table()
        assert changed(base, {"action": "assign-uuid", "uuid": base["table-uuid"]}) is base

    @pytest.mark.parametrize(
        "update",
        [
            {"action": "assign-uuid", "uuid": "not one"},
            {"action": "set-location"},
            {"action": "set-properties", "updates": {"a": 1}},
            {"action": "set-properties", "updates": ["a"]},
            {"action": "remove-properties", "removals": [1]},
            {"action": "set-statistics", "statistics": {"snapshot-id": 1}},
            {"action": "add-encryption-key", "encryption-key": {"key-id": "k"}},
        ],
    )
    def test_what_cannot_be_read_is_refused(self, update: Json) -> None:
        with pytest.raises(BadRequest):
            changed(table(), update)


class TestStatistics:
    @pytest.mark.parametrize(
        ("kind", "file"), [("statistics", STATISTICS), ("partition-statistics", PARTITION_STATISTICS)]
    )
    def test_a_snapshot_has_one_file_of_a_kind(self, kind: str, file: Json) -> None:
        newer = {**file, "statistics-path": "s3://lake/newer"}
        base = changed(with_history(1), {"action": f"set-{kind}", kind: file})
        metadata = changed(base, {"action": f"set-{kind}", kind: newer})
        assert metadata[kind] == [newer]
        assert changed(metadata, {"action": f"remove-{kind}", "snapshot-id": 1})[kind] == []
        assert changed(metadata, {"action": f"remove-{kind}", "snapshot-id": 5}) is metadata

    @pytest.mark.parametrize(
        ("blobs", "said"),
        [
            ("none", "blob-metadata from non-array: 'none'"),
            (["ndv"], "blob-metadata from non-object: 'ndv'"),
            ([{**BLOB, "type": 1}], "string value: type: 1"),
            ([{**BLOB, "snapshot-id": "1"}], "long value: snapshot-id: '1'"),
            ([BLOB, {**BLOB, "sequence-number": None}], "missing long: sequence-number"),
            ([{**BLOB, "fields": None}], "missing list: fields"),
            ([{**BLOB, "fields": ["id"]}], "integer value: fields: 'id'"),
            ([{**BLOB, "properties": {"ndv": 5}}], "string value: ndv: 5"),
        ],
    )
    def test_blobs_that_cannot_be_read_are_refused(self, blobs: object, said: str) -> None:
        with pytest.raises(BadRequest, match=said):
            changed(with_history(1), {"action": "set-statistics", "statistics": {**STATISTICS, "blob-metadata": blobs}})

    @pytest.mark.parametrize("field", PARTITION_STATISTICS)
    def test_a_partition_statistics_file_has_all_its_fields(self, field: str) -> None:
        update = {"action": "set-partition-statistics", "partition-statistics": {**PARTITION_STATISTICS, field: None}}
        with pytest.raises(BadRequest, match=f"Cannot parse missing .*: {field}"):
            changed(with_history(1), update)

    def test_they_go_with_their_snapshot(self) -> None:
        base = changed(with_history(1, 2), {"action": "set-statistics", "statistics": STATISTICS})
        assert changed(base, {"action": "remove-snapshots", "snapshot-ids": [1]})["statistics"] == []


class TestEncryptionKeys:
    def test_a_key_is_added_once_and_removed(self) -> None:
        base = changed(table(), {"action": "add-encryption-key", "encryption-key": KEY})
        assert base["encryption-keys"] == [KEY]
        assert changed(base, {"action": "add-encryption-key", "encryption-key": KEY}) is base
        assert changed(base, {"action": "remove-encryption-key", "key-id": "k1"})["encryption-keys"] == []

    def test_what_is_not_known_about_a_key_is_kept(self) -> None:
        key = {**KEY, "properties": {"a": "b"}, "x-new": [1]}
        assert changed(table(), {"action": "add-encryption-key", "encryption-key": key})["encryption-keys"] == [key]

    @pytest.mark.parametrize("metadata", ["", "YQ==", "YQ"])
    def test_base64_may_come_without_its_padding(self, metadata: str) -> None:
        key = {**KEY, "encrypted-key-metadata": metadata}
        assert changed(table(), {"action": "add-encryption-key", "encryption-key": key})["encryption-keys"] == [key]

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"key-id": 5}, "string value: key-id: 5"),
            ({"encrypted-key-metadata": "not base64!"}, "base64: encrypted-key-metadata: 'not base64!'"),
            ({"encrypted-key-metadata": "x"}, "base64: encrypted-key-metadata: 'x'"),
            ({"encrypted-by-id": 5}, "string value: encrypted-by-id: 5"),
            ({"properties": {"a": 1}}, "string value: a: 1"),
        ],
    )
    def test_a_key_that_cannot_be_read_is_refused(self, change: Json, said: str) -> None:
        with pytest.raises(BadRequest, match=f"Cannot parse .*{said}"):
            changed(table(), {"action": "add-encryption-key", "encryption-key": {**KEY, **change}})


class TestEveryChange:
    def test_the_base_is_never_changed(self) -> None:
        base = with_history(1, 2)
        before = copy.deepcopy(base)
        changed(
            base,
            set_properties(a="b"),
            add_snapshot(3, sequence=3, parent=2),
            set_main(3),
            {"action": "remove-snapshots", "snapshot-ids": [1]},
        )
        assert base == before

    def test_what_is_not_known_survives(self) -> None:
        base = {**table(), "x-future": {"deep": [1, 2]}, "format-version": 2}
        assert changed(base, set_properties(a="b"))["x-future"] == {"deep": [1, 2]}

    def test_the_version_before_is_logged(self) -> None:
        metadata = changed(table(), set_properties(a="b"))
        assert metadata["metadata-log"] == [{"timestamp-ms": NOW, "metadata-file": "s3://lake/v0.metadata.json"}]
        assert metadata["last-updated-ms"] == NOW + 1000

    def test_the_log_keeps_as_many_as_the_table_says(self) -> None:
        base = changed(table(), {"action": "set-properties", "updates": {"write.metadata.previous-versions-max": "3"}})
        for number in range(6):
            base = change_table(base, [set_properties(n=str(number))], base_location=f"v{number + 1}", now_ms=NOW)
        assert [entry["metadata-file"] for entry in base["metadata-log"]] == ["v4", "v5", "v6"]


class TestCreation:
    UPDATES = (
        {"action": "assign-uuid", "uuid": "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0002"},
        {"action": "upgrade-format-version", "format-version": 2},
        {"action": "add-schema", "schema": SCHEMA, "last-column-id": 3},
        {"action": "set-current-schema", "schema-id": -1},
        {"action": "add-spec", "spec": {"spec-id": 0, "fields": []}},
        {"action": "set-default-spec", "spec-id": -1},
        {"action": "add-sort-order", "sort-order": {"order-id": 0, "fields": []}},
        {"action": "set-default-sort-order", "sort-order-id": -1},
        {"action": "set-location", "location": "s3://lake/sales/new"},
        {"action": "set-properties", "updates": {"owner": "ann"}},
        add_snapshot(7, sequence=1),
        set_main(7),
    )

    def test_a_transaction_brings_all_of_a_new_table(self) -> None:
        metadata = create_table(self.UPDATES, uuid="unused", default_location="unused", now_ms=NOW)
        assert metadata["table-uuid"] == "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0002"
        assert metadata["location"] == "s3://lake/sales/new"
        assert metadata["properties"] == {"owner": "ann"}
        assert metadata["current-snapshot-id"] == 7
        assert metadata["last-column-id"] == 3
        assert metadata["last-partition-id"] == 999
        assert metadata["metadata-log"] == []

    @pytest.mark.parametrize("version", [1, 2, 3])
    def test_in_the_version_it_asks_for(self, version: int) -> None:
        updates = [{"action": "upgrade-format-version", "format-version": version}, *self.UPDATES[2:4]]
        assert create_table(updates, uuid="u", default_location="l", now_ms=NOW)["format-version"] == version

    def test_what_it_leaves_out_is_filled_in(self) -> None:
        metadata = create_table(self.UPDATES[2:4], uuid="given", default_location="s3://lake/d", now_ms=NOW)
        assert (metadata["table-uuid"], metadata["location"]) == ("given", "s3://lake/d")
        assert metadata["partition-specs"] == [{"spec-id": 0, "fields": []}]
        assert metadata["sort-orders"] == [{"order-id": 0, "fields": []}]

    def test_there_is_no_table_without_a_schema(self) -> None:
        with pytest.raises(Validation, match="without a schema"):
            create_table([set_properties(a="b")], uuid="u", default_location="l", now_ms=NOW)

    def test_nor_a_version_that_is_not_supported(self) -> None:
        with pytest.raises(IllegalArgument):
            create_table(
                [{"action": "upgrade-format-version", "format-version": 7}, *self.UPDATES[2:4]],
                uuid="u",
                default_location="l",
                now_ms=NOW,
            )


class TestWhatNobodyCouldRead:
    """A commit is refused before it makes a table that cannot be loaded."""

    def test_row_ids_do_not_run_over(self) -> None:
        v3 = changed(table(), {"action": "upgrade-format-version", "format-version": 3})
        rows = {"first-row-id": 2**63 - 5, "added-rows": 5}
        with pytest.raises(Validation, match="no row id is left"):
            changed(v3, add_snapshot(1, sequence=1, **rows))
        kept = changed(v3, add_snapshot(1, sequence=1, **{**rows, "added-rows": 4}))
        assert read_metadata(kept) == kept

    @pytest.mark.parametrize(
        "fields",
        [
            [{"field-id": 2**31 - 1}, {}],
            [{"field-id": 1005}, {"field-id": 1005}],
            [{"transform": "bucket[0]"}],
            [{"transform": "truncate[0]"}],
            [{"transform": "bucket[99999999999]"}],
        ],
    )
    def test_partition_fields_have_ids_and_widths_that_can_be(self, fields: list[Json]) -> None:
        spec = [
            {"name": f"p{place}", "transform": "bucket[4]", "source-id": 1, **one} for place, one in enumerate(fields)
        ]
        with pytest.raises((IllegalArgument, Validation)):
            changed(table(), {"action": "add-spec", "spec": {"fields": spec}})

    def test_no_id_is_given_that_is_too_large(self) -> None:
        base = table()
        last = base | {
            "partition-specs": [{**base["partition-specs"][0], "spec-id": 2**31 - 1}],
            "default-spec-id": 2**31 - 1,
        }
        fields = [{"name": "p", "transform": "bucket[4]", "source-id": 1}]
        with pytest.raises(BadRequest, match="no number is left"):
            changed(last, {"action": "add-spec", "spec": {"fields": fields}})

    def test_the_uuid_is_given_once(self) -> None:
        other = {"action": "assign-uuid", "uuid": "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0099"}
        with pytest.raises(IllegalArgument, match="Cannot reassign uuid"):
            changed(table(), other)
