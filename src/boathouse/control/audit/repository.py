"""Reading the audit."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.audit.models import AuditEntry


@dataclass(frozen=True)
class Wanted:
    workspace_id: str | None = None
    user: str | None = None
    action: str | None = None
    result: str | None = None
    since: datetime | None = None
    until: datetime | None = None


async def find(session: AsyncSession, wanted: Wanted, *, before: int | None, limit: int) -> list[AuditEntry]:
    """The newest first."""
    query = select(AuditEntry).order_by(AuditEntry.number.desc()).limit(limit)
    same = {"workspace_id": wanted.workspace_id, "user_name": wanted.user, "action": wanted.action}
    query = query.filter_by(**{name: value for name, value in (same | {"result": wanted.result}).items() if value})
    if before is not None:
        query = query.where(AuditEntry.number < before)
    if wanted.since is not None:
        query = query.where(AuditEntry.at >= wanted.since)
    if wanted.until is not None:
        query = query.where(AuditEntry.at < wanted.until)
    return list((await session.scalars(query)).all())
