"""Which processes were started, on disk before they do anything, so that no crash can lose one."""

import contextlib
import fcntl
import os
import signal
import subprocess
import threading
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

from pydantic import TypeAdapter

from boathouse.kit.errors import WorkFailed
from boathouse.kit.files import PRIVATE, write_atomically
from boathouse.stack.home import Home
from boathouse.stack.processes import ProcessIdentity, stop_session

# Waits for one line before it becomes the command. Were the supervisor killed between starting a process and noting it,
# the line would never come, and the process would end instead of living on unknown.
_GATE = 'read -r go && exec "$@" </dev/null'


@dataclass(frozen=True)
class Started(ProcessIdentity):
    """A process that was started, as the journal notes it."""

    patience: float
    """Seconds it may take to stop."""
    stop_signal: int = signal.SIGTERM
    """What asks it to. An earlier version did not note it."""


_ENTRIES = TypeAdapter(dict[str, Started])
_IDENTITY = TypeAdapter(ProcessIdentity)


@dataclass
class Journal:
    home: Home
    _started: dict[str, Started] = field(default_factory=dict[str, Started])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        log: int,
        directory: Path,
        patience: float,
        stop_signal: int = signal.SIGTERM,
    ) -> tuple[subprocess.Popen[bytes], ProcessIdentity]:
        """Start a process as the leader of a session of its own, and note it before it runs."""
        process = subprocess.Popen(
            ["/bin/sh", "-c", _GATE, "sh", *command],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            env=dict(environment),
            cwd=directory,
            start_new_session=True,
        )
        try:
            identity = self._note_new(name, process.pid, patience, stop_signal)
        except BaseException:
            # Closes the gate, behind which the process then ends.
            process.communicate()
            raise
        with contextlib.suppress(BrokenPipeError), cast(IO[bytes], process.stdin) as gate:
            gate.write(b"go\n")
        return process, identity

    def ended(self, name: str) -> None:
        self._note(name, None)

    def _note_new(self, name: str, pid: int, patience: float, stop_signal: int) -> ProcessIdentity:
        identity = ProcessIdentity.of(pid)
        if identity is None:
            raise WorkFailed(f"{name} ended before it began: /bin/sh does not run.")
        self._note(name, Started(identity.pid, identity.birth, patience, stop_signal))
        return identity

    def _note(self, name: str, entry: Started | None) -> None:
        with self._lock:
            self._started.pop(name, None)
            if entry is not None:
                self._started[name] = entry
            write_atomically(self.home.processes, _ENTRIES.dump_json(self._started, indent=2), mode=PRIVATE)


def noted(home: Home) -> dict[str, Started]:
    """What the journal says was started, in that order."""
    try:
        return _ENTRIES.validate_json(home.processes.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}


def stop_orphans(home: Home) -> list[str]:
    """Stop what a supervisor that is gone has left running, the last started first. Says what there was.

    Call it only while holding the supervisor's lock.
    """
    found: list[str] = []
    for name, entry in reversed(noted(home).items()):
        leader = ProcessIdentity(entry.pid, entry.birth)
        if leader.session():
            found.append(name)
            stop_session(leader, timeout=entry.patience, signal_number=entry.stop_signal)
    home.processes.unlink(missing_ok=True)
    return found


def write_identity(path: Path, identity: ProcessIdentity) -> None:
    """Say who holds a lock. Not in the locked file: that cannot be replaced, so it might be read half written."""
    write_atomically(path, _IDENTITY.dump_json(identity), mode=PRIVATE)


def read_identity(path: Path) -> ProcessIdentity | None:
    try:
        return _IDENTITY.validate_json(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None


@contextlib.contextmanager
def exclusive(path: Path, *, wait: bool) -> Generator[bool]:
    """Hold the file's lock; yields False if somebody else has it and waiting is not wanted."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        held = True
    except BlockingIOError:
        held = False
    try:
        yield held
    finally:
        os.close(descriptor)
