"""Programs that an attempt starts, and what is told of one that failed."""

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from boathouse.control.connections.hiding import Hidden
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


def _heard(tmp_path: Path, program: str, hidden: Hidden | None = None) -> list[str]:
    lines: list[str] = []
    command = [sys.executable, "-c", program]
    run_command(command, {}, str(tmp_path), lambda _, line: lines.append(line), hidden=hidden)
    return lines


def test_a_bar_that_moves_is_seen_while_it_does(tmp_path: Path) -> None:
    moving = "import sys, pathlib\nsys.stdout.write('10 %\\r20 %\\r'); sys.stdout.flush()\n"
    # It goes on once the first of it was heard.
    waiting = f"import time\nwhile not pathlib.Path({str(tmp_path / 'heard')!r}).exists(): time.sleep(0.02)\n"
    lines: list[str] = []

    def hear(_stream: str, line: str) -> None:
        lines.append(line)
        (tmp_path / "heard").touch()

    run_command([sys.executable, "-c", moving + waiting + "print('done\\r\\nend')"], {}, str(tmp_path), hear)
    assert lines == ["10 %", "20 %", "done", "end"]


def test_a_line_without_an_end_comes_in_parts_with_each_character_and_no_secret(tmp_path: Path) -> None:
    hidden = Hidden(["under-the-boat"])
    # A secret wherever a part may end, and characters of two bytes.
    program = "import sys\nfor _ in range(20_000): sys.stdout.write('é' + 'under-the-boat' + 'x' * (_ % 7))"
    lines = _heard(tmp_path, program, hidden)
    assert max(len(line) for line in lines) <= 8_000 + len("under-the-boat")
    told = hidden.taken_out_of("".join(lines))
    assert told == "".join("é…" + "x" * (number % 7) for number in range(20_000))
    for line in lines:
        assert "under" not in hidden.taken_out_of(line)


def test_what_is_no_text_is_told_as_such(tmp_path: Path) -> None:
    program = "import sys; sys.stdout.buffer.write(b'a\\xff\\xc3')"
    assert _heard(tmp_path, program) == ["a��"]


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
