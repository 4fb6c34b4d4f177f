"""The worker's end of the line. Without it an attempt must not go on: another worker may have the run by now."""

import os
import queue
import signal
import threading
import time
from contextlib import suppress
from typing import BinaryIO

import orjson

from boathouse.control.runs.machine_clock import machine_time, seconds_asleep
from boathouse.control.worker.assignment import Assignment, Beat

_LOOK_EVERY = 0.5


class Lifeline:
    def __init__(self, worker: BinaryIO) -> None:
        self._worker = worker
        self._until: float | None = None
        self._assignments: queue.SimpleQueue[Assignment] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._watch, daemon=True).start()

    def assignment(self) -> Assignment:
        """The next one; waits for it."""
        return self._assignments.get()

    def let_go(self) -> None:
        """Between attempts nothing can be doubled."""
        self._until = None

    def _listen(self) -> None:
        for line in self._worker:
            told = orjson.loads(line)
            if "until" in told:
                self._until = Beat.model_validate(told).until
            else:
                self._assignments.put(Assignment.model_validate(told))
        _die("the worker is gone")

    def _watch(self) -> None:
        while True:
            asleep = seconds_asleep()
            time.sleep(_LOOK_EVERY)
            until = self._until
            if until is None or machine_time() <= until:
                continue
            # The worker has slept as well, and can say until the next look whether it has the run yet.
            if seconds_asleep() - asleep < _LOOK_EVERY:
                _die("the worker was silent for so long that another may have the run")


def _die(why: str) -> None:
    """With everything started here, at once."""
    with suppress(OSError):  # whoever would read it may be gone
        os.write(2, f"Ended: {why}.\n".encode())
    os.killpg(os.getpgrp(), signal.SIGKILL)
