"""What each update does to a view."""

import pytest

from boathouse.catalog.errors import BadRequest, IllegalArgument, Validation
from boathouse.catalog.metadata import Json
from tests.unit.catalog.metadata.sample import NOW, SCHEMA
from tests.unit.catalog.metadata.views.sample_view import (
    UUID,
    WIDER,
    add_schema,
    add_version,
    changed,
    logged,
    replaced,
    set_current,
    set_properties,
    sql,
    version_ids,
    view,
)


class TestVersions:
    def test_a_replacement_is_the_next_version(self) -> None:
        after = replaced(view(), "SELECT 2")
        assert (version_ids(after), after["current-version-id"]) == ([1, 2], 2)
        assert logged(after) == [(1, 0), (2, 1000)]

    def test_its_number_may_leave_gaps_but_never_repeats(self) -> None:
        after = changed(view(), add_version(sql("SELECT 2"), **{"version-id": 7}), add_version(sql("SELECT 3")))
        assert version_ids(after) == [1, 7, 8]

    def test_numbers_may_run_out(self) -> None:
        last = changed(view(), add_version(sql("SELECT 2"), **{"version-id": 2**31 - 1}))
        with pytest.raises(IllegalArgument, match="no version id is left"):
            changed(last, add_version(sql("SELECT 3")))

    def test_a_version_that_is_only_added_is_not_current(self) -> None:
        after = changed(view(), add_version(sql("SELECT 2")))
        assert (version_ids(after), after["current-version-id"], logged(after)) == ([1, 2], 1, [(1, 0)])

    def test_a_version_that_behaves_like_one_already_there_is_that_one(self) -> None:
        base = replaced(view(), "SELECT 2")
        again = changed(base, add_version(**{"version-id": 9, "timestamp-ms": NOW + 5}), set_current())
        assert (version_ids(again), again["current-version-id"]) == ([1, 2], 1)

    def test_a_replacement_by_the_same_changes_nothing(self) -> None:
        base = view()
        assert changed(base, add_version(**{"timestamp-ms": NOW + 5}), set_current()) is base

    def test_an_older_version_is_current_again_from_now_on(self) -> None:
        after = changed(replaced(view(), "SELECT 2"), set_current(1), now_ms=NOW + 3000)
        assert logged(after) == [(1, 0), (2, 1000), (1, 3000)]

    def test_the_log_has_only_what_is_current_in_the_end(self) -> None:
        one, two = add_version(sql("SELECT 2")), add_version(sql("SELECT 3"))
        after = changed(view(), one, set_current(), two, set_current())
        assert [entry["version-id"] for entry in after["version-log"]] == [1, 3]

    def test_there_must_be_a_last_version_to_be_made_current(self) -> None:
        with pytest.raises(Validation, match="Cannot set last version id: no current version id has been set"):
            changed(view(), set_current())

    def test_an_unknown_version_cannot_be_current(self) -> None:
        with pytest.raises(IllegalArgument, match="Cannot set current version to unknown version: 5"):
            changed(view(), set_current(5))

    def test_a_dialect_comes_once(self) -> None:
        with pytest.raises(IllegalArgument, match="Cannot add multiple queries for dialect trino"):
            changed(view(), add_version(sql("SELECT 2", "trino"), sql("SELECT 3", "Trino")))

    def test_representations_of_newer_kinds_are_kept(self) -> None:
        plan = {"type": "plan", "bytes": "AA=="}
        after = changed(view(), add_version(sql("SELECT 2"), plan), set_current())
        assert after["versions"][-1]["representations"][-1] == plan


class TestSchemas:
    def test_a_version_may_refer_to_the_schema_added_last(self) -> None:
        after = changed(view(), add_schema(WIDER), add_version(sql("SELECT 2"), **{"schema-id": -1}), set_current())
        assert [schema["schema-id"] for schema in after["schemas"]] == [0, 1]
        assert after["versions"][-1]["schema-id"] == 1

    def test_one_already_there_is_not_added_again_and_is_the_last_all_the_same(self) -> None:
        base = changed(view(), add_schema(WIDER))
        again = {**SCHEMA, "schema-id": 5}
        after = changed(base, add_schema(again), add_version(sql("SELECT 2"), **{"schema-id": -1}))
        assert len(after["schemas"]) == 2
        assert after["versions"][-1]["schema-id"] == 0

    def test_there_must_be_a_last_schema_to_refer_to(self) -> None:
        with pytest.raises(Validation, match="Cannot set last added schema: no schema has been added"):
            changed(view(), add_version(sql("SELECT 2"), **{"schema-id": -1}))

    def test_a_version_of_an_unknown_schema_is_refused(self) -> None:
        with pytest.raises(IllegalArgument, match="Cannot add version with unknown schema: 3"):
            changed(view(), add_version(sql("SELECT 2"), **{"schema-id": 3}))


class TestHistory:
    def test_old_versions_expire(self) -> None:
        base = view(properties={"version.history.num-entries": "2"})
        for number in range(2, 6):
            base = replaced(base, f"SELECT {number}", NOW + number)
        assert version_ids(base) == [4, 5]
        assert logged(base) == [(4, 4), (5, 5)]

    def test_ten_are_kept_unless_the_view_says_otherwise(self) -> None:
        base = view()
        for number in range(2, 15):
            base = replaced(base, f"SELECT {number}")
        assert version_ids(base) == list(range(5, 15))

    def test_the_current_one_is_kept_however_old(self) -> None:
        base = changed(replaced(replaced(view(), "SELECT 2"), "SELECT 3"), set_current(1))
        kept = changed(base, set_properties(**{"version.history.num-entries": "2"}))
        assert version_ids(kept) == [1, 3]
        assert [entry["version-id"] for entry in kept["version-log"]] == [3, 1], "what came before a gap is gone"

    def test_what_the_same_commit_adds_is_kept(self) -> None:
        updates = [add_version(sql(f"SELECT {number}")) for number in range(2, 6)]
        one = set_properties(**{"version.history.num-entries": "1"})
        after = changed(view(), one, *updates, set_current())
        assert version_ids(after) == [2, 3, 4, 5]

    @pytest.mark.parametrize("entries", ["0", "-1", "many"])
    def test_at_least_one_is_kept(self, entries: str) -> None:
        with pytest.raises(IllegalArgument, match="num-entries"):
            view(properties={"version.history.num-entries": entries})


class TestDialects:
    def test_a_replacement_may_not_lose_one(self) -> None:
        with pytest.raises(IllegalArgument, match=r"loss of view dialects .*\nPrevious.*\[spark\]\nNew.*\[trino\]"):
            changed(view(), add_version(sql("SELECT 1", "trino")), set_current())

    def test_unless_the_view_says_so(self) -> None:
        base = view(properties={"replace.drop-dialect.allowed": "true"})
        after = changed(base, add_version(sql("SELECT 1", "trino")), set_current())
        assert after["current-version-id"] == 2

    def test_it_may_add_one(self) -> None:
        after = changed(view(), add_version(sql("SELECT 1"), sql("SELECT 1", "trino")), set_current())
        assert after["current-version-id"] == 2

    def test_dropping_and_appending_them_contradict_each_other(self) -> None:
        both = {"replace.drop-dialect.allowed": "true", "replace.append-dialect.allowed": "TRUE"}
        with pytest.raises(IllegalArgument, match="Cannot set both"):
            view(properties=both)


class TestTheWhole:
    def test_its_properties_are_set_and_removed(self) -> None:
        base = changed(view(), set_properties(a="1", b="2"))
        after = changed(base, {"action": "remove-properties", "removals": ["a", "nope"]})
        assert after["properties"] == {"b": "2"}

    def test_it_may_move(self) -> None:
        after = changed(view(), {"action": "set-location", "location": "s3://lake/else/"})
        assert after["location"] == "s3://lake/else"

    def test_its_uuid_is_given_once(self) -> None:
        base = view()
        assert changed(base, {"action": "assign-uuid", "uuid": UUID}) is base
        with pytest.raises(IllegalArgument, match="Cannot reassign uuid"):
            changed(base, {"action": "assign-uuid", "uuid": "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0099"})

    @pytest.mark.parametrize(
        ("version", "message"), [(0, "Cannot downgrade v1 view to v0"), (2, "Unsupported format version: 2")]
    )
    def test_there_is_one_format_version(self, version: int, message: str) -> None:
        base = view()
        assert changed(base, {"action": "upgrade-format-version", "format-version": 1}) is base
        with pytest.raises(IllegalArgument, match=message):
            changed(base, {"action": "upgrade-format-version", "format-version": version})

    @pytest.mark.parametrize(
        "update",
        [
            {},
            {"action": 5},
            {"action": "add-snapshot"},
            {"action": "set-current-schema", "schema-id": 0},
            {"action": "add-view-version"},
            {"action": "add-view-version", "view-version": []},
            {"action": "set-current-view-version"},
            {"action": "set-current-view-version", "view-version-id": "1"},
            {"action": "add-schema", "schema": {"type": "struct", "fields": [5]}},
            {"action": "assign-uuid", "uuid": "x"},
            {"action": "upgrade-format-version"},
        ],
    )
    def test_an_update_that_cannot_be_read_is_refused(self, update: Json) -> None:
        with pytest.raises(BadRequest):
            changed(view(), update)

    def test_fields_that_are_not_known_here_survive(self) -> None:
        after = replaced({**view(), "x-new": [1]}, "SELECT 2")
        assert after["x-new"] == [1]
