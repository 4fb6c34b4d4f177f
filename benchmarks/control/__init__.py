"""The control plane: what reading costs under a long history, how soon a run speaks, and how a queue is drained.

BENCH_RUNS=1000 makes the history and BENCH_QUEUE=50 the queue and what is held back in it shorter; BENCH_PARTS=reads,start,queue chooses.
"""

import os
import sys
from collections.abc import Callable
from typing import Any

from benchmarks.control import queue, reads, start
from benchmarks.lakehouse import finish

PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "reads": reads.measure,
    "start": start.measure,
    "queue": queue.measure,
}


def main() -> None:
    wanted = os.environ.get("BENCH_PARTS", ",".join(PARTS)).split(",")
    if unknown := set(wanted) - PARTS.keys():
        sys.exit(f"BENCH_PARTS names {', '.join(sorted(unknown))}: there are {', '.join(PARTS)}.")
    finish("control", {name: measure() for name, measure in PARTS.items() if name in wanted})
