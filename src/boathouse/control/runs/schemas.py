"""Runs as they are told and as they are asked for."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from boathouse.control.jobs.schemas import Crowding
from boathouse.control.runs.models import Trigger
from boathouse.control.runs.states import State

STAGES = "each_stage"
SPARK_JOBS = "each_job"
ONE_BY_ONE = frozenset({STAGES, SPARK_JOBS})
"""In the progress of an attempt. Of a run they are left out: lists of runs would carry them."""
Key = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[\x21-\x7e]+$")]


class NewRun(BaseModel):
    model_config = ConfigDict(extra="forbid")

    values: dict[str, Any] = Field(default_factory=dict, max_length=100, description="Of the job's parameters.")
    version: int | None = Field(default=None, ge=1, lt=2**31, description="Of the job; the current one if left out.")
    key: Key | None = Field(default=None, description="Asking twice with the same key makes one run.")
    otherwise: Crowding | None = Field(
        default=None, description="What becomes of it if the job has no room; as the job says if left out."
    )


class StageTold(BaseModel):
    """A stage of Spark's. Times are milliseconds since 1970: Spark's own, or to half a second where it tells none."""

    id: int
    name: str = ""
    """What is done in the end of which this is a part, such as `sort`."""
    tasks: int
    tasks_done: int
    tasks_failed: int = 0
    bytes_read: int
    records_read: int = 0
    shuffle_bytes_read: int = 0
    shuffle_bytes_written: int = 0
    began: int
    ended: int | None


class SparkJobTold(BaseModel):
    """A job of Spark's: what it makes of a statement is one or several. Times are milliseconds since 1970."""

    id: int
    name: str
    state: str
    """`running`, `succeeded`, `failed` or `unknown`, as Spark says."""
    stages: list[int]
    """Their numbers, with those that were skipped."""
    tasks: int
    tasks_done: int
    tasks_failed: int
    began: int | None
    ended: int | None


class AttemptTold(BaseModel):
    number: int
    worker: str
    state: State
    claimed_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    error: str | None
    progress: dict[str, Any] | None
    stages: list[StageTold]
    """Of Spark, as far as it told."""
    spark_jobs: list[SparkJobTold]


class RunTold(BaseModel):
    id: str
    job: str
    version: int
    kind: str
    values: dict[str, Any]
    trigger: Trigger
    requested_by: str
    scheduled_for: datetime | None
    state: State
    attempt: int
    stop_by: str | None
    created_at: datetime
    available_at: datetime
    """When it may begin: later than it was made, if it waits for its next try."""
    started_at: datetime | None
    ended_at: datetime | None
    error: str | None
    """The last line of what went wrong."""
    progress: dict[str, Any] | None
    result: dict[str, Any] | None
    """The columns and the number of rows, if it has any."""
    report: dict[str, Any] | None
    """What it did in figures, if its kind tells any: of a pipeline the rows in and out."""
    task: str | None
    flow_id: str | None
    """The run of the flow whose task this is."""


class RunInShort(BaseModel):
    id: str
    state: State
    trigger: Trigger
    attempt: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    error: str | None


class JobsRuns(BaseModel):
    job: str
    runs: list[RunInShort]
    """The newest first."""


class TaskTold(BaseModel):
    """A task of a flow; without a run as long as nothing was done for it."""

    name: str
    kind: str
    job: str | None
    """The job that it is, if it is not in place."""
    after: list[str]
    run: RunTold | None
    stages: list[StageTold]
    """Of Spark, in the task's latest attempt."""


class RunInFull(RunTold):
    waits_for: str | None
    """Why it has not begun, if it waits."""
    attempts: list[AttemptTold]
    """The newest 50, the oldest of them first; `attempt` is how many there were."""
    tasks: list[TaskTold]
    """Of a flow."""


class LogLine(BaseModel):
    at: datetime
    attempt: int
    stream: str
    """`out` and `err` are the program's, `system` is ours."""
    text: str


class LogPage(BaseModel):
    lines: list[LogLine]
    next: str | None = None
    """Where to go on; also while the run is under way and there is nothing more yet."""
    complete: bool
    """Whether the run is over and this is the end of its log."""


class TimelinePoint(BaseModel):
    seconds: float
    tasks_done: int
    tasks: int
    stages_done: int
    stages: int
    bytes_read: int
    shuffle_bytes_read: int = 0
    shuffle_bytes_written: int = 0


class Column(BaseModel):
    name: str
    type: str


class ResultPage(BaseModel):
    columns: list[Column]
    rows: list[list[Any]]
    total: int
    truncated: bool
    """Whether the statement gave more rows than were kept."""
    next: str | None = None
