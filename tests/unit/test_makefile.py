"""The commands that the README gives."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_make_alone_lists_its_targets() -> None:
    listing = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in ("demo", "test", "check", "bench"):
        assert f"make {target} " in listing


def test_ci_runs_the_same_command_as_a_person() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text()
