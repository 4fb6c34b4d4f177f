"""The audit."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypedDict, Unpack

from boathouse.client.answers import Answer, Json
from boathouse.client.transport import Query, Transport, place


class AuditEntry(Answer):
    number: int
    at: datetime
    user_name: str | None
    address: str
    action: str
    workspace_id: str | None
    target: str
    result: str
    details: Json
    request_id: str


class Verified(Answer):
    holds: bool
    entries_from: int | None = None
    """The first entry at which it does not."""
    reason: str | None = None
    entries: int | None = None
    """How many there are."""
    head: str | None = None
    """The hash of the newest."""


class AuditFilter(TypedDict, total=False):
    """What is left out is not asked for."""

    user: str | None
    action: str | None
    """Such as `connection.create`, or `connection` for all that is done with one."""
    target: str | None
    """Anywhere in what it was done to."""
    result: str | None
    since: datetime | None
    until: datetime | None


@dataclass(frozen=True)
class Audit:
    transport: Transport

    def all(self, **wanted: Unpack[AuditFilter]) -> Iterator[AuditEntry]:
        """The newest first."""
        return self.transport.pages("/audit", AuditEntry, _query(wanted))

    def of_workspace(self, workspace: str, **wanted: Unpack[AuditFilter]) -> Iterator[AuditEntry]:
        return self.transport.pages(place("workspaces", workspace, "audit"), AuditEntry, _query(wanted))

    def verify(self, *, entries: int | None = None, head: str | None = None) -> Verified:
        """With both of an earlier answer: also whether what was there by then still is."""
        return self.transport.get("/audit/verify", Verified, {"entries": entries, "head": head})

    def export(
        self, *, form: Literal["jsonl", "csv"] = "jsonl", workspace: str | None = None, **wanted: Unpack[AuditFilter]
    ) -> Iterator[bytes]:
        """Entries as lines of JSON or rows of CSV, in pieces of any size; of a workspace, or of all."""
        path = "/audit/export" if workspace is None else place("workspaces", workspace, "audit", "export")
        return self.transport.content(path, {"format": form, **_query(wanted)})


def _query(wanted: AuditFilter) -> Query:
    since, until = wanted.get("since"), wanted.get("until")
    return {
        **{name: wanted.get(name) for name in ("user", "action", "target", "result")},
        "since": since.isoformat() if since else None,
        "until": until.isoformat() if until else None,
    }
