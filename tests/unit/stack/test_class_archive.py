"""An archive of classes is shared whole, or not at all."""

import os
from pathlib import Path

import pytest

from boathouse.stack.services.class_archive import ClassArchive


@pytest.fixture
def archive(tmp_path: Path) -> ClassArchive:
    (tmp_path / "scratch").mkdir()
    return ClassArchive(tmp_path / "cache" / "spark-1.jsa", tmp_path / "scratch" / "classes.jsa")


def test_java_writes_it_aside_and_later_starts_use_the_shared_one(archive: ClassArchive) -> None:
    assert archive.path() == archive.fresh
    archive.fresh.write_text("classes")
    archive.settle(cleanly=True)
    assert archive.path() == archive.shared
    assert archive.shared.read_text() == "classes"


def test_half_an_archive_is_not_shared_and_not_tried_again(archive: ClassArchive) -> None:
    archive.fresh.write_text("half")
    archive.settle(cleanly=False)
    assert archive.path() is None
    assert not archive.shared.exists()


@pytest.mark.parametrize("cleanly", [True, False])
def test_without_an_archive_there_is_nothing_to_settle(archive: ClassArchive, *, cleanly: bool) -> None:
    archive.settle(cleanly=cleanly)
    assert archive.path() == archive.fresh


def test_archives_long_unused_are_removed(archive: ClassArchive) -> None:
    old, recent = (archive.shared.with_name(name) for name in ("spark-old.jsa", "spark-recent.jsa"))
    archive.shared.parent.mkdir()
    for path in (old, recent, archive.fresh):
        path.write_text("classes")
    os.utime(old, (0, 0))
    archive.settle(cleanly=True)
    assert not old.exists()
    assert recent.exists()
