"""Logs stay small, and their end can be read and followed."""

import os
from pathlib import Path

import pytest

from boathouse.kit.settings import LogSettings
from boathouse.stack.logs import LogFile, follow, last_lines, size_of

MEGABYTE = 1_000_000


@pytest.fixture
def log(tmp_path: Path) -> LogFile:
    return LogFile(tmp_path / "logs" / "spark.log", LogSettings(rotate_mb=1, keep=2))


def test_a_log_is_its_owners_alone(log: LogFile) -> None:
    os.close(log.open())
    assert log.path.stat().st_mode & 0o077 == 0


def test_a_large_log_is_put_aside_while_its_writer_goes_on(log: LogFile) -> None:
    writer = log.open()
    for round_number in range(4):
        os.write(writer, f"{round_number}".encode() * MEGABYTE)
        log.rotate_if_large()
        os.write(writer, f"after {round_number}\n".encode())
    os.close(writer)
    assert log.path.read_text() == "after 3\n"
    kept = sorted(path.name for path in log.path.parent.iterdir())
    assert kept == ["spark.log", "spark.log.1", "spark.log.2"]
    assert log.path.with_name("spark.log.1").read_text().endswith("3")
    assert log.path.with_name("spark.log.2").read_text().endswith("2")


def test_a_small_log_is_left_alone(log: LogFile) -> None:
    log.rotate_if_large()
    os.close(log.open())
    log.path.write_text("a line\n")
    log.rotate_if_large()
    assert log.path.read_text() == "a line\n"


def test_no_old_logs_are_kept_if_none_are_wanted(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "spark.log", LogSettings(rotate_mb=1, keep=0))
    log.path.write_bytes(b"x" * MEGABYTE)
    log.rotate_if_large()
    assert [path.name for path in tmp_path.iterdir()] == ["spark.log"]
    assert log.path.read_bytes() == b""


@pytest.mark.parametrize("count", [0, 1, 3, 5000, 100_000])
def test_the_last_lines_are_the_last_lines(tmp_path: Path, count: int) -> None:
    lines = [f"line {number}: {'ö' * (number % 50)}" for number in range(20_000)]
    path = tmp_path / "log"
    path.write_text("\n".join(lines) + "\n")
    assert last_lines(path, count) == lines[len(lines) - min(count, len(lines)) :]


def test_a_log_that_is_not_there_has_no_lines(tmp_path: Path) -> None:
    assert last_lines(tmp_path / "none", 10) == []


def test_following_shows_what_comes_also_after_a_rotation(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("old\nnew\n")
    following = follow(path, position=4)
    assert next(following) == "new\n"
    path.write_text("anew\n")
    assert next(following) == "anew\n"


def test_lines_and_following_meet_without_a_gap(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("one\ntwo\n")
    end = size_of(path)
    with path.open("a") as log:
        log.write("three\n")
    assert last_lines(path, 1, end=end) == ["two"]
    assert next(follow(path, end)) == "three\n"
