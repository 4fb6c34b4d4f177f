"""Rejected rows read from their table's files, also where there are more than are held at once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boathouse.kit.catalog_client import LoadedTable, TableName
from boathouse.kit.deadletters import desk as desk_module
from boathouse.kit.deadletters import texts as texts_module
from boathouse.kit.deadletters.book import Book, Place, Wanted
from boathouse.kit.deadletters.desk import Desk
from boathouse.kit.deadletters.ledger import Action, Entry, Fate, RejectState, fates, read_entries, reject_id
from boathouse.kit.deadletters.shelf import Latest, Shelf
from boathouse.kit.deadletters.texts import texts_in
from boathouse.kit.errors import NotFound
from boathouse.kit.manifests import LiveFile

AT = datetime(2026, 1, 1, tzinfo=UTC)
TABLE = TableName(("log",), "events")


def reject(line: int) -> str:
    return reject_id("load", "kafka://t/0", line)


class Lake:
    """A table of rejects, of which each file has some, and what was done about them."""

    def __init__(self, directory: Path, *files: Sequence[int]) -> None:
        self.files: list[LiveFile] = []
        for number, lines in enumerate(files):
            path = directory / f"{number}.parquet"
            pq.write_table(_rejected(lines, number), path, row_group_size=3)
            self.files.append(LiveFile(0, f"file://{path}", "parquet", len(lines), 0, {}))
        self.entries: list[Entry] = []
        self.metadata: dict[str, Any] = {}

    def history(self, *ways: tuple[int, int | None], operation: str = "append") -> None:
        """Its snapshots, each with the one before; the first is where it stands."""
        total = {"total-records": str(sum(file.records for file in self.files))}
        of_each = {"summary": {"operation": operation, **total}}
        snapshots = [{"snapshot-id": one, "parent-snapshot-id": parent, **of_each} for one, parent in ways]
        self.metadata = {"current-snapshot-id": ways[0][0], "snapshots": snapshots}

    def settle(self, action: Action, lines: Iterable[int]) -> None:
        self.entries += [Entry(reject(line), action, AT) for line in lines]

    def append(self, client: Any, name: TableName, table: Any, rows: Any, files: Any) -> None:
        self.entries += read_entries(rows)

    def data_files(self, metadata: Any, files: Any) -> Iterator[LiveFile]:
        yield from self.files


class ReadAnew(Desk):
    def __init__(self, *given: Any, lake: Lake) -> None:
        super().__init__(*given)
        self._lake = lake

    def _fates(self, mends: Any) -> dict[str, Fate]:
        return fates(self._lake.entries)

    def keeps(self, file: LiveFile) -> bool:
        return self._shelf.files.get(file.path) is not None


def _rejected(lines: Sequence[int], number: int) -> Any:
    """The first file is the newest."""
    rows = [
        {"load_id": "load", "file": "kafka://t/0", "line": line, "reason": "is odd", "raw": f"text {line}"}
        for line in lines
    ]
    at = pa.array([AT.replace(year=2026 - number)] * len(rows), pa.timestamp("us", "UTC"))
    return pa.Table.from_pylist(rows).append_column("rejected_at", at)


@pytest.fixture
def desk_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Lake], ReadAnew]:
    def made(lake: Lake) -> ReadAnew:
        client = MagicMock()
        client.return_value.__enter__.return_value.find_table.return_value = LoadedTable(lake.metadata, None)
        monkeypatch.setattr(desk_module, "CatalogClient", client)
        monkeypatch.setattr(desk_module, "data_files", lake.data_files)
        monkeypatch.setattr(desk_module, "append", lake.append)
        access: Any = MagicMock()
        # No book is kept, as if each reading found another version.
        return ReadAnew(TABLE, access, access, Shelf(books=Latest[Book](0)), lake=lake)

    return made


def lines_of(places: Iterable[Place]) -> list[int | None]:
    return [place.line for place in places]


OPEN = Wanted(state=RejectState.OPEN)


def test_what_is_settled_makes_room_for_older_open_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk_of: Callable[[Lake], ReadAnew]
) -> None:
    monkeypatch.setattr(desk_module, "MOST_REJECTS", 4)
    lake = Lake(tmp_path, range(8, 12), range(4, 8), range(4))
    desk = desk_of(lake)
    for newest in (range(8, 12), range(4, 8), range(4)):
        book = desk.book()
        assert lines_of(book.find(OPEN)) == list(newest)
        assert book.tells_all(OPEN) is (newest.start == 0)
        assert not book.complete
        lake.settle(Action.DISCARDED if newest.start == 4 else Action.REPLAYED, newest)
    assert desk.book().find(OPEN) == []
    # Where no open one needs the room, the newest of the others are there.
    assert lines_of(desk.book().find(Wanted())) == list(range(8, 12))


def test_where_there_is_room_for_all_they_are_all_there_whatever_became_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk_of: Callable[[Lake], ReadAnew]
) -> None:
    monkeypatch.setattr(desk_module, "MOST_REJECTS", 4)
    lake = Lake(tmp_path, [2, 3], [0, 1])
    lake.settle(Action.REPLAYED, [2, 1])
    book = desk_of(lake).book()
    assert (lines_of(book.find(Wanted())), lines_of(book.find(OPEN)), book.complete) == ([2, 3, 0, 1], [3, 0], True)


def test_one_that_is_named_is_found_however_many_are_newer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk_of: Callable[[Lake], ReadAnew]
) -> None:
    monkeypatch.setattr(desk_module, "MOST_REJECTS", 2)
    lake = Lake(tmp_path, [4, 5], [2, 3], [0, 1])
    desk = desk_of(lake)
    assert desk.find_one(reject(1)).line == 1
    assert lines_of(desk.book(ids=[reject(2), reject(0)]).find(OPEN)) == [4, 5, 2, 0]
    assert desk.decide([reject(0)], Action.DISCARDED, by="ada") == 1
    assert desk.find_one(reject(0)).fate.state is RejectState.DISCARDED
    with pytest.raises(NotFound):
        desk.find_one(reject(9))


def test_of_no_more_files_than_are_in_a_book_the_index_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk_of: Callable[[Lake], ReadAnew]
) -> None:
    monkeypatch.setattr(desk_module, "MOST_REJECTS", 2)
    lake = Lake(tmp_path, [4, 5], [2, 3], [0, 1])
    lake.settle(Action.REPLAYED, range(6))
    desk = desk_of(lake)
    desk.book()
    assert [desk.keeps(file) for file in lake.files] == [True, False, False]


ADDED = ((2, 1), (1, None))
ROLLED_BACK = ((1, None), (2, 1))


def test_where_rejects_were_only_added_the_open_ones_are_counted_without_reading_them(
    tmp_path: Path, desk_of: Callable[[Lake], ReadAnew]
) -> None:
    lake = Lake(tmp_path, range(5))
    lake.history(*ADDED)
    lake.settle(Action.DISCARDED, range(3))
    desk = desk_of(lake)
    assert desk.standing() == (5, 2)
    assert not [file for file in lake.files if desk.keeps(file)]


@pytest.mark.parametrize(("ways", "operation"), [(ROLLED_BACK, "append"), (ADDED, "overwrite"), (ADDED, "delete")])
def test_what_was_decided_about_rejects_that_are_gone_is_not_taken_from_those_that_are_there(
    tmp_path: Path, desk_of: Callable[[Lake], ReadAnew], ways: tuple[tuple[int, int | None], ...], operation: str
) -> None:
    lake = Lake(tmp_path, range(5))
    lake.history(*ways, operation=operation)
    lake.settle(Action.DISCARDED, [*range(3), *range(10, 16)])
    assert desk_of(lake).standing() == (5, 2)


def test_there_are_never_fewer_open_rejects_than_none(tmp_path: Path, desk_of: Callable[[Lake], ReadAnew]) -> None:
    lake = Lake(tmp_path, range(5))
    # Those that were taken away are expired.
    lake.history(*ADDED)
    lake.settle(Action.DISCARDED, range(9))
    assert desk_of(lake).standing() == (5, 0)


def test_texts_are_those_of_their_rows(tmp_path: Path, desk_of: Callable[[Lake], ReadAnew]) -> None:
    lake = Lake(tmp_path, range(10, 20), range(10))
    desk = desk_of(lake)
    wanted = [place for place in desk.book().find(OPEN) if place.line in {0, 4, 5, 9, 13, 19}]
    texts = desk.texts(wanted[::-1])
    assert {place.line: texts[place.id].raw for place in wanted} == {
        line: f"text {line}" for line in (0, 4, 5, 9, 13, 19)
    }


def test_no_more_texts_are_read_than_there_is_room_for_and_one_at_least(
    tmp_path: Path, desk_of: Callable[[Lake], ReadAnew]
) -> None:
    desk = desk_of(Lake(tmp_path, range(4), range(4, 8)))
    places = desk.book().find(OPEN)
    for room, count in ((0, 1), (12, 2), (29, 4), (30, 5), (1000, 8)):
        assert len(desk.texts(places, room=room)) == count


@pytest.mark.parametrize("at_once", [1, 2, 3, 100])
def test_texts_are_read_some_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(texts_module, "_AT_ONCE", at_once)
    Lake(tmp_path, range(20, 31))
    content = (tmp_path / "0.parquet").read_bytes()
    for rows in ([], [0], [10], [2, 3], [9, 1, 8], range(11)):
        assert [(row, text.raw) for row, text in texts_in(content, rows)] == [
            (row, f"text {row + 20}") for row in sorted(rows)
        ]
