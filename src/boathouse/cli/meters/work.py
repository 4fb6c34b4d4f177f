"""What the demo has at work beside it: processes that end with it."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from boathouse.cli.meters.database import DSN_VARIABLE
from boathouse.kit.errors import WorkFailed
from boathouse.stack.logs import last_lines
from boathouse.stack.processes import ProcessIdentity, stop_session

# It stops after the batches at hand, and Spark after it.
_STOP_SECONDS = 45.0
_SHOWN = 15


@dataclass(frozen=True)
class Work:
    name: str
    process: subprocess.Popen[bytes]
    identity: ProcessIdentity | None
    log: Path

    @classmethod
    def start(cls, name: str, module: str, *arguments: str, log: Path) -> "Work":
        """In a session of its own: Ctrl-C is for the demo, which then stops what it started in its own order."""
        with log.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # It works where the demo does, wherever else somebody has it work by hand.
                env={name: value for name, value in os.environ.items() if name != DSN_VARIABLE},
            )
        return cls(name, process, ProcessIdentity.of(process.pid), log)

    def said(self) -> str:
        """Its last line."""
        return next(iter(last_lines(self.log, 1)), "")

    def require(self) -> None:
        """Raise with what it said, if it has ended."""
        code = self.process.poll()
        if code is not None:
            told = "\n".join(f"  {line}" for line in last_lines(self.log, _SHOWN))
            raise WorkFailed(f"The {self.name} has ended with {code}. It said last:\n{told}", hint=f"See {self.log}.")

    def stop(self) -> None:
        if self.process.poll() is None and self.identity is not None:
            stop_session(self.identity, timeout=_STOP_SECONDS)
        self.process.wait(timeout=_STOP_SECONDS)
