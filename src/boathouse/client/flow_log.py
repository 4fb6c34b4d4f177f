"""The logs of a flow's tasks as one. A flow has no process, and so no log of its own."""

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from heapq import merge

from boathouse.client.events import FRUITLESS
from boathouse.client.runs import ENDED, Became, LogLine, Run, Runs
from boathouse.kit.errors import BoathouseError

# Each look asks for the flow and for every task that is at work: often enough for who reads along.
_PAUSE = 1.0


@dataclass(frozen=True)
class TaskSaid:
    task: str
    said: LogLine | Became


@dataclass
class FlowLog:
    """One flow's, and how far it was read."""

    runs: Runs
    workspace: str
    run_id: str
    _became: dict[str, Became] = field(default_factory=dict[str, Became])
    _read: dict[str, str | None] = field(default_factory=dict[str, str | None])

    def by_now(self) -> Iterator[tuple[str, LogLine]]:
        """Every line there is and its task, in the order of time."""
        tasks = self.runs.get(self.workspace, self.run_id).tasks
        logs = [self._log(task.name, task.run) for task in tasks if task.run is not None]
        return merge(*logs, key=lambda one: one[1].at)

    def watch(self, *, pause: Callable[[float], None] = time.sleep) -> Iterator[TaskSaid]:
        """Each line, and what becomes of each task, until the flow is over."""
        fruitless, over = 0, False
        while not over:
            try:
                over = yield from self._look()
                fruitless = 0
            except BoathouseError as error:
                fruitless += 1
                if not error.retryable or fruitless > FRUITLESS:
                    raise
            if not over:
                pause(_PAUSE)

    def _look(self) -> Generator[TaskSaid, None, bool]:
        """What is new; whether that was the last of it."""
        # Before the logs: of what was over by then, they hold everything.
        flow = self.runs.get(self.workspace, self.run_id)
        for task in flow.tasks:
            if task.run is not None:
                yield from self._news(task.name, task.run)
        return flow.state in ENDED

    def _news(self, task: str, run: Run) -> Iterator[TaskSaid]:
        became = Became(state=run.state, attempt=run.attempt, error=run.error)
        known, over = self._became.get(task) == became, run.state in ENDED
        if known and over:
            return
        if not over and not known:
            yield TaskSaid(task, became)
        if run.attempt:
            yield from self._lines(task, run)
        if over:
            yield TaskSaid(task, became)
        self._became[task] = became

    def _lines(self, task: str, run: Run) -> Iterator[TaskSaid]:
        while True:
            page = self.runs.log_page(self.workspace, run.id, after=self._read.get(task))
            yield from (TaskSaid(task, line) for line in page.lines)
            if not page.lines:
                return
            self._read[task] = page.next

    def _log(self, task: str, run: Run) -> Iterator[tuple[str, LogLine]]:
        return ((task, line) for line in self.runs.log(self.workspace, run.id))
