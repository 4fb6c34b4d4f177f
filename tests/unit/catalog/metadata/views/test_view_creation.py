"""The metadata of a new view."""

from typing import Any

import pytest

from boathouse.catalog.errors import BadRequest, IllegalArgument
from boathouse.catalog.metadata import Json
from tests.unit.catalog.metadata.sample import NOW, SCHEMA
from tests.unit.catalog.metadata.views.sample_view import LOCATION, UUID, sql, version, view


def test_a_new_view_has_one_version_that_is_current() -> None:
    assert view(properties={"owner": "ann"}) == {
        "view-uuid": UUID,
        "format-version": 1,
        "location": LOCATION,
        "schemas": [SCHEMA],
        "current-version-id": 1,
        "versions": [version()],
        "version-log": [{"timestamp-ms": NOW, "version-id": 1}],
        "properties": {"owner": "ann"},
    }


def test_its_version_refers_to_its_schema_whatever_was_asked() -> None:
    created = view(schema={**SCHEMA, "schema-id": 7}, version=version(**{"schema-id": 7}))
    assert created["schemas"][0]["schema-id"] == created["versions"][0]["schema-id"] == 0


def test_a_query_may_come_in_several_dialects() -> None:
    created = view(version=version(sql("SELECT 1"), sql("SELECT 1", "trino")))
    assert [entry["dialect"] for entry in created["versions"][0]["representations"]] == ["spark", "trino"]


def test_but_in_each_only_once() -> None:
    twice = version(sql("SELECT 1"), sql("SELECT 2", "SPARK"))
    with pytest.raises(IllegalArgument, match="Cannot add multiple queries for dialect spark"):
        view(version=twice)


@pytest.mark.parametrize(
    ("representations", "message"),
    [
        ([], "Cannot create view without specifying a query"),
        ([{"type": "plan", "plan": "x"}], r"Found unsupported view representations: \['plan'\]"),
    ],
)
def test_a_view_without_a_query_is_refused(representations: list[Json], message: str) -> None:
    with pytest.raises(IllegalArgument, match=message):
        view(version=version(representations=representations))


def test_fields_that_are_not_known_here_are_kept() -> None:
    created = view(version=version({**sql("SELECT 1"), "x-hint": 1}, **{"x-new": {"a": 1}}))
    assert created["versions"][0]["x-new"] == {"a": 1}
    assert created["versions"][0]["representations"][0]["x-hint"] == 1


@pytest.mark.parametrize(
    "broken",
    [
        {"version-id": "1"},
        {"version-id": None},
        {"timestamp-ms": "now"},
        {"summary": None},
        {"summary": {"a": 1}},
        {"default-namespace": None},
        {"default-namespace": "sales"},
        {"default-namespace": [1]},
        {"default-catalog": 5},
        {"representations": None},
        {"representations": {}},
        {"representations": ["SELECT 1"]},
        {"representations": [{"sql": "SELECT 1", "dialect": "spark"}]},
        {"representations": [{"type": "sql", "dialect": "spark"}]},
        {"representations": [{"type": "sql", "sql": "SELECT 1"}]},
        {"representations": [{"type": "sql", "sql": 5, "dialect": "spark"}]},
    ],
)
def test_a_version_that_cannot_be_read_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        view(version=version(**broken))
