"""What the demo has at work beside it."""

import time
from pathlib import Path

import pytest

from boathouse.cli.meters.work import Work
from boathouse.kit.errors import WorkFailed
from tests.lakehouse_under_test import eventually


def test_what_ends_by_itself_is_told_with_its_last_words(tmp_path: Path) -> None:
    work = Work.start("pipeline", "no_such_module", log=tmp_path / "log")
    eventually(lambda: work.process.poll() is not None, within=60)
    with pytest.raises(WorkFailed, match=r"The pipeline has ended with 1(?s:.*)No module named no_such_module"):
        work.require()


def test_what_is_stopped_is_gone_and_may_be_stopped_again(tmp_path: Path) -> None:
    work = Work.start("generator", "http.server", "0", log=tmp_path / "log")
    work.require()
    began = time.monotonic()
    for _ in "12":
        work.stop()
    assert work.process.poll() is not None
    assert time.monotonic() - began < 30


def test_it_works_where_the_demo_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METERS_DSN", "postgresql://elsewhere/power")
    ask = "import os; print('DSN' in str(os.environ))"
    work = Work.start("generator", "timeit", "-n1", "-r1", ask, log=tmp_path / "log")
    assert work.process.wait(60) == 0
    assert "False" in work.log.read_text()
