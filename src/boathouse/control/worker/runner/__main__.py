"""`python -m boathouse.control.worker.runner`, as the worker starts it."""

import os
import signal
import sys
import threading
import traceback
from importlib import import_module
from types import FrameType
from typing import NoReturn

from boathouse.control.jobs.kinds import kind_named
from boathouse.control.worker.assignment import Assignment, Said
from boathouse.control.worker.runner.attempt import RunningAttempt
from boathouse.control.worker.runner.leftovers import end_leftovers
from boathouse.control.worker.runner.lifeline import Lifeline
from boathouse.control.worker.scratch import scratch_directory
from boathouse.kit.errors import BoathouseError, Cancelled


class Voice:
    """What is said goes out by lines, whoever says it."""

    def __init__(self) -> None:
        # Whatever prints must not be taken for what we say, so it gets another way out.
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self._turn = threading.Lock()

    def say(self, said: Said) -> None:
        with self._turn:
            self._out.write(said.model_dump_json(exclude_defaults=True).encode() + b"\n")
            self._out.flush()


def main() -> None:
    voice = Voice()
    _preload()
    lifeline = Lifeline(sys.stdin.buffer)
    voice.say(Said(ready=True))
    while True:
        assignment = lifeline.assignment()
        signal.signal(signal.SIGTERM, _stop)
        ended = _carry_out(assignment, voice)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        end_leftovers()
        lifeline.let_go()
        voice.say(ended)


def _carry_out(assignment: Assignment, voice: Voice) -> Said:
    """How it ended."""
    with scratch_directory() as scratch:
        attempt = RunningAttempt(assignment, scratch, voice.say)
        try:
            kind_named(assignment.kind).execute(attempt)
            _tell_lineage(assignment, attempt)
        except BoathouseError as error:
            hint = f" {error.hint}" if error.hint else ""
            attempt.log(f"{error}{hint}", stream="err")
            return Said(ended=True, error=attempt.without_secrets(str(error)), code=error.code)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            attempt.log(traceback.format_exc(), stream="err")
            told = attempt.without_secrets(f"{type(error).__name__}: {error}")
            return Said(ended=True, error=told, code=BoathouseError.code)
    return Said(ended=True)


def _tell_lineage(assignment: Assignment, attempt: RunningAttempt) -> None:
    try:
        attempt.touches(kind_named(assignment.kind).touched(attempt))
    except Cancelled:
        raise
    except Exception as error:  # noqa: BLE001 - the work is done, and does not fail for what is said of it
        attempt.log(f"What it read and wrote is not known: {error}", stream="system")


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise Cancelled("Somebody stopped it.")


def _preload() -> None:
    """What nearly every attempt needs and takes a second to load."""
    engine = ("attempts", "query", "watch")
    for name in ("pyarrow.parquet", *(f"boathouse.engines.spark.{part}" for part in engine), "sqlglot"):
        import_module(name)


if __name__ == "__main__":
    main()
