"""Files that are written whole or not at all."""

import os
from pathlib import Path

import pytest

from boathouse.kit.files import private_directory, write_atomically, write_private


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_file_is_written_with_the_directories_above_it(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"
    write_atomically(path, b"content")
    assert path.read_bytes() == b"content"


def test_new_content_replaces_the_old(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old and longer")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"


def test_a_failed_write_leaves_the_old_content_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_secret_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "private" / "secret"
    write_private(path, b"hush")
    assert mode(path) == 0o600
    assert mode(path.parent) == 0o700


def test_a_secret_that_lay_open_is_closed_when_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.touch(mode=0o644)
    write_private(path, b"hush")
    assert mode(path) == 0o600


def test_a_secret_closes_no_directory_that_was_there(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o755)
    write_private(tmp_path / "open" / "secret", b"hush")
    assert mode(tmp_path / "open") == 0o755


def test_a_directory_that_lay_open_is_closed(tmp_path: Path) -> None:
    directory = tmp_path / "open"
    directory.mkdir(mode=0o755)
    assert mode(private_directory(directory)) == 0o700
