"""What the log remembers of columns fits all of its changes."""

import pytest

from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.log_columns import PROPERTY, as_property, known, merged, with_those_of
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import parse_type

KINDS = ("boolean", "int", "bigint", "double", "string", "date", "timestamp", "timestamp_ntz", "decimal(12,2)")


def table(**columns: str) -> SourceTable:
    return SourceTable("public.t", {name: parse_type(kind) for name, kind in columns.items()}, ("id",), "f")


def test_it_is_read_as_it_was_written() -> None:
    of = table(**{f"c{place}": kind for place, kind in enumerate(KINDS)}, tags="array<string>")
    told = with_those_of([of], {})
    assert known({"properties": {PROPERTY: as_property(told)}}) == {"public.t": of.columns} == told


def test_an_older_log_remembers_nothing() -> None:
    assert known({}) == {}


@pytest.mark.parametrize(
    ("before", "now", "both"),
    [
        ("int", "bigint", "bigint"),
        ("bigint", "int", "bigint"),
        ("decimal(10,2)", "decimal(12,2)", "decimal(12,2)"),
        ("string", "int", "string"),
        ("int", "string", "string"),
        ("date", "timestamp", "string"),
    ],
)
def test_a_column_that_was_of_two_types_is_of_one_that_both_fit(before: str, now: str, both: str) -> None:
    assert merged(table(c=before).columns, table(c=now).columns) == table(c=both).columns


def test_columns_that_are_gone_stay_behind_those_that_are_there() -> None:
    before = with_those_of([table(gone="int", id="int")], {"public.other": {}})
    after = with_those_of([table(id="bigint", new="string")], before)
    assert list(after["public.t"]) == ["id", "new", "gone"]
    assert "public.other" in after


def test_what_is_followed_is_taken_by_what_its_changes_were() -> None:
    followed = Followed({"t": table(id="int", c="int")}, lambda: {"t": table(id="int", c="int")})
    followed.have_had({"public.t": table(id="int", c="string", _lsn="bigint").columns})
    assert followed.now()["t"].columns == table(id="int", c="string").columns
    # Also after the source was asked again.
    followed.refresh()
    assert followed.now()["t"].columns == table(id="int", c="string").columns
