"""Runs of a workspace, their logs and their rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from boathouse.client.answers import Answer, Json
from boathouse.client.events import Event
from boathouse.client.transport import Transport, place
from boathouse.kit.ids import new_uuid

ENDED = frozenset({"succeeded", "failed", "cancelled", "timed-out"})


class Attempt(Answer):
    number: int
    worker: str
    state: str
    claimed_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    error: str | None


class Run(Answer):
    id: str
    job: str
    version: int
    kind: str
    values: Json
    trigger: str
    requested_by: str
    scheduled_for: datetime | None
    state: str
    attempt: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    error: str | None
    progress: Json | None
    result: Json | None
    report: Json | None = None


class RunInShort(Answer):
    id: str
    state: str
    trigger: str
    attempt: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    error: str | None


class JobsRuns(Answer):
    job: str
    runs: list[RunInShort]


class Task(Answer):
    name: str
    kind: str
    job: str | None
    after: list[str]
    run: Run | None


class RunInFull(Run):
    attempts: list[Attempt]
    tasks: list[Task]


class LogLine(Answer):
    at: datetime
    attempt: int
    stream: str
    text: str


class _LogPage(Answer):
    lines: list[LogLine]
    next: str | None
    complete: bool


class Column(Answer):
    name: str
    type: str


class Rows(Answer):
    columns: list[Column]
    rows: list[list[Any]]
    total: int
    truncated: bool
    next: str | None


@dataclass(frozen=True)
class Runs:
    transport: Transport

    def submit(
        self,
        workspace: str,
        job: str,
        values: Mapping[str, Any] | None = None,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> Run:
        """Start a run. A key is made up, so that a repeat after a lost answer would make no second run."""
        body = {"values": dict(values or {}), "version": version, "key": key or new_uuid()}
        return self.transport.ask("POST", place("workspaces", workspace, "jobs", job, "runs"), Run, body)

    def all(self, workspace: str, *, job: str | None = None, state: str | None = None) -> Iterator[Run]:
        """The newest first."""
        return self.transport.pages(_place(workspace), Run, {"job": job, "state": state})

    def by_job(self, workspace: str, *, runs: int = 30) -> Iterator[JobsRuns]:
        """Each job with its last runs, the newest first."""
        return self.transport.pages(
            place("workspaces", workspace, "runs-by-job"), JobsRuns, {"runs": runs, "limit": 50}
        )

    def get(self, workspace: str, run_id: str) -> RunInFull:
        return self.transport.get(_place(workspace, run_id), RunInFull)

    def stop(self, workspace: str, run_id: str) -> Run:
        return self.transport.ask("POST", _place(workspace, run_id, "stop"), Run)

    def retry(self, workspace: str, run_id: str) -> Run:
        """Another attempt in the same run; of a flow, at what did not succeed."""
        return self.transport.ask("POST", _place(workspace, run_id, "retry"), Run)

    def log(self, workspace: str, run_id: str, *, attempt: int | None = None) -> Iterator[LogLine]:
        """What there is by now."""
        cursor: str | None = None
        while True:
            query = {"attempt": attempt, "cursor": cursor}
            page = self.transport.get(_place(workspace, run_id, "logs"), _LogPage, query)
            yield from page.lines
            if not page.lines:
                return
            cursor = page.next

    def watch(self, workspace: str, run_id: str) -> Iterator[Event]:
        """`line` and `state` events as they come, up to `end`, when the run is over."""
        return self.transport.stream(_place(workspace, run_id, "logs", "stream"))

    def rows(
        self,
        workspace: str,
        run_id: str,
        *,
        offset: int = 0,
        limit: int = 500,
        order_by: int | None = None,
        descending: bool = False,
    ) -> Rows:
        """Some of the rows that are kept, as they came or in the order of a column, which is named by its number."""
        query = {"offset": offset, "limit": limit, "order_by": order_by, "descending": str(descending).lower()}
        return self.transport.get(_place(workspace, run_id, "result"), Rows, query)

    def download(self, workspace: str, run_id: str, *, form: Literal["csv", "parquet"] = "csv") -> Iterator[bytes]:
        """All rows that are kept, as a file: piece by piece as it comes."""
        return self.transport.content(_place(workspace, run_id, "result", "download"), {"format": form})


def _place(workspace: str, *parts: str) -> str:
    return place("workspaces", workspace, "runs", *parts)
