"""Runs of a workspace, their logs and their rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from boathouse.client.answers import Answer, Json
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
    progress: Json | None = None
    stages: tuple[Json, ...] = ()
    """Of Spark."""
    spark_jobs: tuple[Json, ...] = ()


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
    waits_for: str | None = None
    """Why it has not begun, if it waits."""
    attempts: list[Attempt]
    tasks: list[Task]


class LogLine(Answer):
    at: datetime
    attempt: int
    stream: str
    text: str


class LogPage(Answer):
    lines: list[LogLine]
    next: str | None
    """Where to go on; None if nothing was said so far, or if nothing more will be."""
    complete: bool


class Became(Answer):
    """A run is in another state than before."""

    state: str
    attempt: int
    error: str | None


class Ended(Answer):
    """A run is over, and this is the end of its log."""

    state: str
    error: str | None


Said = LogLine | Became | Ended
_EVENTS: Mapping[str, type[Said]] = {"line": LogLine, "state": Became, "end": Ended}


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
        otherwise: Literal["queue", "skip", "replace"] | None = None,
    ) -> Run:
        """Start a run. A key is made up, so that a repeat after a lost answer would make no second run.

        `otherwise` is what becomes of it if the job has no room: `replace` stops the run that is at work first.
        """
        # An empty key is somebody's mistake, which the server refuses: one made up instead would hide it.
        body = {"values": dict(values or {}), "version": version, "key": new_uuid() if key is None else key}
        body |= {"otherwise": otherwise} if otherwise else {}
        return self.transport.ask("POST", place("workspaces", workspace, "jobs", job, "runs"), Run, body)

    def all(
        self,
        workspace: str,
        *,
        job: str | None = None,
        state: str | None = None,
        requested_by: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Iterator[Run]:
        """The newest first; by when they were asked for."""
        wanted = {"job": job, "state": state, "requested_by": requested_by}
        times = {"since": since.isoformat() if since else None, "until": until.isoformat() if until else None}
        return self.transport.pages(_place(workspace), Run, {**wanted, **times})

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
        page = self.log_page(workspace, run_id, attempt=attempt)
        while page.lines:
            yield from page.lines
            page = self.log_page(workspace, run_id, attempt=attempt, after=page.next)

    def log_page(self, workspace: str, run_id: str, *, attempt: int | None = None, after: str | None = None) -> LogPage:
        """The next lines after a page's `next`."""
        query = {"attempt": attempt, "cursor": after}
        return self.transport.get(_place(workspace, run_id, "logs"), LogPage, query)

    def watch(self, workspace: str, run_id: str) -> Iterator[Said]:
        """Each line of its log and each state as they come, up to `Ended`. Of a flow see `boathouse.client.flow_log`."""
        for event in self.transport.stream(_place(workspace, run_id, "logs", "stream")):
            # A newer server may tell more than this client knows, and the end of a log that was read before is bare.
            if event.kind in _EVENTS and event.data:
                yield self.transport.understood(_EVENTS[event.kind], event.data)

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
