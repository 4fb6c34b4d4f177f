"""A process is known by more than its number."""

import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boathouse.stack.processes import ProcessIdentity, stop_session
from tests.lakehouse_under_test import eventually


@contextmanager
def running(script: str) -> Generator[tuple[subprocess.Popen[bytes], ProcessIdentity]]:
    """A session leader that has said that it is ready."""
    command, pipe = ["/bin/sh", "-c", f"read go; {script}"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True) as process:
        identity = ProcessIdentity.of(process.pid)
        assert identity
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"go\n")
        process.stdin.flush()
        process.stdout.readline()
        try:
            yield process, identity
        finally:
            for pid in identity.session():
                os.kill(pid, signal.SIGKILL)


def test_one_that_ends_while_it_is_looked_at_is_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(of: Path, *arguments: Any, **options: Any) -> str:
        if of.name == "stat":
            # As the kernel says it of a file of its own that was opened before.
            raise ProcessLookupError
        return read(of, *arguments, **options)

    read = Path.read_text
    monkeypatch.setattr(Path, "read_text", ends)
    assert ProcessIdentity.of(os.getpid()) is None


def test_a_process_is_alive_until_it_ends_even_if_nobody_reaps_it() -> None:
    with running("echo ready; exec sleep 60") as (process, identity):
        assert identity.alive()
        process.kill()
        eventually(lambda: not identity.alive())
        assert process.returncode is None


def test_a_number_used_again_is_somebody_else() -> None:
    me = ProcessIdentity.of(os.getpid())
    assert me
    earlier = replace(me, birth="before the reboot")
    assert not earlier.alive()
    assert earlier.session() == []


def test_stopping_somebody_elses_number_harms_nobody() -> None:
    with running("echo ready; exec sleep 60") as (process, identity):
        stop_session(replace(identity, birth="long ago"), timeout=5)
        assert process.poll() is None


def test_a_process_that_listens_is_stopped_cleanly() -> None:
    with running("trap 'exit 0' TERM; echo ready; while :; do sleep 0.02; done") as (process, identity):
        assert stop_session(identity, timeout=30)
        assert process.wait() == 0


def test_a_process_that_does_not_listen_is_killed() -> None:
    with running("trap '' TERM; echo ready; while :; do sleep 0.02; done") as (process, identity):
        assert not stop_session(identity, timeout=0.1)
        assert process.wait() == -signal.SIGKILL


@pytest.mark.parametrize("leader", ["exit 0", "while :; do sleep 0.02; done"])
def test_children_end_with_their_leader_even_in_another_process_group(leader: str) -> None:
    moved = f"{sys.executable} -c 'import os, time; os.setpgid(0, 0); print(flush=True); time.sleep(60)'"
    with running(f"{moved} & sleep 60 & {leader}") as (_, identity):
        assert len(identity.session()) >= 2
        stop_session(identity, timeout=5)
        assert identity.session() == []
