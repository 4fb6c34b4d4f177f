"""Pipelines of a workspace, what their runs did, and the rows that they rejected."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from boathouse.client.answers import Answer, Json
from boathouse.client.runs import Run
from boathouse.client.transport import Transport, place

# Each comes with what its last runs did.
_PAGE = 100


class Figures(Answer):
    run_id: str
    state: str
    trigger: str
    requested_by: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    report: Json | None


class Hop(Answer):
    """A stretch of a streaming pipeline's way."""

    name: str
    title: str
    to: str
    state: str
    events: int
    rate: float
    lag: int | None = None
    lag_bytes: int | None = None
    freshness: float | None = None
    batch: int | None = None
    batch_seconds: float | None = None
    last_at: datetime | None = None
    error: str | None = None


class Alert(Answer):
    hop: str
    what: str
    value: float | None = None
    limit: float | None = None
    since: datetime
    text: str


class Aims(Answer):
    events_per_second: float | None = None
    freshness: float | None = None
    lag: int | None = None


class StreamStatus(Answer):
    pipeline: str
    state: str
    since: datetime
    at: datetime
    aims: Aims
    hops: list[Hop]
    rejected: int
    alerts: list[Alert]


class Stream(Answer):
    """The run of a streaming pipeline that counts, and how it fares."""

    run_id: str
    values: Json
    state: str
    attempt: int
    stop_by: str | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    error: str | None
    status: StreamStatus | None
    silent_seconds: float | None = None


class Pipeline(Answer):
    job: str
    kind: str = "pipeline"
    version: int
    description: str
    paused: bool
    due_at: datetime | None
    table: str | None
    format: str | None
    lately: list[Figures]
    stream: Stream | None = None


class Standing(Answer):
    table: str
    rows: int | None
    committed_at: datetime | None
    rejects: int
    open: int


class Counted(Answer):
    value: str
    rows: int


class RejectsCounted(Answer):
    states: dict[str, int]
    reasons: list[Counted]
    loads: list[Counted]
    files: list[Counted]
    complete: bool
    seen: str | None = None


class Reject(Answer):
    id: str
    load_id: str
    file: str
    line: int | None
    reason: str
    rejected_at: datetime
    state: str
    raw: str | None
    mended: str | None
    note: str | None
    replay_id: str | None
    changed_by: str | None
    changed_at: datetime | None


class Changed(Answer):
    rows: int


@dataclass(frozen=True)
class Pipelines:
    transport: Transport

    def all(self, workspace: str) -> Iterator[Pipeline]:
        return self.transport.pages(place("workspaces", workspace, "pipelines"), Pipeline, {"limit": _PAGE})

    def streams(self, workspace: str) -> Iterator[Pipeline]:
        """Those that follow a stream."""
        query = {"limit": _PAGE, "kind": "stream"}
        return self.transport.pages(place("workspaces", workspace, "pipelines"), Pipeline, query)

    def get(self, workspace: str, job: str) -> Pipeline:
        return self.transport.get(_of(workspace, job), Pipeline)

    def history(self, workspace: str, job: str) -> Iterator[Figures]:
        """What each run did, the newest first."""
        return self.transport.pages(_of(workspace, job, "history"), Figures)

    def standing(self, workspace: str, job: str) -> Standing:
        """How its table and its rejects stand now."""
        return self.transport.get(_of(workspace, job, "standing"), Standing)

    def counts(self, workspace: str, job: str) -> RejectsCounted:
        """Of open rejects."""
        return self.transport.get(_of(workspace, job, "rejects", "counts"), RejectsCounted)

    def rejects(self, workspace: str, job: str, **filters: str) -> Iterator[Reject]:
        """The newest first; by `state`, `reason`, `load_id` or `file`."""
        return self.transport.pages(_of(workspace, job, "rejects"), Reject, filters)

    def mend(self, workspace: str, job: str, reject: str, raw: str) -> Reject:
        return self.transport.ask("PUT", _of(workspace, job, "rejects", reject, "mend"), Reject, {"raw": raw})

    def discard(self, workspace: str, job: str, chosen: Mapping[str, Any], note: str = "") -> int:
        """Rows by `ids`, `reason`, `load_id` or `file`, or with `everything`; how many there were.

        With `seen`, as `counts` tells it, none that came since.
        """
        body = {**chosen, "note": note}
        return self.transport.ask("POST", _of(workspace, job, "rejects", "discard"), Changed, body).rows

    def reopen(self, workspace: str, job: str, chosen: Mapping[str, Any]) -> int:
        return self.transport.ask("POST", _of(workspace, job, "rejects", "reopen"), Changed, dict(chosen)).rows

    def replay(self, workspace: str, job: str, chosen: Mapping[str, Any]) -> Run:
        """The run that replays them."""
        return self.transport.ask("POST", _of(workspace, job, "rejects", "replay"), Run, dict(chosen))


def _of(workspace: str, job: str, *parts: str) -> str:
    return place("workspaces", workspace, "pipelines", job, *parts)
