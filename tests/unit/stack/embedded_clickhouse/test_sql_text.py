import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.stack.embedded_clickhouse.errors import ClickHouseError
from boathouse.stack.embedded_clickhouse.sql_text import insert_with_data, named, quoted, read_statement, tokens


@pytest.mark.parametrize(
    ("sql", "head", "data_format", "data"),
    [
        ("INSERT INTO t (a, `b)`) FORMAT Native\n\x00abc", "INSERT INTO t (a, `b)`) ", "Native", "\x00abc"),
        ("insert into t values (1)", "insert into t ", "Values", " (1)"),
        ("insert into `format` settings a='format x' format CSV 1,2", None, "CSV", "1,2"),
        ("/* FORMAT x */ INSERT INTO format.values FORMAT CSV\r\nx", None, "CSV", "x"),
        ("INSERT INTO t FORMAT CSV\n\nx", None, "CSV", "\nx"),
        ("INSERT INTO t FORMAT RowBinary\n\n\n", None, "RowBinary", "\n\n"),
        ("INSERT INTO t FORMAT CSV", None, "CSV", ""),
        ("INSERT INTO FUNCTION null('a Int8') VALUES (1)", None, "Values", " (1)"),
        ("INSERT INTO t -- VALUES\nVALUES(1)", None, "Values", "(1)"),
    ],
)
def test_an_insert_ends_where_its_data_begins(sql: str, head: str | None, data_format: str, data: str) -> None:
    found = insert_with_data(sql)
    assert found is not None
    assert (found.format, sql[found.data_at :]) == (data_format, data)
    assert head is None or found.head == head


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 FORMAT CSV",
        "INSERT INTO t SELECT 1",
        "INSERT INTO t SELECT 1 FORMAT CSV",
        "",
        "INSERT INTO t",
        "-- INSERT",
    ],
)
def test_what_brings_no_data(sql: str) -> None:
    assert insert_with_data(sql) is None


def test_input_is_read_from_a_file() -> None:
    found = insert_with_data("INSERT INTO t SELECT a FROM input ('a Int8') WHERE a > 1 FORMAT CSV\n1")
    assert found is not None
    assert found.reading("/x'y") == "INSERT INTO t SELECT a FROM file('/x\\'y', 'CSV', 'a Int8') WHERE a > 1 "
    without = insert_with_data("INSERT INTO t SELECT * FROM input() FORMAT CSV\n1")
    assert without is not None
    with pytest.raises(ClickHouseError, match="structure"):
        without.reading("/x")


@pytest.mark.parametrize(
    ("sql", "written"),
    [
        ("select 1", "select 1\nINTO OUTFILE '/p' TRUNCATE\nFORMAT TSV"),
        ("select 1 format CSV", "select 1 \nINTO OUTFILE '/p' TRUNCATE\nformat CSV"),
        ("select 1 format CSV settings a=1", "select 1 \nINTO OUTFILE '/p' TRUNCATE\nformat CSV settings a=1"),
        ("select 1 settings a=1 format CSV;", "select 1 settings a=1 \nINTO OUTFILE '/p' TRUNCATE\nformat CSV"),
        ("select a as format from t -- done", "select a as format from t\nINTO OUTFILE '/p' TRUNCATE\nFORMAT TSV"),
        ("select format('{}', a) ; ;", "select format('{}', a)\nINTO OUTFILE '/p' TRUNCATE\nFORMAT TSV"),
    ],
)
def test_a_result_is_sent_to_a_file(sql: str, written: str) -> None:
    assert read_statement(sql).written_to("/p", "TSV", {}) == written


@pytest.mark.parametrize(
    ("sql", "end"),
    [
        ("select 1", "FORMAT TSV SETTINGS readonly = '1'"),
        ("select 1 settings a=1", "FORMAT TSV SETTINGS readonly = '1'"),
        ("select 1 settings a=1 format CSV", "format CSV SETTINGS readonly = '1'"),
        ("select 1 format CSV settings a=1", "format CSV settings a=1, readonly = '1'"),
    ],
)
def test_and_settings_are_added_at_its_end(sql: str, end: str) -> None:
    assert read_statement(sql).written_to("/p", "TSV", {"readonly": "1"}).endswith(f"TRUNCATE\n{end}")


@pytest.mark.parametrize(
    ("sql", "several"),
    [
        ("select 1", False),
        ("select 1;", False),
        ("select ';'", False),
        ("select 1; select 2", True),
        ("; select 1", True),
    ],
)
def test_more_than_one_statement_is_seen(sql: str, several: bool) -> None:  # noqa: FBT001
    assert read_statement(sql).several is several


def test_files_of_the_server_are_seen() -> None:
    assert read_statement("SELECT 1 INTO /* x */ outfile 'f'").own_files
    assert read_statement("INSERT INTO t FROM INFILE 'f'").own_files
    assert not read_statement("SELECT 'INTO OUTFILE x'").own_files


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("SET readonly = 1", True),
        ("SET a = 1, ReadOnly = 2", True),
        ("SET `readonly` = 1", True),
        ("SET a = 'readonly'", False),
    ],
)
def test_readonly_is_seen_where_it_is_named(sql: str, named: bool) -> None:  # noqa: FBT001
    assert read_statement(sql).names_readonly is named


@given(st.text())
def test_text_is_taken_for_no_more_than_it_is(text: str) -> None:
    for found in (quoted(text), named(text)):
        assert [token.text for token in tokens(found)] == [found]
        assert not read_statement(f"SELECT {found}").several


@given(st.text(alphabet="'\"`$;()/*-\\ aFORMAT\n"))
def test_tokens_are_read_of_any_text(text: str) -> None:
    found = list(tokens(text))
    assert all(text[token.start : token.end] == token.text for token in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
