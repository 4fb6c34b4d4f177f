"""A new table is asked for as the spec describes it."""

import pytest

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.ingest.target import create_request
from boathouse.pipelines.spec import Target
from boathouse.pipelines.types import ColumnType, Primitive

COLUMNS: dict[str, ColumnType] = {"id": Primitive("long"), "at": Primitive("timestamptz")}


def target(**keys: object) -> Target:
    return Target.model_validate({"table": "sales.orders", **keys})


def test_it_has_the_columns_partitions_and_properties() -> None:
    request = create_request(target(partition_by=["day(at)"], properties={"owner": "ada"}), COLUMNS)
    assert [field["name"] for field in request["schema"]["fields"]] == ["id", "at"]
    assert [(field["name"], field["source-id"]) for field in request["partition-spec"]["fields"]] == [("at_day", 2)]
    assert request["properties"] == {"format-version": "2", "owner": "ada"}


def test_the_spec_may_choose_the_format_version() -> None:
    assert create_request(target(properties={"format-version": "3"}), COLUMNS)["properties"] == {"format-version": "3"}


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"partition_by": ["region"]}, "target.partition_by names 'region'"),
        ({"mode": "merge", "keys": ["nr"]}, "target.keys names 'nr'"),
        ({"mode": "merge", "keys": ["id"], "latest_by": "when"}, "target.latest_by names 'when'"),
    ],
)
def test_a_column_that_was_not_found_in_the_files_is_refused(keys: dict[str, object], complaint: str) -> None:
    with pytest.raises(InvalidInput, match=f"{complaint}; the columns are id, at"):
        create_request(target(**keys), COLUMNS)
