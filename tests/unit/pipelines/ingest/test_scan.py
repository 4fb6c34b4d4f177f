"""One look through a file tells its fingerprint, its lines, and what a reader must be careful about."""

import hashlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boathouse.kit.errors import InvalidInput, NotFound
from boathouse.pipelines.ingest import scan as scan_module
from boathouse.pipelines.ingest.scan import MEBIBYTE, ScannedFile, header, refuse_unreadable_text, scan, scan_all
from boathouse.pipelines.spec import CsvOptions
from tests.unit.pipelines.ingest.files import NO_STORE, scanned, source_file

CHUNK = 16


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.csv"


def lines_of(content: bytes) -> list[bytes]:
    """As splitting at newlines gives them, where a newline ends a line and does not begin one."""
    return content.removesuffix(b"\n").split(b"\n") if content else []


@settings(max_examples=60)
@given(st.lists(st.sampled_from([b"\n", b"\r\n", b"a", b'"', "é☂".encode(), b"\xff", b"0123456789"]), max_size=30))
def test_what_is_counted_is_what_is_there(parts: list[bytes]) -> None:
    content = b"".join(parts)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan_module, "MEBIBYTE", CHUNK)
        patch.setattr(scan_module, "BLOCK", 2 * CHUNK)
        found = scanned(Path(folder) / "a", content)
    assert found.sha256 == hashlib.sha256(content).hexdigest()
    assert found.lines == len(lines_of(content))
    assert found.newlines == tuple(content[:at].count(b"\n") for at in [*range(0, len(content), CHUNK), len(content)])
    assert found.has_carriage_return == (b"\r" in content)
    assert found.has_quote == (b'"' in content)
    assert found.ends_with_newline == content.endswith(b"\n")
    assert found.is_utf8 == (b"\xff" not in content)


def test_newlines_are_counted_at_every_mebibyte(file: Path) -> None:
    line = b"x" * 1023 + b"\n"
    found = scanned(file, line * 2048 + b"last")
    assert found.newlines == (0, 1024, 2048, 2048)
    assert found.lines == 2049


def test_a_character_cut_by_the_border_of_a_piece_is_still_utf8(file: Path) -> None:
    assert scanned(file, b"x" * (MEBIBYTE - 1) + "é".encode()).is_utf8
    assert not scanned(file, b"x" * (MEBIBYTE - 1) + b"\xc3").is_utf8


@pytest.mark.parametrize(
    ("content", "lines"),
    [(b"", 0), (b"\n", 1), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"a\n\n", 2), (b"a\r\nb\r\n", 2)],
)
def test_a_last_line_counts_with_or_without_its_newline(file: Path, content: bytes, lines: int) -> None:
    assert scanned(file, content).lines == lines


def test_the_quote_that_is_sought_is_the_specs(file: Path) -> None:
    assert not scanned(file, b'"a"', quote="'").has_quote
    assert scanned(file, b"'a'", quote="'").has_quote


def test_a_byte_order_mark_is_seen(file: Path) -> None:
    assert scanned(file, b"\xef\xbb\xbfid\n1\n").has_mark
    assert not scanned(file, b"id\n\xef\xbb\xbf1\n").has_mark


@pytest.mark.parametrize(
    ("content", "whole"),
    [
        (b"PAR1 data PAR1", True),
        (b"PAR1 cut off", False),
        (b"data PAR1", False),
        (b"PAR1" + b"x" * (MEBIBYTE - 6) + b"PAR1", True),
        (b"", False),
    ],
)
def test_a_parquet_file_is_known_by_both_its_ends(file: Path, content: bytes, whole: bool) -> None:  # noqa: FBT001
    assert scanned(file, content).is_parquet is whole


def test_files_are_scanned_in_their_order(tmp_path: Path) -> None:
    files = [source_file(tmp_path / f"{n}.csv", b"x\n" * n) for n in range(9)]
    assert [found.lines for found in scan_all(files, NO_STORE)] == list(range(9))


def test_a_file_that_has_gone_is_said_to_have(file: Path) -> None:
    gone = source_file(file, b"x")
    file.unlink()
    with pytest.raises(NotFound, match=f"no object at file://{file}"):
        scan(gone, NO_STORE)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
def test_utf16_is_refused_where_its_mark_gives_it_away(file: Path, encoding: str) -> None:
    mark = "" if encoding == "utf-16" else "\ufeff"
    with pytest.raises(InvalidInput, match="is UTF-16") as caught:
        refuse_unreadable_text(scanned(file, f"{mark}id\n1\n".encode(encoding)))
    assert "iconv" in str(caught.value.hint)


def test_lines_that_end_in_a_carriage_return_alone_are_refused(file: Path) -> None:
    with pytest.raises(InvalidInput, match="carriage return alone"):
        refuse_unreadable_text(scanned(file, b"id\r1\r2\r"))


@pytest.mark.parametrize("content", [b"", b"id\r\n1\r\n", b"id\n1", b"\xff\n", b"id"])
def test_other_text_is_not(file: Path, content: bytes) -> None:
    refuse_unreadable_text(scanned(file, content))


def names(found: ScannedFile, *, encoding: str = "utf-8", **options: str) -> list[str]:
    return header(found, CsvOptions.model_validate(options), encoding)


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        (b"id,name\n1,a\n", {}, ["id", "name"]),
        (b"id,name\r\n", {}, ["id", "name"]),
        (b"\xef\xbb\xbfid,name\n", {}, ["id", "name"]),
        (b'id,"last, first","say ""hi"""\n', {}, ["id", "last, first", 'say "hi"']),
        (b" id , name \n", {}, ["id", "name"]),
        (b"id;'a;b'\n", {"delimiter": ";", "quote": "'"}, ["id", "a;b"]),
        (b'id,"say \\"hi\\""\n', {"escape": "\\"}, ["id", 'say "hi"']),
        (b"only", {}, ["only"]),
        (b"a,,b\n", {}, ["a", "", "b"]),
        (b"\nid,name\n", {}, []),
        (b"", {}, []),
    ],
)
def test_a_header_is_read_as_csv(file: Path, content: bytes, options: dict[str, str], expected: list[str]) -> None:
    assert names(scanned(file, content), **options) == expected


def test_a_header_is_decoded_as_the_spec_says(file: Path) -> None:
    found = scanned(file, "größe\n".encode("iso-8859-1"))
    assert names(found, encoding="iso-8859-1") == ["größe"]
    with pytest.raises(InvalidInput, match=r"is not utf-8: .* at byte 2"):
        names(found)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"x" * MEBIBYTE, "over 1 MiB long"),
        (b"x" * 200_000 + b"\n", "is not a header: field larger than field limit"),
        (b"a\rb\n1,2\n", "is not a header: new-line character"),
    ],
)
def test_a_first_line_that_cannot_be_a_header_is_refused(file: Path, content: bytes, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        names(scanned(file, content))
