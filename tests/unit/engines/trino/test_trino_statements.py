"""SQL as Trino reads it: cut into statements, and with parameters bound."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.engines.trino.literals import literal
from boathouse.engines.trino.statements import bound, split
from boathouse.kit.errors import InvalidInput


def texts(sql: str) -> list[str]:
    return [statement.text for statement in split(sql)]


@pytest.mark.parametrize(
    ("sql", "statements"),
    [
        ("SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]),
        ("SELECT 'a;b'; SELECT \"c;d\"", ["SELECT 'a;b'", 'SELECT "c;d"']),
        ("SELECT 'it''s;'; SELECT 2", ["SELECT 'it''s;'", "SELECT 2"]),
        # A backslash is only that.
        (r"SELECT '\'; SELECT 2", [r"SELECT '\'", "SELECT 2"]),
        ("-- ;\nSELECT 1 /* ; */; /* ;", ["-- ;\nSELECT 1 /* ; */"]),
        # Comments do not hold others.
        ("/* /* */ SELECT 1; SELECT 2 */", ["/* /* */ SELECT 1", "SELECT 2 */"]),
        (" ; ;; ", []),
        ("SELECT begin, CASE WHEN a THEN 1 END; SELECT 2", ["SELECT begin, CASE WHEN a THEN 1 END", "SELECT 2"]),
        (
            "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN IF a THEN RETURN CASE WHEN b THEN 1 END; END IF; END; SELECT f()",
            [
                "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN IF a THEN RETURN CASE WHEN b THEN 1 END; END IF; END",
                "SELECT f()",
            ],
        ),
        (
            "WITH FUNCTION f() RETURNS int BEGIN CASE WHEN a THEN SET x = 1; END CASE; RETURN x; END SELECT f(); SELECT 2",
            [
                "WITH FUNCTION f() RETURNS int BEGIN CASE WHEN a THEN SET x = 1; END CASE; RETURN x; END SELECT f()",
                "SELECT 2",
            ],
        ),
    ],
)
def test_statements_end_where_trino_sees_their_end(sql: str, statements: list[str]) -> None:
    assert texts(sql) == statements


def test_a_statement_knows_its_line() -> None:
    assert [statement.line for statement in split("SELECT 1;\n\n-- two\nSELECT 2;\nSELECT 3")] == [1, 3, 5]


@given(st.text())
def test_any_text_is_cut_and_nothing_of_it_is_lost(text: str) -> None:
    for statement in split(text):
        assert statement.text in text


def test_each_place_of_a_parameter_has_its_value_and_keeps_its_width() -> None:
    sent = bound("SELECT :a, ':a', \":a\", :b, :a -- :a", {"a": 1, "b": "it's"})
    marked = "SELECT ? , '':a'', \":a\", ? , ?  -- :a"
    assert sent.sql == f"EXECUTE IMMEDIATE '{marked}' USING BIGINT '1', 'it''s', BIGINT '1'"
    assert sent.sql[sent.shift :].startswith("SELECT")


def test_what_has_no_value_stays_as_it_is() -> None:
    assert bound("SELECT :other, JSON_OBJECT('k':v)", {"a": 1}).sql == "SELECT :other, JSON_OBJECT('k':v)"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("it's", "'it''s'"),
        (True, "true"),
        (-(2**63), "BIGINT '-9223372036854775808'"),
        (1e-07, "DOUBLE '1e-07'"),
        (date(2026, 1, 31), "DATE '2026-01-31'"),
        (datetime(2026, 1, 31, 3, 4, 5, 6), "TIMESTAMP '2026-01-31 03:04:05.000006'"),  # noqa: DTZ001
        (datetime(2026, 1, 31, 3, tzinfo=UTC), "TIMESTAMP '2026-01-31 03:00:00.000000 UTC'"),
        (
            datetime(2026, 1, 31, 1, tzinfo=timezone(timedelta(hours=2))),
            "TIMESTAMP '2026-01-30 23:00:00.000000 UTC'",
        ),
    ],
)
def test_a_value_is_a_literal_of_its_type(value: object, written: str) -> None:
    assert literal(value) == written


def test_what_is_no_value_is_refused() -> None:
    with pytest.raises(InvalidInput, match="A Decimal cannot be given"):
        literal(Decimal(1))


@given(st.text())
def test_a_text_is_one_literal_whatever_is_in_it(text: str) -> None:
    written = literal(text)
    assert texts(f"SELECT {written}; SELECT 2")[-1] == "SELECT 2"
    assert written[1:-1].replace("''", "'") == text
