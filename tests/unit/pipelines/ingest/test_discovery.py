"""A spec's paths stand for files: each found once, or said why not."""

import os
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from boathouse.kit.errors import Forbidden, InvalidInput, NotFound
from boathouse.pipelines.ingest.discovery import SourceFile, _matches, current_version, discover, refuse_compressed
from boathouse.pipelines.spec import Format
from tests.unit.pipelines.ingest.files import NO_STORE

NOBODY = 65534


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.csv", "b.csv", "c.txt", "_d.csv", ".e.csv", "sub/f.csv", "sub/deep/g.csv"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


def found(folder: Path, *patterns: str) -> list[str]:
    return [os.path.relpath(file.path, folder) for file in discover(list(patterns), folder, NO_STORE)]


@contextmanager
def as_nobody() -> Generator[None]:
    """Without the rights of root, who may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("a.csv", ["a.csv"]),
        ("./sub/../a.csv", ["a.csv"]),
        ("*.csv", ["a.csv", "b.csv"]),
        ("[ab].*", ["a.csv", "b.csv"]),
        ("?.txt", ["c.txt"]),
        ("*/*.csv", ["sub/f.csv"]),
        ("**/*.csv", ["a.csv", "b.csv", "sub/deep/g.csv", "sub/f.csv"]),
        ("*", ["a.csv", "b.csv", "c.txt"]),
        (".", ["a.csv", "b.csv", "c.txt"]),
        ("sub", ["sub/f.csv"]),
        ("sub/", ["sub/f.csv"]),
    ],
)
def test_a_pattern_stands_for_the_files_that_are_not_hidden(folder: Path, pattern: str, names: list[str]) -> None:
    assert found(folder, pattern) == names
    assert found(folder, f"{folder}/{pattern}") == names
    assert found(folder, f"file://{folder}/{pattern}") == names


def test_a_file_named_twice_is_found_once_and_all_are_in_order(folder: Path) -> None:
    assert found(folder, "b.csv", "*.csv", "sub/../a.csv") == ["a.csv", "b.csv"]


def test_a_file_is_known_by_its_url_size_and_version(folder: Path) -> None:
    (file,) = discover(["a.csv"], folder, NO_STORE)
    assert (file.url, file.size, file.is_local) == (f"file://{folder}/a.csv", 5, True)
    assert current_version(file, NO_STORE) == file.version
    file.path.write_text("changed")
    assert current_version(file, NO_STORE) != file.version
    file.path.unlink()
    assert current_version(file, NO_STORE) is None


def test_a_home_is_meant_only_where_there_is_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    (folder / "~draft.csv").write_text("x")
    assert found(folder, "~/a.csv", "~draft.csv") == ["a.csv", "~draft.csv"]


def test_brackets_in_a_name_are_not_a_pattern_where_the_file_exists(folder: Path) -> None:
    (folder / "x[1].csv").write_text("x")
    assert found(folder, "x[1].csv") == ["x[1].csv"]


def test_brackets_in_the_folder_of_the_spec_are_no_part_of_the_pattern(tmp_path: Path) -> None:
    odd = tmp_path / "data [old] {x}"
    odd.mkdir()
    (odd / "a.csv").write_text("x")
    assert found(odd, "*.csv") == ["a.csv"]


def test_a_link_is_shown_under_its_own_name(folder: Path) -> None:
    (folder / "latest.csv").symlink_to("a.csv")
    assert found(folder, "latest.csv") == ["latest.csv"]


@pytest.mark.parametrize("pattern", ["nowhere.csv", "nowhere/*.csv", "*.json", "a.csv/b", "s[x]ub/*.csv"])
def test_what_is_not_there_is_said_to_be_so(folder: Path, pattern: str) -> None:
    with pytest.raises(NotFound):
        discover([pattern], folder, NO_STORE)


def test_a_folder_of_no_files_is_said_to_hold_none(folder: Path) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(NotFound, match=f"No file matches 'empty' in {folder}"):
        discover(["empty"], folder, NO_STORE)


@pytest.mark.parametrize("name", ["_d.csv", ".e.csv"])
def test_a_hidden_file_is_refused_by_name(folder: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=f"begins with '{name[0]}', and Spark passes over such files"):
        discover([name], folder, NO_STORE)


def test_a_hidden_object_is_refused_before_anybody_is_asked(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="begins with '_'"):
        discover(["s3://lake/in/_d.csv"], folder, NO_STORE)


@pytest.mark.timeout(10)
def test_a_pipe_is_refused_and_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.csv")
    with pytest.raises(InvalidInput, match="not a regular file"):
        discover(["*.csv"], folder, NO_STORE)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        (b"10:30.csv", "has a ':' in its name"),
        (b"caf\xe9.csv", "cannot be read: .*surrogates"),
    ],
)
def test_a_name_that_spark_cannot_open_is_refused(folder: Path, name: bytes, complaint: str) -> None:
    (folder / os.fsdecode(name)).write_text("x")
    with pytest.raises(InvalidInput, match=complaint):
        discover(["*.csv"], folder, NO_STORE)


@pytest.mark.parametrize("name", ["x" * 300, "a\0b.csv", "loop.csv"])
def test_a_name_the_system_does_not_take_is_refused(folder: Path, name: str) -> None:
    (folder / "loop.csv").symlink_to("loop.csv")
    with pytest.raises(InvalidInput, match="cannot be read"):
        discover([name], folder, NO_STORE)


@pytest.fixture
def closed_folder() -> Iterator[Path]:
    """A folder of its own that anybody may enter: pytest's are root's alone, and are not ours to open."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "sub").mkdir()
        for file in (folder / "a.csv", folder / "sub" / "f.csv"):
            file.write_text("x")
        (folder / "a.csv").chmod(0)
        (folder / "sub").chmod(0)
        yield folder
        (folder / "sub").chmod(0o755)


@pytest.mark.parametrize("pattern", ["a.csv", "*.csv", "sub", "sub/*.csv", "sub/f.csv"])
def test_what_may_not_be_read_is_said_to_be_so(closed_folder: Path, pattern: str) -> None:
    with as_nobody(), pytest.raises(Forbidden, match="may not be read by this user"):
        discover([pattern], closed_folder, NO_STORE)


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("in/*.csv", ["in/a.csv", "in/.csv"], ["in/x/a.csv", "in/a.csvx", "xin/a.csv", "in/a_csv"]),
        ("in/?.csv", ["in/a.csv"], ["in/ab.csv", "in//.csv", "in/.csv"]),
        ("in?a.csv", ["in-a.csv"], ["in/a.csv"]),
        ("in[!x]a.csv", ["in-a.csv"], ["in/a.csv", "inxa.csv"]),
        ("in/[.*].csv", ["in/*.csv", "in/..csv"], ["in/a.csv"]),
        ("in/a*b*c.csv", ["in/a1b2c.csv", "in/abc.csv"], ["in/a/bc.csv", "in/acb.csv"]),
        ("in/**/*.csv", ["in/a.csv", "in/x/a.csv", "in/x/y/a.csv"], ["a.csv", "in/a.txt", "other/in/a.csv"]),
        ("in/**", ["in/a", "in/x/y"], ["inn/a"]),
        ("**/a.csv", ["a.csv", "x/y/a.csv"], ["xa.csv"]),
        ("in/(a+b).*", ["in/(a+b).csv"], ["in/aab.csv"]),
        ("*/2026-0[1-3]/*.json", ["eu/2026-02/x.json"], ["eu/2026-04/x.json", "2026-02/x.json"]),
    ],
)
def test_a_pattern_in_s3_means_what_it_means_on_disk(pattern: str, matching: list[str], others: list[str]) -> None:
    assert [path for path in (*matching, *others) if _matches(path, pattern, is_pattern=True)] == matching


@pytest.mark.parametrize(
    ("key", "matching", "others"),
    [
        ("in/a.csv", ["in/a.csv"], ["in/a.csv2", "in/b.csv"]),
        ("in", ["in/a.csv", "in/x/b.csv"], ["inn/a.csv"]),
        ("in/", ["in/a.csv"], ["inn/a.csv"]),
        ("", ["a.csv", "in/a.csv"], []),
    ],
)
def test_a_key_in_s3_is_an_object_or_everything_below_it(key: str, matching: list[str], others: list[str]) -> None:
    assert [path for path in (*matching, *others) if _matches(path, key, is_pattern=False)] == matching


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("file:///in/a.csv", "file:///in/a.csv"),
        ("s3://lake/a.csv", "s3a://lake/a.csv"),
        ("file:///in/a[1]{x}*?.csv", r"file:///in/a\[1\]\{x\}\*\?.csv"),
        (r"s3://lake/a\b", r"s3a://lake/a\\b"),
    ],
)
def test_spark_is_given_a_name_it_takes_for_no_pattern(url: str, name: str) -> None:
    assert SourceFile(url, 0, "", datetime.now(UTC)).for_spark == name


@pytest.mark.parametrize("kind", [Format.CSV, Format.JSON, Format.TEXT])
@pytest.mark.parametrize("name", ["a.csv.gz", "a.json.GZ", "a.bz2", "a.zip", "a.txt.zst"])
def test_a_compressed_file_of_lines_is_refused(folder: Path, kind: Format, name: str) -> None:
    (folder / name).write_bytes(b"")
    with pytest.raises(InvalidInput, match=f"{name} is compressed, and compressed {kind} files are not read"):
        refuse_compressed(discover([name], folder, NO_STORE), kind)


@pytest.mark.parametrize("kind", [Format.PARQUET, Format.BINARY])
def test_what_is_not_read_by_lines_may_be_compressed(folder: Path, kind: Format) -> None:
    (folder / "a.gz").write_bytes(b"")
    refuse_compressed(discover(["a.gz"], folder, NO_STORE), kind)
