"""Programs that an attempt starts, and what is told of one that failed."""

import os
import sys
from pathlib import Path

import pytest

from boathouse.control.worker.runner.commands import run_command
from boathouse.kit.errors import WorkFailed


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
