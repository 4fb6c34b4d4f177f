"""Metadata files of views, whoever wrote them, and what a commit may require of a view."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.catalog.errors import BadRequest, CommitFailed
from boathouse.catalog.metadata import Json, check_view_requirements, is_view, read_metadata
from boathouse.kit.errors import InvalidInput
from tests.unit.catalog.metadata.sample import SCHEMA, table
from tests.unit.catalog.metadata.views.sample_view import (
    UUID,
    WIDER,
    add_schema,
    add_version,
    changed,
    replaced,
    set_current,
    set_properties,
    sql,
    version,
    version_ids,
    view,
)


def test_a_view_is_told_from_a_table() -> None:
    assert is_view(view())
    assert not is_view(table())


def test_our_own_form_stays_as_it_is() -> None:
    for metadata in (view(), replaced(view(), "SELECT 2")):
        assert read_metadata(metadata) == metadata


def test_properties_may_be_missing() -> None:
    without = {name: value for name, value in view().items() if name != "properties"}
    assert read_metadata(without)["properties"] == {}


def test_a_newer_version_and_its_fields_pass_through() -> None:
    metadata = read_metadata({**view(), "format-version": 2, "x-new": 1})
    assert (metadata["format-version"], metadata["x-new"]) == (2, 1)


@pytest.mark.parametrize(
    "broken",
    [
        {"format-version": None},
        {"format-version": 0},
        {"view-uuid": None},
        {"view-uuid": 5},
        {"location": None},
        {"current-version-id": None},
        {"current-version-id": 2},
        {"versions": None},
        {"versions": []},
        {"versions": [5]},
        {"versions": [{**version(), "schema-id": 9}]},
        {"versions": [{**version(), "representations": None}]},
        {"version-log": None},
        {"version-log": [{"version-id": 1}]},
        {"schemas": []},
        {"schemas": [{}]},
        {"schemas": [{**SCHEMA, "schema-id": None}]},
        {"properties": {"a": 1}},
    ],
)
def test_what_is_no_metadata_is_refused(broken: Json) -> None:
    with pytest.raises(BadRequest):
        read_metadata({**view(), **broken})


@pytest.mark.parametrize("uuid", [UUID, UUID.upper()])
def test_a_commit_may_require_that_it_is_the_same_view(uuid: str) -> None:
    check_view_requirements(view(), [{"type": "assert-view-uuid", "uuid": uuid}])


def test_another_view_is_a_conflict() -> None:
    with pytest.raises(CommitFailed, match=f"Requirement failed: view UUID does not match: expected {UUID} != other"):
        check_view_requirements(view(), [{"type": "assert-view-uuid", "uuid": "other"}])


@pytest.mark.parametrize(
    "requirement",
    [{}, {"type": "assert-create"}, {"type": "assert-table-uuid", "uuid": UUID}, {"type": "assert-view-uuid"}],
)
def test_of_a_view_nothing_else_can_be_required(requirement: Json) -> None:
    with pytest.raises(BadRequest):
        check_view_requirements(view(), [requirement])


def numbered(queries: list[Json], schema_id: int, version_id: int) -> Json:
    return add_version(*queries, **{"schema-id": schema_id, "version-id": version_id})


def keeping(entries: str) -> Json:
    return set_properties(**{"version.history.num-entries": entries})


QUERIES = st.builds(sql, st.sampled_from(["SELECT 1", "SELECT 2", "SELECT 3"]), st.sampled_from(["spark", "trino"]))
UPDATES: st.SearchStrategy[Json] = st.one_of(
    st.builds(add_schema, st.sampled_from([SCHEMA, WIDER])),
    st.builds(numbered, st.lists(QUERIES, min_size=1, max_size=2), st.sampled_from([-1, 0, 1]), st.integers(0, 3)),
    st.builds(set_current, st.integers(-1, 4)),
    st.builds(keeping, st.sampled_from(["1", "2", "3"])),
    st.just(set_properties(**{"replace.drop-dialect.allowed": "true"})),
)


@given(st.lists(st.lists(UPDATES, max_size=4), max_size=12))
def test_whatever_is_committed_the_metadata_stays_whole(commits: list[list[Json]]) -> None:
    metadata: dict[str, Any] = view()
    for updates in commits:
        try:
            after = changed(metadata, *updates)
        except InvalidInput:
            continue
        assert read_metadata(after) == after
        assert len(set(version_ids(after))) == len(after["versions"])
        assert {entry["version-id"] for entry in after["version-log"]} <= set(version_ids(after))
        assert after["version-log"][-1]["version-id"] == after["current-version-id"]
        metadata = after
