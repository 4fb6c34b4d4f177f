"""How SQL text is cut into statements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.engines.spark.statements import is_complete, split


def texts(sql: str) -> list[str]:
    return [statement.text for statement in split(sql)]


def test_semicolons_separate_statements() -> None:
    assert texts("select 1; select 2;\nselect 3") == ["select 1", "select 2", "select 3"]


@pytest.mark.parametrize(
    "one",
    [
        "select 'a;b'",
        'select "a;b"',
        "select `a;b` from t",
        r"select 'it\'s; fine'",
        "select 'it''s; fine'",
        "select r'\\;'",
        "select 1 -- not; here",
        "select /* nor; here */ 1",
        "select /* nor /* in; */ an inner; one */ 1",
        "select 'open; to the end",
    ],
)
def test_a_semicolon_in_quotes_or_comments_separates_nothing(one: str) -> None:
    assert texts(one) == [one]


def test_a_raw_string_ends_at_its_quote_though_a_backslash_stands_before_it() -> None:
    assert texts(r"select r'\'; select 2") == [r"select r'\'", "select 2"]


def test_what_holds_only_comments_is_no_statement() -> None:
    assert texts("-- nothing;\n ; /* here */ ;") == []


def test_a_comment_before_a_statement_stays_with_it() -> None:
    assert texts("-- why\nselect 1;") == ["-- why\nselect 1"]


def test_a_statement_knows_the_line_it_starts_on() -> None:
    assert [statement.line for statement in split("select 1;\n\nselect 2; select 3;\n-- c\nselect 4")] == [1, 3, 3, 4]


def test_a_script_keeps_its_semicolons() -> None:
    script = "BEGIN\n  DECLARE x INT; SELECT x;\nEND;"
    assert texts(f"select 1; {script}") == ["select 1", script]


@pytest.mark.parametrize("text", ["select 1;", "select ';' ;  ", "select 1; -- done", "select 1; select 2;"])
def test_text_that_ends_with_a_semicolon_is_complete(text: str) -> None:
    assert is_complete(text)


@pytest.mark.parametrize("text", ["", "select 1", "select ';", "select 1; select", "select 1 -- ;", "select 1 /* ;"])
def test_text_that_does_not_is_not(text: str) -> None:
    assert not is_complete(text)


@given(st.text(alphabet="ab ;'\"`-/*\\\n"))
def test_any_text_can_be_cut_and_each_part_is_found_in_it(text: str) -> None:
    for statement in split(text):
        assert statement.text in text
        assert statement.text == statement.text.strip()


@given(
    st.lists(st.sampled_from(["select 1", "select ';'", "use `a;b`", "select 1 /* ; */", "select r'\\'"]), min_size=1)
)
def test_statements_joined_by_semicolons_come_apart_again(statements: list[str]) -> None:
    assert texts(";\n".join(statements)) == statements
