"""How far a statement has come, as Trino says with each page. A task is a split here."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    tasks_done: int
    tasks: int
    tasks_running: int
    stages_done: int
    stages: int
    rows_read: int
    bytes_read: int


def progress_of(stats: Mapping[str, Any]) -> Progress:
    stages = list(_stages(stats.get("rootStage")))
    return Progress(
        tasks_done=stats.get("completedSplits", 0),
        tasks=stats.get("totalSplits", 0),
        tasks_running=stats.get("runningSplits", 0),
        stages_done=sum(bool(stage.get("done")) for stage in stages),
        stages=len(stages),
        rows_read=stats.get("processedRows", 0),
        bytes_read=stats.get("processedBytes", 0),
    )


def _stages(stage: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    if stage is not None:
        yield stage
        for below in stage.get("subStages", ()):
            yield from _stages(below)
