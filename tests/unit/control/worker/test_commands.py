"""Programs that an attempt starts, and what is told of one that failed."""

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from boathouse.control.worker.runner.commands import run_command
from boathouse.kit.errors import Cancelled, WorkFailed


def _told(tmp_path: Path, program: str) -> str:
    with pytest.raises(WorkFailed) as failed:
        run_command([sys.executable, "-c", program], os.environ, str(tmp_path), lambda stream, line: None)
    return str(failed.value)


def test_what_went_wrong_is_told_and_not_the_hint_that_stands_after_it(tmp_path: Path) -> None:
    program = "import sys; sys.exit('Error: The key sorce is not known.\\nHint: `boathouse pipeline keys` lists them.')"
    assert _told(tmp_path, program).endswith("exit code 1: Error: The key sorce is not known.")


def test_a_program_that_only_prints_is_told_by_its_last_words(tmp_path: Path) -> None:
    assert _told(tmp_path, "print('half way'); print(); raise SystemExit(4)").endswith("exit code 4: half way")


def test_one_that_says_nothing_is_told_by_its_code(tmp_path: Path) -> None:
    assert _told(tmp_path, "raise SystemExit(4)") == "The program ended with exit code 4."


SLOW = """
import signal, sys, time
def stop(*_):
    time.sleep(float(sys.argv[1])); print('the last batch is written', flush=True); raise SystemExit(0)
signal.signal(signal.SIGTERM, stop)
print('at work', flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize(("seconds", "grace", "last"), [(0.5, 20.0, "the last batch is written"), (30, 0.5, "at work")])
def test_one_that_is_asked_to_stop_has_its_grace_and_is_heard_to_its_end(
    tmp_path: Path, seconds: float, grace: float, last: str
) -> None:
    lines: list[str] = []

    def heard(_stream: str, line: str) -> None:
        lines.append(line)
        if line == "at work":
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()

    def stop(*_: object) -> None:
        raise Cancelled("Somebody stopped it.")

    before = signal.signal(signal.SIGUSR1, stop)
    try:
        with pytest.raises(Cancelled):
            run_command([sys.executable, "-c", SLOW, str(seconds)], {}, str(tmp_path), heard, grace=grace)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert lines[-1] == last
