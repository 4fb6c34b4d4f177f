"""The command line as somebody with a machine of their own uses it, against a control plane elsewhere."""

import json
import os
import pty
import select
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from boathouse.cli.main import main
from tests.integration.control_process import ControlProcess

_PATIENCE = 60


@dataclass(frozen=True)
class Done:
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Machine:
    directory: Path
    variables: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def env(self) -> dict[str, str]:
        foreign = {name: value for name, value in os.environ.items() if not name.startswith("BOATHOUSE_")}
        own = {"XDG_CONFIG_HOME": str(self.directory / "config"), "BOATHOUSE_HOME": str(self.directory / "home")}
        return foreign | own | self.variables

    @property
    def logins(self) -> Path:
        return self.directory / "config" / "boathouse" / "logins.json"

    def run(self, *arguments: str, given: str = "", code: int = 0) -> Done:
        """In this process, for a new one takes longer to start than the command to run."""
        out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with (
            patch.dict(os.environ, self.env, clear=True),
            patch.object(sys, "argv", ["boathouse", *arguments]),
            patch.object(sys, "stdin", StringIO(given)),
            redirect_stdout(out),
            redirect_stderr(err),
            pytest.raises(SystemExit) as ended,
        ):
            _run()
        done = Done(_content(out), _content(err))
        assert (ended.value.code or 0) == code, f"{ended.value.code}: {done.stdout}{done.stderr}"
        return done

    def told(self, *arguments: str, given: str = "", code: int = 0) -> Any:
        """The answer as JSON."""
        return json.loads(self.run(*arguments, "--json", given=given, code=code).stdout)

    def typed(self, *arguments: str, answers: dict[str, str]) -> str:
        """On a terminal: whatever is asked for is typed. All that the screen showed."""
        child, terminal = pty.fork()
        if child == 0:  # pragma: no cover - another process
            os.execve(sys.executable, [sys.executable, "-m", "boathouse.cli.main", *arguments], self.env)
        shown, waiting = "", dict(answers)
        try:
            while piece := _read(terminal):
                shown += piece.decode()
                # Only after the space is what is typed not thrown away as typed too early.
                for question in [question for question in waiting if shown.endswith(f"{question} ")]:
                    os.write(terminal, waiting.pop(question).encode() + b"\n")
        except BaseException:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise
        finally:
            os.close(terminal)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0, shown
        return shown

    def log_in(self, control: ControlProcess, user: str = "admin", password: str | None = None) -> None:
        self.run("login", control.url, "--user", user, "--name", "there", given=(password or control.password) + "\n")


def _run() -> None:
    main()
    sys.exit(0)


def _content(stream: TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def _read(terminal: int) -> bytes:
    """What the screen shows next; nothing once the program has ended."""
    ready, _, _ = select.select([terminal], [], [], _PATIENCE)
    assert ready, "the program neither says nor asks anything"
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""
