"""Text is cut into records and pieces without losing a byte or a line number."""

from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boathouse.pipelines.ingest import lines as lines_module
from boathouse.pipelines.ingest.batch import FILE, RAW, START
from boathouse.pipelines.ingest.lines import (
    LARGEST_PIECE,
    SMALLEST_PIECE,
    _records,
    piece_size,
)
from boathouse.pipelines.ingest.scan import MEBIBYTE
from tests.unit.pipelines.ingest.files import scanned

CONTENT = st.lists(st.sampled_from([b"\n", b'"', b"a", b",", "é".encode()]), max_size=40).map(b"".join)


def records(content: bytes, escape: bytes = b'"') -> list[tuple[bytes, int]]:
    """Each record with the line it begins in, counted from nought."""
    rows: list[tuple[bytes, int]] = []
    for batch in _records("a.csv", content, b'"', escape):
        assert set(batch[FILE].to_pylist()) == {"a.csv"}
        rows += zip(batch[RAW].to_pylist(), batch[START].to_pylist(), strict=True)
    return rows


@settings(max_examples=80)
@given(CONTENT)
def test_the_records_joined_are_the_file(content: bytes) -> None:
    joined = b"\n".join(record for record, _ in records(content))
    assert content in (joined, joined + b"\n")


@settings(max_examples=80)
@given(CONTENT)
def test_a_record_ends_only_where_its_quotes_are_closed(content: bytes) -> None:
    found = [record for record, _ in records(content)]
    assert all(record.count(b'"') % 2 == 0 for record in found[:-1])
    for record in found:
        quoted = accumulate(record, lambda open_, byte: open_ ^ (byte == ord('"')), initial=0)
        assert all(is_open for byte, is_open in zip(record, quoted, strict=False) if byte == ord("\n"))


@settings(max_examples=80)
@given(CONTENT)
def test_a_record_knows_the_line_it_begins_in(content: bytes) -> None:
    at = 0
    for record, line in records(content):
        assert line == content[:at].count(b"\n")
        at += len(record) + 1


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"\n", [(b"", 0)]),
        (b"a", [(b"a", 0)]),
        (b'a\n"b\nc"\nd', [(b"a", 0), (b'"b\nc"', 1), (b"d", 3)]),
        (b'"say ""hi""\nthere"\nx\n', [(b'"say ""hi""\nthere"', 0), (b"x", 2)]),
        (b'a\n"never closed\nb\n', [(b"a", 0), (b'"never closed\nb\n', 1)]),
    ],
)
def test_newlines_inside_quotes_do_not_cut(content: bytes, expected: list[tuple[bytes, int]]) -> None:
    assert records(content) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'"5\\" pipe\nx"\ny', [b'"5\\" pipe\nx"', b"y"]),
        (b'"back\\\\"\ny', [b'"back\\\\"', b"y"]),
        (b'"\\\\\\"\nx"\ny', [b'"\\\\\\"\nx"', b"y"]),
        (b'\\"a"\nb', [b'\\"a"\nb']),
        (b"\\\\\ny", [b"\\\\", b"y"]),
    ],
)
def test_an_escaped_quote_neither_opens_nor_closes(content: bytes, expected: list[bytes]) -> None:
    assert [record for record, _ in records(content, b"\\")] == expected


def quotes_left(record: bytes) -> int:
    """How many quotes are not escaped, read one byte after the other."""
    count, escaped = 0, False
    for byte in record:
        count += byte == ord('"') and not escaped
        escaped = byte == ord("\\") and not escaped
    return count


@settings(max_examples=80)
@given(st.lists(st.sampled_from([b"\n", b'"', b"\\", b"a"]), max_size=40).map(b"".join))
def test_records_with_escapes_end_where_one_byte_after_the_other_says(content: bytes) -> None:
    found = [record for record, _ in records(content, b"\\")]
    assert content in (b"\n".join(found), b"\n".join(found) + b"\n")
    assert all(quotes_left(record) % 2 == 0 for record in found[:-1])
    for record in found:
        pieces = record.split(b"\n")
        assert all(quotes_left(b"\n".join(pieces[:stop])) % 2 == 1 for stop in range(1, len(pieces)))


def test_many_records_come_in_several_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "RECORD_BATCH_ROWS", 3)
    assert [batch.num_rows for batch in _records("a.csv", b"x\n" * 7, b'"', b'"')] == [3, 3, 1]
    assert records(b"x\n" * 7) == [(b"x", line) for line in range(7)]


def test_the_marks_of_other_systems_are_no_part_of_a_record() -> None:
    assert records(b'\xef\xbb\xbfa,"b\r\nc"\r\nd\r\n') == [(b'a,"b\r\nc"', 0), (b"d", 2)]


def files_of(*sizes: int) -> list[Any]:
    return [SimpleNamespace(file=SimpleNamespace(size=size)) for size in sizes]


def session_of(cores: int | None) -> Any:
    conf = {} if cores is None else {"spark.boathouse.cores": str(cores)}
    return SimpleNamespace(conf=conf)


@pytest.mark.parametrize(
    ("mebibytes", "cores", "piece"),
    [
        ([], 2, 4),
        ([0], 2, 4),
        ([1], 2, 4),
        ([100], 2, 50),
        ([101], 2, 51),
        ([100], None, 50),
        ([100], 8, 13),
        ([10, 10, 10, 10], 2, 10),
        ([256], 2, 128),
        ([257], 2, 65),
        ([10_000], 4, 125),
    ],
)
def test_a_piece_is_whole_mebibytes_and_all_cores_end_together(
    mebibytes: list[int], cores: int | None, piece: int
) -> None:
    files = files_of(*(size * MEBIBYTE for size in mebibytes))
    assert piece_size(files, session_of(cores)) == piece * MEBIBYTE


@settings(max_examples=50)
@given(st.lists(st.integers(0, 10_000 * MEBIBYTE), max_size=4), st.integers(1, 64))
def test_a_piece_is_never_too_small_nor_too_large(sizes: list[int], cores: int) -> None:
    size = piece_size(files_of(*sizes), session_of(cores))
    assert SMALLEST_PIECE <= size <= LARGEST_PIECE
    assert size % MEBIBYTE == 0


def test_the_lines_before_a_piece_include_the_one_it_begins_in(tmp_path: Path) -> None:
    line = b"x" * 1000 + b"\n"
    content = line * 3_000
    found = scanned(tmp_path / "a.csv", content)
    assert found.lines_before(0) == 0
    for start in (MEBIBYTE, 2 * MEBIBYTE):
        first_of_piece = content.index(b"\n", start) + 1
        assert found.lines_before(start) == content[:first_of_piece].count(b"\n")
