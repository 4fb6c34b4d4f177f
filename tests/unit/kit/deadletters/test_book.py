"""Rejected rows searched, counted and told by pages."""

from datetime import UTC, datetime, timedelta

import pyarrow as pa

from boathouse.kit.deadletters.book import INDEX, Book, Place, Wanted
from boathouse.kit.deadletters.ledger import Fate, RejectState

START = datetime(2026, 1, 1, tzinfo=UTC)


def row(name: str, load: int, line: int, reason: str, file: str = "file:///a.csv") -> dict[str, object]:
    at = START + timedelta(days=load)
    return {
        "id": name,
        "load_id": f"load-{load}",
        "file": file,
        "line": line,
        "reason": reason,
        "rejected_at": at,
        "data_file": "x",
        "row": 0,
    }


ROWS = [
    row("a", 1, 7, "quantity is not int: abc"),
    row("b", 1, 3, "quantity is not int: 1.5; price is not decimal(10,2): x"),
    row("c", 2, 9, "breaks: quantity > 0", "file:///b.csv"),
    row("d", 2, 2, "breaks: quantity > 0", "file:///b.csv"),
]
FATES = {
    "a": Fate(reason="quantity is not int: abd"),
    "b": Fate(RejectState.DISCARDED, note="old"),
    "d": Fate(RejectState.REPLAYED),
}


def book(fates: dict[str, Fate] | None = None) -> Book:
    table = pa.Table.from_pylist(ROWS, schema=INDEX)
    return Book(table, FATES if fates is None else fates)


def ids(found: list[Place]) -> str:
    return "".join(place.id for place in found)


def test_the_newest_load_comes_first_and_then_they_stand_as_in_their_files() -> None:
    assert ids(book().find(Wanted())) == "dcba"


def test_pages_go_on_after_the_last_row_also_if_its_state_has_changed() -> None:
    assert ids(book().find(Wanted(), limit=2)) == "dc"
    assert ids(book().find(Wanted(state=RejectState.OPEN), after="d", limit=2)) == "ca"


def test_rows_are_found_by_state_load_file_and_id() -> None:
    assert ids(book().find(Wanted(state=RejectState.DISCARDED))) == "b"
    assert ids(book().find(Wanted(load_id="load-1"))) == "ba"
    assert ids(book().find(Wanted(file="file:///b.csv"))) == "dc"
    assert ids(book().find(Wanted(ids=frozenset({"a", "d"})))) == "da"


def test_reasons_of_one_sort_are_counted_together_whatever_the_value() -> None:
    assert book({}).counts("sort", Wanted()) == [
        ("breaks: quantity > 0", 2),
        ("quantity is not int", 1),
        ("quantity is not int; price is not decimal(10,2)", 1),
    ]
    assert book().counts("state", Wanted()) == [("open", 2), ("discarded", 1), ("replayed", 1)]


def test_a_row_that_failed_again_has_its_new_reason() -> None:
    (found,) = book().find(Wanted(reason="quantity is not int"))
    assert (found.id, found.reason) == ("a", "quantity is not int: abd")


def test_an_empty_book_has_nothing() -> None:
    empty = Book(INDEX.empty_table(), {})
    assert (empty.find(Wanted()), empty.counts("sort", Wanted()), empty.count(Wanted())) == ([], [], 0)
