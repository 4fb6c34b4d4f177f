"""Pipelines as they are told, and what can be asked of their rejects."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from boathouse.control.jobs.kinds.pipeline import MOST_IDS, RejectId, Text
from boathouse.control.jobs.stream_status import StreamStatus
from boathouse.control.runs.models import Trigger
from boathouse.control.runs.states import State
from boathouse.kit.deadletters.ledger import RejectState

# A line of a file that somebody mends by hand.
LONGEST_ROW = 1_000_000
RowText = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_ROW, pattern=r"\S")]
PipelineKind = Literal["pipeline", "stream"]
# A snapshot's number, which is larger than what JavaScript can count to.
Seen = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,19}$")]
Note = Annotated[str, StringConstraints(max_length=2000)]


class Figures(BaseModel):
    """What one run did; nothing of it is known of a run that did not succeed."""

    run_id: str
    state: State
    trigger: Trigger
    requested_by: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    report: dict[str, Any] | None
    """Of its kind: of files `load` or `replay`, with rows in and out and each rule. Streams bring their own."""


class StreamTold(BaseModel):
    """The run of a streaming pipeline that counts, and how it fares."""

    run_id: str
    values: dict[str, Any]
    """Of the job's parameters."""
    state: State
    attempt: int
    stop_by: str | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    error: str | None
    status: StreamStatus | None
    """What its program told last; of a run that is over or waits for its next try, how it was then."""
    silent_seconds: float | None
    """Of a run that is at work: for how long it has told nothing, once that is too long for what it told to be so still."""


class PipelineTold(BaseModel):
    job: str
    kind: PipelineKind
    version: int
    description: str
    paused: bool
    due_at: datetime | None
    table: str | None
    """None if it depends on a parameter without a default. Of a stream the one that every event goes into."""
    format: str | None
    """Of a stream what it follows: postgres or kafka."""
    lately: list[Figures]
    """The newest first."""
    stream: StreamTold | None
    """Of a streaming pipeline that was started before."""


class Standing(BaseModel):
    """How its table and its rejects stand now, read from the lake."""

    table: str
    rows: int | None
    """None if there is no table yet."""
    committed_at: datetime | None
    rejects: int
    """Ever."""
    open: int


class Counted(BaseModel):
    value: str
    rows: int


class RejectsCounted(BaseModel):
    states: dict[RejectState, int]
    reasons: list[Counted]
    """Without the values in them; of those in the state that was asked for, the most first."""
    loads: list[Counted]
    files: list[Counted]
    complete: bool
    """False if there are so many that only the newest were counted."""
    seen: str | None
    """Up to where they were counted: who gives it back with a decision decides about none that came since."""


class RejectTold(BaseModel):
    id: str
    load_id: str
    file: str
    line: int | None
    """None of a binary file."""
    reason: str
    """Why it was rejected, or why it failed when it was replayed last."""
    rejected_at: datetime
    state: RejectState
    raw: str | None
    """As it stood."""
    mended: str | None
    """As somebody would have it."""
    note: str | None
    replay_id: str | None
    """The load that replayed it last."""
    changed_by: str | None
    changed_at: datetime | None


class RejectInFull(RejectTold):
    raw_base64: str | None
    """Its bytes, only where they are not valid UTF-8."""
    edit: str
    """What to begin with where it is mended: as it is mended by now, or as it stood, in its form."""
    form: Literal["text", "base64"]
    """How a mended one is written. What is no text, such as an event in Avro, is mended as its bytes."""


class Mend(BaseModel):
    model_config = ConfigDict(extra="forbid")

    raw: RowText = Field(description="What the row should be: a line of the file, or JSON of a row of Parquet.")


class Chosen(BaseModel):
    """Rows by their ids, or all open ones that fit what is said of them."""

    model_config = ConfigDict(extra="forbid")

    ids: list[RejectId] | None = Field(default=None, min_length=1, max_length=MOST_IDS)
    reason: Text | None = Field(default=None, description="Without the values in it, as they are counted.")
    load_id: Text | None = None
    file: Text | None = None
    everything: bool = Field(default=False, description="Every open row; needed where nothing else is said.")

    @model_validator(mode="after")
    def _says_something(self) -> "Chosen":
        if not (self.ids or self.reason or self.load_id or self.file or self.everything):
            raise ValueError("name rows by ids, reason, load_id or file, or say everything")
        return self


class Discard(Chosen):
    note: Note = Field(default="", description="Why.")
    seen: Seen | None = Field(
        default=None,
        description="As the counts tell it: only rows that were there by then. Rows by their ids need none.",
    )


class Changed(BaseModel):
    rows: int
