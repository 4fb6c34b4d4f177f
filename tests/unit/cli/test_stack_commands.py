"""The stack's commands load what they show only when they are called."""

import subprocess
import sys
from pathlib import Path

import pytest


def test_the_module_of_the_commands_is_light() -> None:
    code = (
        "import sys, boathouse.cli.stack; print({'rich', 'psutil', 'pydantic', 'httpx', 'pyspark'} & set(sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert set(filter(None, loaded.strip().removeprefix("set()").strip("{}").split(", "))) <= {"'rich'"}


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (["status"], 5, "is not running"),
        (["down"], 0, "Nothing was running"),
        (["logs", "spark"], 4, "There is no log"),
        (["up", "--profile", "galaxy"], 3, "core"),
    ],
)
def test_without_a_lakehouse_each_command_says_so(tmp_path: Path, command: list[str], code: int, said: str) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "boathouse.cli.main", *command],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "BOATHOUSE_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == code, answer.stderr
    assert said in answer.stdout + answer.stderr
