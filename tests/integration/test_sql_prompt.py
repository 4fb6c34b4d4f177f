"""The SQL prompt on a real terminal, against the running lakehouse."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator

import pytest

from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.stack

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[()][A-Z0-9]|\r")
_CURSOR_QUERY, _CURSOR_ANSWER = "\x1b[6n", b"\x1b[1;1R"
# A statement that would take hours: what is told about it afterwards was told because it was cancelled.
ENDLESS = "select count(*) from range(0, 100000000000000)"


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *command: str, env: dict[str, str]) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

        def take_terminal() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command,
            env={**env, "TERM": "xterm-256color"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=take_terminal,  # noqa: PLW1509 - this process has no other thread that holds a lock
        )
        os.close(slave)
        self._unread = ""

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def read_until(self, wanted: str, *, within: float = 90) -> str:
        """What was shown up to and with the wanted text, without colours and cursor movements."""
        deadline = time.monotonic() + within
        while wanted not in _ESCAPE.sub("", self._unread):
            assert time.monotonic() < deadline, f"{wanted!r} was not shown, but {self._unread!r}"
            if select.select([self._master], [], [], 0.5)[0]:
                self._take(os.read(self._master, 65536).decode(errors="replace"))
        shown, _, self._unread = _ESCAPE.sub("", self._unread).partition(wanted)
        return shown + wanted

    def _take(self, shown: str) -> None:
        if _CURSOR_QUERY in shown:
            os.write(self._master, _CURSOR_ANSWER)
        self._unread += shown

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)


@pytest.fixture
def prompt(stack: LakehouseUnderTest) -> Iterator[Terminal]:
    terminal = Terminal(sys.executable, "-m", "boathouse.cli.main", "sql", env=stack.env)
    try:
        terminal.read_until("lake>")
        yield terminal
    finally:
        terminal.close()


def test_a_statement_over_several_lines_is_run(prompt: Terminal) -> None:
    prompt.type("select 40 + 2\ras answer;\r")
    assert "42" in prompt.read_until("1 row (")


def test_an_error_is_shown_and_the_prompt_goes_on(prompt: Terminal) -> None:
    prompt.type("selec 1;\r")
    prompt.read_until("Error: [PARSE_SYNTAX_ERROR]")
    prompt.type("select 'still ' || 'here' as x;\r")
    prompt.read_until("still here")


def test_control_c_cancels_the_statement_and_not_the_prompt(prompt: Terminal) -> None:
    prompt.type(f"{ENDLESS};\r")
    prompt.read_until("stage 1")
    prompt.type("\x03")
    prompt.read_until("Cancelled.")
    prompt.type("select 'still ' || 'here' as x;\r")
    prompt.read_until("still here")


def test_tables_are_listed_and_described(stack: LakehouseUnderTest, prompt: Terminal) -> None:
    stack.cli("sql", "CREATE NAMESPACE IF NOT EXISTS prompt_tests; CREATE TABLE prompt_tests.t (amount DECIMAL(10, 2))")
    prompt.type("\\d\r")
    prompt.read_until("prompt_tests.t")
    prompt.type("\\d prompt_tests.t\r")
    assert "decimal(10,2)" in prompt.read_until("1 row (")
    prompt.type("\\?\r")
    prompt.read_until("Ctrl-D  leave")


@pytest.mark.parametrize("keys", ["\x04", "\\q\r"])
def test_it_is_left_by_control_d_or_backslash_q(prompt: Terminal, keys: str) -> None:
    prompt.type(keys)
    assert prompt.process.wait(timeout=60) == 0


def test_a_command_interrupted_outside_the_prompt_ends_with_130(stack: LakehouseUnderTest) -> None:
    terminal = Terminal(sys.executable, "-m", "boathouse.cli.main", "sql", ENDLESS, env=stack.env)
    try:
        terminal.read_until("stage 1")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.process.wait(timeout=60) == 130
    finally:
        terminal.close()
