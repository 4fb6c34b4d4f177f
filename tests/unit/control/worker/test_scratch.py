"""What killed attempts leave behind is swept, and nothing else."""

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from boathouse.control.worker.scratch import scratch_directory, sweep

PROGRAM = """
import signal
from boathouse.control.worker.scratch import scratch_directory
with scratch_directory() as scratch:
    print(scratch, flush=True)
    signal.pause()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_it_is_swept_once_its_process_is_gone_and_not_before(temporary: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    left = Path(process.stdout.readline().strip())
    (left / "result.parquet").write_text("half of it")
    assert sweep() == 0
    assert left.is_dir()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert sweep() == 1
    assert not left.exists()


def test_one_that_ends_by_itself_leaves_nothing(temporary: Path) -> None:
    with scratch_directory() as scratch:
        assert sweep() == 0
    assert not Path(scratch).exists()


def test_what_is_not_surely_dead_or_not_ours_stays(temporary: Path) -> None:
    (temporary / "boathouse-attempt-without-lock").mkdir()
    (temporary / "somebody-elses").mkdir()
    (temporary / "somebody-elses" / ".alive").touch()
    (temporary / "boathouse-attempt-link").symlink_to(temporary / "somebody-elses")
    (temporary / "boathouse-attempt-file").touch()
    assert sweep() == 0
    assert (temporary / "somebody-elses" / ".alive").exists()
