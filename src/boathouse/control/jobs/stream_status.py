"""How a streaming pipeline fares, as its program writes it down once a second. Read where it comes in, and trusted from there on."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from boathouse.kit.ids import new_uuid

STREAM = "stream"
"""In the progress of a run."""
# It tells once a second; some ten seconds later where Kafka or Postgres keeps it waiting, which is no silence yet.
SILENT_AFTER = 30.0
_LONGEST = 2000


def _kept(text: str) -> str:
    """As much of it as is read by anybody. Postgres cannot keep NUL."""
    return text.replace("\0", "\ufffd")[:_LONGEST]


Text = Annotated[str, AfterValidator(_kept)]
# A count that is made of two, taken one after the other, may be off by some: that is no reason to believe nothing.
Count = Annotated[int, Field(lt=2**63), AfterValidator(lambda value: max(value, 0))]
Figure = Annotated[float, Field(allow_inf_nan=False)]


class _Told(BaseModel):
    # A program of a later version may tell more.
    model_config = ConfigDict(extra="ignore", frozen=True)


class Aims(_Told):
    """What was promised; nothing where nothing was."""

    events_per_second: Figure | None = None
    freshness: Figure | None = None
    lag: Count | None = None


class Hop(_Told):
    """One stretch of the way: from Postgres to Kafka, from there to bronze, and so on."""

    name: Text
    title: Text
    to: Text
    state: Literal["starting", "running", "failing", "stopped"]
    events: Count
    """Since it began."""
    rate: Figure
    """Events a second, over the last ten or so."""
    lag: Count | None = None
    """Events behind."""
    lag_bytes: Count | None = None
    """Of the source's log; of the hop that reads it, which cannot count events."""
    freshness: Figure | None = None
    """Seconds behind."""
    batch: int | None = None
    batch_seconds: Figure | None = None
    last_at: datetime | None = None
    error: Text | None = None


class Alert(_Told):
    """An aim that is broken, a hop that fails, or that nothing is heard of it any more."""

    hop: Text
    """Nothing where it is about all of them."""
    what: Literal["lag", "freshness", "rate", "error", "silence"]
    value: Figure | None = None
    limit: Figure | None = None
    since: datetime
    text: Text


@dataclass(frozen=True)
class RaisedAlert:
    """One that is to be told of: once, by its id, however often a database whose answer was lost is asked to."""

    alert: Alert
    id: str = field(default_factory=new_uuid)


class StreamStatus(_Told):
    pipeline: Text
    state: Literal["starting", "running", "stopping", "ended", "failed"]
    since: datetime
    at: AwareDatetime
    aims: Aims
    hops: list[Hop] = Field(max_length=20)
    rejected: Count
    """Since it began."""
    alerts: list[Alert] = Field(max_length=100)


def silence(status: StreamStatus) -> Alert:
    """Of one that should have told more since, as its program does not: it hangs, or nobody can hear it."""
    text = f"It has told nothing since {status.at:%Y-%m-%d %H:%M:%SZ}: its figures are as old as that."
    return Alert(hop="", what="silence", limit=SILENT_AFTER, since=status.at, text=text)


def speaks(status: StreamStatus) -> bool:
    """Whether it should tell once a second: while it makes ready, or writes its last batch, it does not."""
    return status.state == "running"


def status_in(progress: Any) -> StreamStatus | None:
    """What the progress of a run says of its stream, if it is one's."""
    told: Any = progress.get(STREAM) if isinstance(progress, dict) else None  # pyright: ignore[reportUnknownMemberType]
    return None if told is None else StreamStatus.model_validate(told)
