"""A process by its name: the same one, another one under its number, or one that cannot be seen from here."""

import os
import socket
import subprocess
import sys

import psutil
import pytest

from boathouse.kit.process_names import is_alive, myself


def test_this_process_is_alive() -> None:
    assert is_alive(myself()) is True


def test_a_process_that_has_ended_is_not() -> None:
    number = next(n for n in range(2**22 - 1, 0, -1) if not psutil.pid_exists(n))
    assert is_alive(f"{socket.gethostname()} {number} 1700000000") is False


def test_one_that_was_killed_and_that_nobody_has_asked_after_is_not() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        name = f"{socket.gethostname()} {process.pid} {int(psutil.Process(process.pid).create_time())}"
        assert is_alive(name) is True
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert is_alive(name) is False


def test_a_process_that_took_over_the_number_is_another_one() -> None:
    began = int(psutil.Process().create_time())
    assert is_alive(f"{socket.gethostname()} {os.getpid()} {began - 3_600}") is False
    assert is_alive(f"{socket.gethostname()} {os.getpid()} {began + 1}") is True


@pytest.mark.parametrize(
    "owner",
    ["", "elsewhere 1 1700000000", f"{socket.gethostname()} x y", socket.gethostname()],
    ids=["none", "elsewhere", "garbled", "cut off"],
)
def test_of_others_it_cannot_be_told(owner: str) -> None:
    assert is_alive(owner) is None
