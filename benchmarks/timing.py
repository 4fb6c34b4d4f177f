"""How the answers are counted: by clients in processes of their own."""

import multiprocessing
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.queues import SimpleQueue
from typing import TypeVar

from benchmarks.plain_http import PlainClient, Refused

CLIENTS = 8
C = TypeVar("C", bound=PlainClient)
Work = Callable[[C, int], None]


@dataclass(frozen=True)
class Figure:
    per_second: float
    p50_ms: float
    p99_ms: float
    operations: int


class Cannot(Exception):  # noqa: N818 - an answer, not an accident
    """The server does not do what was asked; the message says why."""


def sequential(client: C, work: Work[C], *, times: int) -> Figure:
    return _timed([client], work, times)


def parallel(client: C, work: Work[C], *, times: int) -> Figure:
    """Eight clients, each with a share of the work; `work` is told which client it is by the number modulo eight."""
    return _timed([client] * CLIENTS, work, times)


def _timed(clients: list[C], work: Work[C], times: int) -> Figure:
    """Each client in a process of its own, so that they do not wait for each other's interpreter."""
    together = multiprocessing.get_context("fork")
    answers: SimpleQueue[list[float] | str | None] = together.SimpleQueue()
    start = together.Barrier(len(clients) + 1)

    def share(place: int) -> None:
        client = clients[place].again()
        taken: list[float] | str | None = None
        try:
            start.wait()
            for number in range(place, times, len(clients)):
                work(client, number + 1 if len(clients) == 1 else number)
            taken = client.times
        except Refused as refused:
            taken = str(refused)
        finally:
            answers.put(taken)

    processes = [together.Process(target=share, args=(place,)) for place in range(len(clients))]
    for process in processes:
        process.start()
    start.wait()
    began = time.perf_counter()
    parts = [answers.get() for _ in processes]
    seconds = time.perf_counter() - began
    for process in processes:
        process.join()
    assert None not in parts, "a client failed; what it met is above"
    if refusals := [part for part in parts if isinstance(part, str)]:
        raise Cannot(refusals[0])
    taken = sorted(1000 * each for part in parts if isinstance(part, list) for each in part)
    return Figure(times / seconds, statistics.median(taken), taken[int(len(taken) * 0.99)], times)
