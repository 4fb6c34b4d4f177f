"""How far Spark has come with its work, and how the Spark Connect server reports that while a statement runs."""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass

from pyspark.sql.connect.session import SparkSession
from pyspark.sql.connect.shell.progress import StageInfo


@dataclass(frozen=True)
class StageProgress:
    id: int
    tasks: int
    tasks_done: int
    bytes_read: int
    done: bool
    name: str = ""
    tasks_failed: int = 0
    records_read: int = 0
    shuffle_bytes_read: int = 0
    shuffle_bytes_written: int = 0
    began: int | None = None
    """In milliseconds since 1970. This and all with a default is what the driver tells, and Spark Connect does not."""
    ended: int | None = None


@dataclass(frozen=True)
class JobProgress:
    id: int
    name: str
    state: str
    stages: tuple[int, ...]
    tasks: int
    tasks_done: int
    tasks_failed: int
    began: int | None
    ended: int | None


@dataclass(frozen=True)
class Progress:
    tasks_done: int
    tasks: int
    tasks_running: int
    stages_done: int
    stages: int
    bytes_read: int
    each: tuple[StageProgress, ...] = ()
    """The stages one by one."""
    jobs_done: int = 0
    jobs: int = 0
    shuffle_bytes_read: int = 0
    shuffle_bytes_written: int = 0
    each_job: tuple[JobProgress, ...] = ()


@contextmanager
def progress_to(session: SparkSession, callback: Callable[[Progress], None]) -> Generator[None]:
    """Call back with each report on the statements the session runs inside the block."""

    def handle(stages: Iterable[StageInfo] | None, inflight_tasks: int, operation_id: str | None, done: bool) -> None:  # noqa: ARG001, FBT001
        callback(_progress(list(stages or ()), inflight_tasks))

    session.registerProgressHandler(handle)  # pyright: ignore[reportArgumentType] - a callable of this shape is enough
    try:
        yield
    finally:
        session.removeProgressHandler(handle)  # pyright: ignore[reportArgumentType]


def _progress(stages: list[StageInfo], running: int) -> Progress:
    return Progress(
        tasks_done=sum(stage.num_completed_tasks for stage in stages),
        tasks=sum(stage.num_tasks for stage in stages),
        tasks_running=running,
        stages_done=sum(stage.done for stage in stages),
        stages=len(stages),
        bytes_read=sum(stage.num_bytes_read for stage in stages),
        each=tuple(_stage(stage) for stage in stages),
    )


def _stage(stage: StageInfo) -> StageProgress:
    return StageProgress(
        stage.stage_id, stage.num_tasks, stage.num_completed_tasks, stage.num_bytes_read, done=stage.done
    )
