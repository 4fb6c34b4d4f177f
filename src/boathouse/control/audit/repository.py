"""Reading the audit."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.audit.models import AuditEntry


@dataclass(frozen=True)
class Wanted:
    workspace_id: str | None = None
    user: str | None = None
    action: str | None = None
    """Such as `connection.create`, or `connection` for all that is done with one."""
    target: str | None = None
    """Anywhere in it."""
    result: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        same = {AuditEntry.workspace_id: self.workspace_id, AuditEntry.user_name: self.user}
        yield from (column == value for column, value in (same | {AuditEntry.result: self.result}).items() if value)
        if self.action:
            nouns = AuditEntry.action.startswith(f"{self.action}.", autoescape=True)
            yield or_(AuditEntry.action == self.action, nouns)
        if self.target:
            yield AuditEntry.target.icontains(self.target, autoescape=True)
        if self.since is not None:
            yield AuditEntry.at >= self.since
        if self.until is not None:
            yield AuditEntry.at < self.until


async def find(session: AsyncSession, wanted: Wanted, *, before: int | None, limit: int) -> list[AuditEntry]:
    """The newest first."""
    query = select(AuditEntry).where(*wanted.conditions()).order_by(AuditEntry.number.desc()).limit(limit)
    if before is not None:
        query = query.where(AuditEntry.number < before)
    return list((await session.scalars(query)).all())
