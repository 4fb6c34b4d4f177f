"""The audit."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict, Unpack

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

    def verify(self) -> Verified:
        return self.transport.get("/audit/verify", Verified)

    def export(self) -> Iterator[bytes]:
        """Every entry as a line of JSON, in pieces of any size."""
        return self.transport.content("/audit/export")


def _query(wanted: AuditFilter) -> Query:
    since, until = wanted.get("since"), wanted.get("until")
    return {
        **{name: wanted.get(name) for name in ("user", "action", "target", "result")},
        "since": since.isoformat() if since else None,
        "until": until.isoformat() if until else None,
    }
