"""A process that carries out attempts, as the worker sees it."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress

from pydantic import BaseModel

from boathouse.control.database.keepable import keepable
from boathouse.control.worker.assignment import Said
from boathouse.kit.errors import WorkFailed

# A line of log is at most a few thousand characters; a result's columns may be thousands.
_LONGEST = 16 * 1024 * 1024
_SECRETS = ("BOATHOUSE_CONTROL_", "BOATHOUSE_SECRET_")
# As JSON has it.
_NUL = rb"\u0000"


class CannotStart(WorkFailed):
    """What is wrong is the worker's place, such as a machine without memory, and not what it was to carry out."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"No process to carry out runs could be started: {why}.",
            hint="Look at the worker's log, and at its machine's memory, disk and limit of processes.",
        )


class RunnerProcess:
    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> "RunnerProcess":
        """OSError if there can be none."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "boathouse.control.worker.runner",
            stdin=PIPE, stdout=PIPE, stderr=PIPE,
            limit=_LONGEST,
            # With a group of its own, so that all it starts can be ended.
            start_new_session=True,
            # Programs of anybody's run in it: how the control plane is reached is not for them.
            env={name: value for name, value in os.environ.items() if not name.startswith(_SECRETS)},
        )  # fmt: skip
        return cls(process)

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    async def ready(self) -> None:
        said = await self.hear()
        if said is None or not said.ready:
            raise CannotStart("it ended before it was ready")

    async def tell(self, told: BaseModel) -> None:
        assert self._process.stdin is not None  # noqa: S101 - it was started with one
        with suppress(ConnectionError):  # it is gone, which its output says too
            self._process.stdin.write(told.model_dump_json().encode() + b"\n")
            await self._process.stdin.drain()

    async def hear(self) -> Said | None:
        """What it says next; None when it has ended."""
        assert self._process.stdout is not None  # noqa: S101
        line = await self._process.stdout.readline()
        return said_in(line) if line.endswith(b"\n") else None

    async def complaints(self) -> AsyncIterator[str]:
        """What is printed in it, by whomever."""
        assert self._process.stderr is not None  # noqa: S101
        while True:
            try:
                line = await self._process.stderr.readline()
            except ValueError:
                # A line longer than can be held is left out; unless somebody reads on, who prints waits for ever.
                continue
            if not line:
                return
            yield keepable(line.decode(errors="replace").rstrip("\r\n"))

    def interrupt(self) -> None:
        """Ask the attempt to stop."""
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)

    async def kill(self) -> int:
        """End it with all that it started; how it ended."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        return await self._process.wait()


def said_in(line: bytes) -> Said:
    """Whatever programs print, name their columns or report comes in here, and from here on any database can keep it."""
    said = Said.model_validate_json(line)
    return Said.model_validate(keepable(said.model_dump())) if _NUL in line else said
