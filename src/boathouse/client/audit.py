"""The audit."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from boathouse.client.answers import Answer, Json
from boathouse.client.transport import Transport, place


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


@dataclass(frozen=True)
class Audit:
    transport: Transport

    def all(
        self,
        *,
        user: str | None = None,
        action: str | None = None,
        result: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Iterator[AuditEntry]:
        """The newest first."""
        query = {"user": user, "action": action, "result": result, "since": _moment(since), "until": _moment(until)}
        return self.transport.pages("/audit", AuditEntry, query)

    def of_workspace(self, workspace: str, *, action: str | None = None) -> Iterator[AuditEntry]:
        return self.transport.pages(place("workspaces", workspace, "audit"), AuditEntry, {"action": action})

    def verify(self) -> Verified:
        return self.transport.get("/audit/verify", Verified)

    def export(self) -> Iterator[bytes]:
        """Every entry as a line of JSON, in pieces of any size."""
        return self.transport.content("/audit/export")


def _moment(given: datetime | None) -> str | None:
    return given.isoformat() if given else None
