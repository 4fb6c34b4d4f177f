"""The command line as a whole: help, version, debugging, and loading commands only when they are called."""

import os
import subprocess
import sys

import pytest

from boathouse.cli.main import COMMANDS, load


def boathouse(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BOATHOUSE_")} | variables
    command = [sys.executable, "-m", "boathouse.cli.main", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_help_lists_every_command() -> None:
    shown = boathouse("--help")
    assert shown.returncode == 0
    assert all(f" {name} " in shown.stdout for name in COMMANDS)


def test_help_imports_no_command_and_no_engine() -> None:
    program = (
        "import sys; from boathouse.cli.main import app; app(['--help'], standalone_mode=False); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    loaded = set(done.stdout.split())
    assert "boathouse.cli.main" in loaded
    assert not loaded & {
        "pyspark",
        "pyarrow",
        "pandas",
        "httpx",
        "pydantic",
        "boathouse.cli.sql",
        "boathouse.kit.settings",
    }


@pytest.mark.parametrize("name", list(COMMANDS))
def test_a_command_says_of_itself_what_the_overview_says(name: str) -> None:
    assert (load(name).help or "").partition("\n")[0] == COMMANDS[name].help


def test_the_version_is_told() -> None:
    assert boathouse("--version").stdout.startswith("boathouse ")


def test_an_unknown_command_is_a_usage_error_with_the_closest_one() -> None:
    done = boathouse("tabel")
    assert done.returncode == 2
    assert "table" in done.stderr


def test_an_error_is_a_message_and_a_hint_without_a_traceback() -> None:
    done = boathouse("sql", "select 1", BOATHOUSE_HOME="/nowhere/at/all")
    assert done.returncode == 5
    assert done.stderr.startswith("Error: The lakehouse in /nowhere/at/all is not running")
    assert "Hint: Start it with `boathouse up`" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(("arguments", "variables"), [(("--debug",), {}), ((), {"BOATHOUSE_DEBUG": "1"})])
def test_debugging_shows_the_traceback_too(arguments: tuple[str, ...], variables: dict[str, str]) -> None:
    done = boathouse(*arguments, "sql", "select 1", BOATHOUSE_HOME="/nowhere/at/all", **variables)
    assert done.returncode == 5
    assert "Traceback" in done.stderr


def test_output_to_a_pipe_has_no_colours() -> None:
    assert "\x1b" not in boathouse("config").stdout
    assert "\x1b" not in boathouse("sql", "x", BOATHOUSE_HOME="/nowhere").stderr


@pytest.mark.parametrize("name", ["run", "catalog"])
def test_only_the_whole_command_installs_its_completion(name: str) -> None:
    assert "--install-completion" in boathouse("--help").stdout
    assert "completion" not in boathouse(name, "--help").stdout


def test_a_program_ends_with_its_code_whatever_its_libraries_threads_are_at() -> None:
    ends = "import atexit; from boathouse.cli.main import Ending; e = Ending(); e.code = 3"
    done = subprocess.run(
        [sys.executable, "-c", f"{ends}; atexit.register(e); print('said', end='')"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "said")


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        ("KeyboardInterrupt()", 130),
        ("GeneratorExit()", 1),
        ("SystemExit(7)", 7),
        ("SystemExit('no')", 1),
        ("SystemExit()", 0),
    ],
)
def test_a_program_that_is_broken_off_does_not_end_as_if_all_went_well(raised: str, code: int) -> None:
    broken = f"from boathouse.cli import main\ndef broken(): raise {raised}\nmain.main = broken\nmain.program()"
    done = subprocess.run([sys.executable, "-c", broken], capture_output=True, timeout=60, check=False)
    assert done.returncode == code
