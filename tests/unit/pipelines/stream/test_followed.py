"""What is known of followed tables only ever becomes more."""

from typing import Any

import pytest

from boathouse.kit.errors import Unavailable
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.judging import ChangesJudge
from boathouse.pipelines.stream.postgres import SourceTable, column_type
from boathouse.pipelines.types import ColumnType, Decimal, ListOf, Primitive

INT, LONG, STRING = Primitive("int"), Primitive("long"), Primitive("string")


def table(columns: dict[str, ColumnType]) -> SourceTable:
    return SourceTable("public.t", columns, ("id",), "d")


def test_new_columns_are_learned_wider_types_taken_and_dropped_ones_kept() -> None:
    followed = Followed({"t": table({"id": INT, "old": STRING})}, lambda: {"t": table({"id": LONG, "new": STRING})})
    assert followed.refresh()
    assert followed.now()["t"].columns == {"id": LONG, "old": STRING, "new": STRING}
    assert not followed.refresh()


def test_a_type_that_is_not_wider_is_not_taken() -> None:
    followed = Followed({"t": table({"id": LONG})}, lambda: {"t": table({"id": STRING})})
    assert not followed.refresh()
    assert followed.now()["t"].columns == {"id": LONG}


def test_a_source_that_is_away_is_waited_for_and_nothing_guessed() -> None:
    def away() -> dict[str, SourceTable]:
        raise Unavailable("not there")

    followed = Followed({"t": table({"id": INT})}, away)
    # What did not fit is not looked at: its type would be guessed, and what one hop rejects another might take.
    not_asked: Any = None
    with pytest.raises(Unavailable):
        ChangesJudge(followed).learn(not_asked, followed.now())
    assert followed.now() == {"t": table({"id": INT})}


def test_types_of_the_lake_give_way_only_to_wider_ones_after_a_start_as_while_it_runs() -> None:
    followed = Followed({"t": table({"id": LONG, "a": STRING, "b": INT})}, dict[str, SourceTable])
    lake: dict[str, ColumnType] = {"b": LONG, "gone": STRING, "a": INT, "id": INT}
    assert followed.keep("t", lake) == ["a"]
    kept = followed.now()["t"].columns
    assert kept == {"id": LONG, "a": INT, "b": LONG, "gone": STRING}
    assert list(kept) == ["id", "a", "b", "gone"]


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["01234", "99999"], "string"),
        (["-07"], "string"),
        (["0", "-5"], "long"),
        (["007.5"], "string"),
        (["0.30000000000000004", "1.20", "1.0E-7"], "double"),
        (["12345678901234567.12"], "string"),
        (["1234567890123456789"], "string"),
        (["1e400"], "string"),
        (["1e99999999999"], "string"),
    ],
)
def test_what_only_looks_like_a_number_or_would_lose_digits_stays_a_text(texts: list[str], kind: str) -> None:
    followed = Followed({"t": table({"id": INT})}, dict[str, SourceTable])
    followed.infer("t", {"v": texts})
    assert followed.now()["t"].columns["v"] == Primitive(kind)


def test_what_no_source_tells_is_judged_by_its_values() -> None:
    followed = Followed({"t": table({"id": INT})}, dict[str, SourceTable])
    samples = {"a": ["1", None], "b": ["1", "2.5"], "c": ["true"], "d": ["x", "1"], "e": [None], "id": ["x"]}
    followed.infer("t", samples)
    names = {name: kind.name for name, kind in followed.now()["t"].columns.items() if isinstance(kind, Primitive)}
    assert names == {"id": "int", "a": "long", "b": "double", "c": "boolean", "d": "string", "e": "string"}


def test_types_of_postgres() -> None:
    assert column_type("bigint") == LONG
    assert column_type("numeric(12,2)") == Decimal(12, 2)
    assert column_type("numeric") == STRING
    assert column_type("numeric(50,2)") == STRING
    assert column_type("uuid") == STRING
    assert column_type("integer[]") == ListOf(INT)
    assert column_type("timestamp with time zone") == Primitive("timestamptz")


def test_where_rows_were_read_is_remembered_whatever_else_is_learned() -> None:
    followed = Followed({"t": table({"id": INT})}, lambda: {"t": table({"id": LONG})})
    followed.read_from({"public.t": 80, "public.other": 90})
    followed.refresh()
    followed.read_from({})
    assert (followed.now()["t"].rows_from, followed.now()["t"].columns) == (80, {"id": LONG})


def test_columns_that_are_called_as_ours_are_learned_from_nobody() -> None:
    followed = Followed({"t": table({"id": INT})}, lambda: {"t": table({"id": INT, "_lsn": LONG, "new": INT})})
    assert followed.refresh()
    followed.infer("t", {"_Deleted": ["1"], "more": ["1"]})
    followed.keep("t", {"id": INT, "_sign": INT})
    assert list(followed.now()["t"].columns) == ["id", "new", "more"]


def test_of_columns_that_differ_only_in_their_case_the_first_is_learned() -> None:
    followed = Followed({"t": table({"id": INT})}, lambda: {"t": table({"id": LONG, "ID": INT, "new": INT})})
    assert followed.refresh()
    followed.infer("t", {"NEW": ["1"], "more": ["1"], "More": ["x"]})
    assert followed.now()["t"].columns == {"id": LONG, "new": INT, "more": LONG}
    # It was called so when the table was made, and has been renamed since.
    assert followed.keep("t", {"Id": INT, "new": INT}) == []
    assert list(followed.now()["t"].columns) == ["new", "more", "Id"]


def test_whoever_was_away_is_asked_until_he_answers_and_then_no_more() -> None:
    answers: list[Exception | None] = [Unavailable("away"), None]

    def ask() -> None:
        if (failed := answers.pop(0)) is not None:
            raise failed

    followed = Followed({"t": table({"id": INT})}, dict[str, SourceTable])
    followed.put_off(ask)
    with pytest.raises(Unavailable):
        followed.ask_what_was_put_off()
    for _ in range(2):
        followed.ask_what_was_put_off()
    assert answers == []
