"""How rows are written in each format."""

import csv
import io
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boathouse.cli.output import Format, facts, listing, write

# Spark's largest integers have eight bytes; a surrogate alone is no text.
cells = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(st.characters(exclude_categories=["Cs"]))


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str]) -> Any:
    def do(columns: list[str], values: list[Any], form: Format) -> str:
        write(columns, values, form)
        return capsys.readouterr().out

    return do


def test_every_format_counts_the_rows(written: Any) -> None:
    assert [write(["a"], [[1], [2]], form) for form in Format] == [2, 2, 2, 2]


def test_a_table_to_a_pipe_is_never_folded(written: Any) -> None:
    wide = "x" * 500
    assert wide in written(["a"], [[wide]], Format.TABLE)


def test_a_table_says_null_and_shows_control_characters(written: Any) -> None:
    shown = written(["a", "b"], [[None, "x\x1b[2J"]], Format.TABLE)
    assert "NULL" in shown
    assert r"x\x1b[2J" in shown


def test_markup_in_data_is_data(written: Any) -> None:
    assert "[bold]x[/bold]" in written(["a"], [["[bold]x[/bold]"]], Format.TABLE)


def test_csv_tells_null_from_empty_text(written: Any) -> None:
    assert written(["a", "b"], [[None, ""], ['say "x"', "1,2"]], Format.CSV) == 'a,b\n,""\n"say ""x""","1,2"\n'


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(cells, cells)))
def test_any_csv_can_be_read_back(written: Any, values: list[tuple[Any, Any]]) -> None:
    read = list(csv.reader(io.StringIO(written(["a", "b"], values, Format.CSV), newline="")))
    assert len(read) == len(values) + 1
    for row, original in zip(read[1:], values, strict=True):
        for cell, value in zip(row, original, strict=True):
            assert not isinstance(value, str) or cell == value


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(cells)))
def test_any_json_can_be_read_back(written: Any, values: list[tuple[Any]]) -> None:
    assert json.loads(written(["a"], values, Format.JSON)) == [{"a": value} for (value,) in values]


def test_json_is_a_row_a_line(written: Any) -> None:
    assert written(["a"], [[1], [2]], Format.JSON) == '[\n{"a":1},\n{"a":2}\n]\n'


def test_no_rows_are_an_empty_array(written: Any) -> None:
    assert written(["a"], [], Format.JSON) == "[]\n"


def test_markdown_escapes_its_own_bars(written: Any) -> None:
    assert written(["a"], [["x|y"], [None]], Format.MARKDOWN) == "| a |\n| --- |\n| x\\|y |\n| NULL |\n"


def test_a_listing_is_a_table_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    listing(["name"], [["x"]], as_json=True)
    assert json.loads(capsys.readouterr().out) == [{"name": "x"}]
    listing(["name"], [["x"]], as_json=False)
    assert capsys.readouterr().out.split() == ["name", "────", "x"]


def test_facts_are_a_pair_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    facts([("table", "a.b"), ("records", 2)])
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [["table", "a.b"], ["records", "2"]]


def test_what_a_command_tells_has_no_null_and_no_microseconds(capsys: pytest.CaptureFixture[str]) -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    listing(["name", "at"], [["x", at], ["y", None]], as_json=False)
    assert [line.split() for line in capsys.readouterr().out.splitlines()[2:]] == [
        ["x", "2026-01-02", "03:04:05Z"],
        ["y", "-"],
    ]
    facts([("at", at), ("by", None)])
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["at", "2026-01-02", "03:04:05Z"],
        ["by", "-"],
    ]
    listing(["at"], [[at]], as_json=True)
    assert json.loads(capsys.readouterr().out) == [{"at": "2026-01-02T03:04:05.678901Z"}]


def test_what_is_data_keeps_its_microseconds(written: Any) -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    assert "03:04:05.678901Z" in written(["at"], [[at]], Format.TABLE)
