"""Updates of snapshots, branches and tags, and the logs that tell of them."""

import pytest

from boathouse.catalog.errors import BadRequest, CommitFailed, IllegalArgument, Validation
from boathouse.catalog.metadata import Json, referenced_only
from tests.unit.catalog.metadata.sample import (
    NOW,
    add_snapshot,
    changed,
    set_main,
    set_ref,
    snapshot,
    table,
    with_history,
)


def remove(*snapshot_ids: int) -> Json:
    return {"action": "remove-snapshots", "snapshot-ids": list(snapshot_ids)}


def history(metadata: Json) -> list[int]:
    return [entry["snapshot-id"] for entry in metadata["snapshot-log"]]


class TestAdding:
    def test_a_snapshot_on_main_is_the_current_one(self) -> None:
        metadata = changed(table(), add_snapshot(7, sequence=1), set_main(7))
        assert metadata["current-snapshot-id"] == 7
        assert metadata["last-sequence-number"] == 1
        assert metadata["last-updated-ms"] == NOW + 7
        assert metadata["refs"] == {"main": {"snapshot-id": 7, "type": "branch"}}
        assert metadata["snapshot-log"] == [{"timestamp-ms": NOW + 7, "snapshot-id": 7}]

    def test_a_snapshot_that_no_branch_points_at_is_only_staged(self) -> None:
        metadata = changed(table(), add_snapshot(7, sequence=1))
        assert metadata["current-snapshot-id"] == -1
        assert metadata["snapshot-log"] == []
        assert metadata["snapshots"] == [snapshot(7, sequence=1)]

    def test_what_is_not_known_about_a_snapshot_is_kept(self) -> None:
        metadata = changed(
            table(), {"action": "add-snapshot", "snapshot": {**snapshot(7, sequence=1), "x-weather": "fine"}}
        )
        assert metadata["snapshots"][0]["x-weather"] == "fine"

    def test_an_id_is_used_once(self) -> None:
        with pytest.raises(Validation, match="Snapshot already exists for id: 7"):
            changed(with_history(7), add_snapshot(7, sequence=2))

    def test_a_sequence_number_that_others_passed_is_a_lost_race(self) -> None:
        with pytest.raises(CommitFailed, match="sequence number 1 older than last sequence number 1"):
            changed(with_history(7), add_snapshot(8, sequence=1, parent=7))

    def test_v1_has_no_sequence_numbers(self) -> None:
        v1 = table(properties={"format-version": "1"})
        entry = snapshot(7, sequence=0)
        del entry["sequence-number"]
        metadata = changed(v1, {"action": "add-snapshot", "snapshot": entry}, set_main(7))
        assert metadata["current-snapshot-id"] == 7
        assert "last-sequence-number" not in metadata

    def test_v2_needs_a_sequence_number(self) -> None:
        entry = snapshot(7, sequence=0)
        del entry["sequence-number"]
        with pytest.raises(BadRequest, match="sequence-number"):
            changed(table(), {"action": "add-snapshot", "snapshot": entry})

    @pytest.mark.parametrize("field", ["snapshot-id", "timestamp-ms", "manifest-list"])
    def test_what_a_snapshot_must_have(self, field: str) -> None:
        entry = snapshot(7, sequence=1)
        del entry[field]
        with pytest.raises(BadRequest, match=field):
            changed(table(), {"action": "add-snapshot", "snapshot": entry})


class TestRowIds:
    def test_v3_counts_the_rows_that_were_given_ids(self) -> None:
        v3 = table(properties={"format-version": "3"})
        first = changed(v3, add_snapshot(1, sequence=1, **{"first-row-id": 0, "added-rows": 30}), set_main(1))
        assert first["next-row-id"] == 30
        second = changed(
            first, add_snapshot(2, sequence=2, parent=1, **{"first-row-id": 30, "added-rows": 5}), set_main(2)
        )
        assert second["next-row-id"] == 35

    def test_ids_that_others_took_are_a_lost_race(self) -> None:
        v3 = table(properties={"format-version": "3"})
        first = changed(v3, add_snapshot(1, sequence=1, **{"first-row-id": 0, "added-rows": 30}), set_main(1))
        with pytest.raises(CommitFailed, match="first-row-id is behind table next-row-id: 29 < 30"):
            changed(first, add_snapshot(2, sequence=2, **{"first-row-id": 29, "added-rows": 1}))

    @pytest.mark.parametrize("rows", [{}, {"first-row-id": 0}, {"first-row-id": 0, "added-rows": -1}])
    def test_v3_snapshots_say_how_many(self, rows: dict[str, int]) -> None:
        with pytest.raises(Validation):
            changed(table(properties={"format-version": "3"}), add_snapshot(1, sequence=1, **rows))


class TestRefs:
    def test_a_tag_leaves_main_alone(self) -> None:
        metadata = changed(with_history(1, 2), set_ref("v1", 1, "tag", **{"max-ref-age-ms": 5}))
        assert metadata["refs"]["v1"] == {"snapshot-id": 1, "type": "tag", "max-ref-age-ms": 5}
        assert metadata["current-snapshot-id"] == 2

    def test_what_is_not_known_about_a_ref_is_kept(self) -> None:
        metadata = changed(with_history(1), set_ref("v1", 1, "tag", **{"x-approved-by": "ann"}))
        assert metadata["refs"]["v1"] == {"snapshot-id": 1, "type": "tag", "x-approved-by": "ann"}

    def test_and_outlives_writers_who_do_not_know_it(self) -> None:
        base = changed(with_history(1, 2), set_ref("b", 1, "branch", **{"x-note": [1], "max-ref-age-ms": 5}))
        moved = changed(base, set_ref("b", 2))
        assert moved["refs"]["b"] == {"snapshot-id": 2, "type": "branch", "x-note": [1]}
        assert changed(moved, set_ref("b", 2)) is moved
        assert changed(moved, set_ref("b", 2, "branch", **{"x-note": None}))["refs"]["b"] == {
            "snapshot-id": 2,
            "type": "branch",
        }

    def test_setting_what_is_already_so_changes_nothing(self) -> None:
        base = with_history(1)
        assert changed(base, set_main(1)) is base

    def test_going_back_is_written_in_the_log(self) -> None:
        metadata = changed(with_history(1, 2), set_main(1), now_ms=NOW + 5000)
        assert history(metadata) == [1, 2, 1]
        assert metadata["snapshot-log"][-1]["timestamp-ms"] == NOW + 5000
        assert metadata["last-updated-ms"] == NOW + 5000

    def test_an_unknown_snapshot_is_refused(self) -> None:
        with pytest.raises(Validation, match="Cannot set main to unknown snapshot: 9"):
            changed(table(), set_main(9))

    def test_main_is_a_branch(self) -> None:
        with pytest.raises(Validation, match="main must be a branch"):
            changed(with_history(1), set_ref("main", 1, "tag"))

    @pytest.mark.parametrize(
        ("kind", "setting"),
        [("tag", {"min-snapshots-to-keep": 1}), ("tag", {"max-snapshot-age-ms": 1}), ("branch", {"max-ref-age-ms": 0})],
    )
    def test_retention_that_makes_no_sense_is_refused(self, kind: str, setting: dict[str, int]) -> None:
        with pytest.raises(IllegalArgument):
            changed(with_history(1), set_ref("r", 1, kind, **setting))

    def test_a_kind_of_ref_that_is_not_known_is_refused(self) -> None:
        with pytest.raises(IllegalArgument, match="Invalid snapshot ref type"):
            changed(with_history(1), set_ref("r", 1, "twig"))

    def test_without_main_there_is_no_current_snapshot(self) -> None:
        metadata = changed(with_history(1), {"action": "remove-snapshot-ref", "ref-name": "main"})
        assert metadata["current-snapshot-id"] == -1
        assert metadata["refs"] == {}
        assert len(metadata["snapshots"]) == 1

    def test_removing_a_ref_that_is_not_there_changes_nothing(self) -> None:
        base = with_history(1)
        assert changed(base, {"action": "remove-snapshot-ref", "ref-name": "nope"}) is base


class TestRemoving:
    def test_a_removed_snapshot_ends_the_history_before_it(self) -> None:
        metadata = changed(with_history(1, 2, 3), remove(2))
        assert [entry["snapshot-id"] for entry in metadata["snapshots"]] == [1, 3]
        assert history(metadata) == [3]

    def test_refs_to_removed_snapshots_go_with_them(self) -> None:
        base = changed(with_history(1, 2), set_ref("v1", 1, "tag"))
        assert set(changed(base, remove(1))["refs"]) == {"main"}

    def test_removing_what_is_not_there_changes_nothing(self) -> None:
        base = with_history(1)
        assert changed(base, remove(5, 6)) is base

    def test_a_snapshot_only_in_passing_is_not_in_the_log(self) -> None:
        two = [add_snapshot(2, sequence=2, parent=1), set_main(2), add_snapshot(3, sequence=3, parent=2), set_main(3)]
        metadata = changed(with_history(1), *two)
        assert history(metadata) == [1, 3]
        assert [entry["snapshot-id"] for entry in metadata["snapshots"]] == [1, 2, 3]


def test_only_referenced_snapshots() -> None:
    base = changed(with_history(1, 2, 3), set_ref("v1", 1, "tag"))
    slim = referenced_only(base)
    assert [entry["snapshot-id"] for entry in slim["snapshots"]] == [1, 3]
    assert {**slim, "snapshots": base["snapshots"]} == base
