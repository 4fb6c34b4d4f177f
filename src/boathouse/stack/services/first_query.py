"""The first query of a Spark server: asked by a process of its own, whose last words are kept when it fails."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from boathouse.kit.access import SparkAccess
from boathouse.stack.logs import LogFile, last_lines
from boathouse.stack.service import Broken, NotReady

TRY_AGAIN = os.EX_TEMPFAIL
"""The exit status that says: the server does not answer yet."""
ATTEMPTS = 3
"""How often it may fail otherwise. Once may be chance; a package that is missing stays so."""
_PROGRAM = (sys.executable, "-m", "boathouse.stack.services.spark_first_query")
# A Python traceback through a few libraries.
_LINES = 30


@dataclass
class FirstQuery:
    access: SparkAccess
    output: Path
    """Takes what the process says."""
    log: LogFile
    """The service's, where people look."""
    program: Sequence[str] = _PROGRAM
    _process: subprocess.Popen[bytes] | None = None
    _failures: int = 0
    _told: Sequence[str] = ()

    def check(self) -> None:
        """Raise NotReady until it is answered; Broken once it is plain that it will not be."""
        if self._process is None:
            self._process = self._ask()
        status = self._process.poll()
        if status is None:
            raise NotReady("answers its first query")
        if status != 0:
            self._process = None
            self._fail(status)

    def forget(self) -> None:
        """End it if it is still being asked."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
            self._tell()
        self._process = None

    def _ask(self) -> subprocess.Popen[bytes]:
        with self.output.open("wb") as output:
            process = subprocess.Popen(self.program, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=output)
        with contextlib.suppress(BrokenPipeError):
            if process.stdin:
                with process.stdin as stdin:
                    stdin.write(self.access.model_dump_json().encode())
        return process

    def _fail(self, status: int) -> None:
        said = [line.strip() for line in self._tell() if line.strip()]
        reason = f"did not answer its first query: {said[-1] if said else f'exit status {status}'}"
        # One that was killed says nothing about the server.
        self._failures += status > 0 and status != TRY_AGAIN
        raise Broken(reason) if self._failures >= ATTEMPTS else NotReady(reason)

    def _tell(self) -> list[str]:
        """Put its last words into the log, once if they are always the same."""
        lines = last_lines(self.output, _LINES)
        if lines != self._told:
            self._told = lines
            # The reason matters more than where it is kept: a full disk must not hide it.
            with contextlib.suppress(OSError), os.fdopen(self.log.open(), "wb") as log:
                log.write("".join(f"first query: {line}\n" for line in lines).encode())
        return lines
