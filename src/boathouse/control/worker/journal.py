"""What an attempt said and the database does not have yet."""

from collections.abc import Mapping
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from boathouse.control.jobs.stream_status import RaisedAlert
from boathouse.control.jobs.touched import Touched
from boathouse.control.runs.leases import Line
from boathouse.control.runs.schemas import SPARK_JOBS, STAGES, TimelinePoint
from boathouse.control.worker.stages import StageClock

# Of one attempt. What goes on for longer than this is read by nobody, and would fill the database.
_MOST_BYTES = 20 * 1024 * 1024
_MOST_AT_ONCE = 500
# More than a line on a screen has room for. An even number, so that every second of them are at the same distance.
_LONGEST_TIMELINE = 2_000
_IN_TIMELINE = [name for name in TimelinePoint.model_fields if name != "seconds"]
# More are read by nobody, and every report would carry them all.
_MOST_SPARK_JOBS = 200


class Journal:
    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._bytes = 0
        self._started = monotonic()
        self._stages = StageClock()
        self._spark_jobs: dict[int, Mapping[str, Any]] = {}
        self._looks, self._looks_kept_of = 0, 1
        self.number = 0
        """Of the next chunk."""
        self.progress: dict[str, Any] | None = None
        self.timeline: list[list[float]] = []
        self.result: dict[str, Any] | None = None
        self.report: dict[str, Any] | None = None
        self.touched = Touched()
        self.alerts: list[RaisedAlert] = []
        """Of a stream: those that nobody was told of yet."""

    @property
    def has_news(self) -> bool:
        return bool(self._lines or self.alerts) or self.progress is not None

    def add(self, line: Line) -> None:
        """A line of the attempt's, as long as there is room."""
        if self._bytes > _MOST_BYTES:
            return
        self._bytes += len(line[2]) + 20
        self._lines.append(line)
        if self._bytes > _MOST_BYTES:
            self.say(f"The log is longer than {_MOST_BYTES >> 20} MiB. The rest is left out.")

    def overheard(self, text: str) -> None:
        """A line that somebody printed where our own process does."""
        self.add((_now(), "err", text))

    def say(self, text: str) -> None:
        """A line of the worker's own, for which there always is room."""
        self._lines.append((_now(), "system", text))

    def moved(self, progress: Mapping[str, Any]) -> None:
        told = dict(progress)
        self._stages.saw(told.pop("each", ()), _now())
        if stages := self._stages.told():
            told[STAGES] = stages
        for job in told.pop(SPARK_JOBS, ()):
            if job["id"] in self._spark_jobs or len(self._spark_jobs) < _MOST_SPARK_JOBS:
                self._spark_jobs[job["id"]] = job
        if self._spark_jobs:
            told[SPARK_JOBS] = [job for _, job in sorted(self._spark_jobs.items())]
        self.progress = told
        # Only an engine that counts tasks has a line that can be drawn.
        if "tasks" in progress:
            self._draw([progress.get(name, 0) for name in _IN_TIMELINE])

    def next_lines(self) -> list[Line]:
        return self._lines[:_MOST_AT_ONCE]

    def written(self, lines: int, progress: Mapping[str, Any] | None, alerts: int = 0) -> None:
        """The database has so many lines and alerts, and this progress."""
        del self._lines[:lines], self.alerts[:alerts]
        self.number += bool(lines)
        if self.progress is progress:
            self.progress = None

    def _draw(self, figures: list[float]) -> None:
        """However long it takes, from its beginning to now: when there is no more room, every second point goes."""
        if self._looks % self._looks_kept_of == 0:
            if len(self.timeline) == _LONGEST_TIMELINE:
                self.timeline = self.timeline[::2]
                self._looks_kept_of *= 2
            self.timeline.append([round(monotonic() - self._started, 2), *figures])
        self._looks += 1

    def forget(self) -> None:
        """What is not written yet, because the database will not have it."""
        self._lines.clear()
        self.alerts.clear()
        self.progress = None


def _now() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)
