"""Processes known by more than their number, so that a number used again is never mistaken for ours."""

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psutil

_POLL = 0.05
# A process that waits for a broken disk cannot even be killed; there is no use in waiting for it, too.
_KILL_TIMEOUT = 30


@dataclass(frozen=True)
class ProcessIdentity:
    """A process: its number and when it was born, in words that neither a reboot nor a clock change repeats."""

    pid: int
    birth: str

    @classmethod
    def of(cls, pid: int) -> Self | None:
        """Who has that number now; a zombie is nobody."""
        try:
            process = psutil.Process(pid)
            return None if process.status() == psutil.STATUS_ZOMBIE else cls(pid, _birth(process))
        except (psutil.NoSuchProcess, ProcessLookupError):
            # It may end between two looks, and also between the opening of what the kernel says of it and the reading.
            return None

    def alive(self) -> bool:
        return self.of(self.pid) == self

    def session(self) -> list[int]:
        """It and the live processes of the session it leads, which may outlive it.

        While one of them lives the system gives the leader's number to nobody else. So if somebody else has it, the
        session is over.
        """
        now = self.of(self.pid)
        if now is not None and now != self:
            return []
        members = {pid for pid in psutil.pids() if _session_of(pid) == self.pid and self.of(pid) is not None}
        # It may have been started into another session, as a shell's background job is.
        return sorted(members | ({self.pid} if now else set()))


def stop_session(leader: ProcessIdentity, *, timeout: float, signal_number: int = signal.SIGTERM) -> bool:
    """Ask the leader to stop and wait; kill what is left of its session. True if nothing had to be killed."""
    stopped = not leader.alive()
    if not stopped:
        _signal(leader.pid, signal_number)
        stopped = wait_until_gone([leader], timeout=timeout)
    deadline = time.monotonic() + _KILL_TIMEOUT
    while (members := leader.session()) and time.monotonic() < deadline:
        stopped = False
        for pid in members:
            _signal(pid, signal.SIGKILL)
        time.sleep(_POLL)
    return stopped


def wait_until_gone(processes: Iterable[ProcessIdentity], *, timeout: float) -> bool:
    deadline = time.monotonic() + timeout
    waiting = list(processes)
    while waiting := [process for process in waiting if process.alive()]:
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL)
    return True


def _birth(process: psutil.Process) -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        ticks = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[19]
    except FileNotFoundError:
        # Elsewhere than on Linux the kernel keeps the time of birth itself, so it does not move with the clock.
        return f"{process.create_time():.6f}"
    return f"{boot}/{ticks}"


def _session_of(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
