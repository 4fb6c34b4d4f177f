"""The chain: each entry holds the hash of the one before, so that none but the newest can be changed or taken out alone."""

from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import orjson
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.audit.models import AuditEntry
from boathouse.control.database.base import now
from boathouse.kit.ids import new_uuid

FIRST = "0" * 64
# Any number, the same in every process: whoever appends holds it until the commit, so that the order is the commits'.
_LOCK = 7_203_442
_AT_ONCE = 1000


@dataclass(frozen=True)
class NewEntry:
    user_id: str | None
    user_name: str | None
    address: str
    action: str
    workspace_id: str | None
    target: str
    result: str
    details: dict[str, Any]
    request_id: str


@dataclass(frozen=True)
class Head:
    """The newest entry: who keeps it elsewhere can tell later whether what was there by then still is."""

    number: int
    hash: str


@dataclass(frozen=True)
class Fault:
    """Where the chain does not hold."""

    number: int
    reason: str


def done_at_the_machine(action: str, target: str, **details: Any) -> NewEntry:
    """By whoever may start programs there, where nobody logs in."""
    return NewEntry(
        user_id=None,
        user_name=None,
        address="",
        action=action,
        workspace_id=None,
        target=target,
        result="done",
        details=details,
        request_id=new_uuid(),
    )


async def append(session: AsyncSession, entry: NewEntry) -> None:
    """Last in its transaction: others that change something wait from here to the commit."""
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    last = (
        await session.execute(select(AuditEntry.number, AuditEntry.hash).order_by(AuditEntry.number.desc()).limit(1))
    ).first()
    number, previous = (last.number + 1, last.hash) if last else (1, FIRST)
    fields = {**asdict(entry), "number": number, "at": now()}
    session.add(AuditEntry(**fields, previous=previous, hash=link(previous, fields)))
    await session.flush()


def link(previous: str, fields: dict[str, Any]) -> str:
    at: datetime = fields["at"]
    told = {**fields, "at": at.astimezone(UTC).isoformat(timespec="microseconds")}
    return sha256(previous.encode() + orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()


async def verify(session: AsyncSession, expected: Head | None = None) -> Head | Fault:
    """The newest entry, or the first place at which the chain does not hold.

    Whoever owns the database can write a chain that holds: only a head that was kept elsewhere tells it from this one.
    """
    number, previous = 0, FIRST
    async for entry in _all(session):
        number += 1
        if entry.number != number:
            return Fault(number, "it is missing")
        if entry.previous != previous or entry.hash != link(previous, fields_of(entry)):
            return Fault(number, "it was changed")
        if expected is not None and (number, entry.hash) == (expected.number, expected.hash):
            expected = None
        previous = entry.hash
    if expected is not None:
        missing = expected.number > number
        return Fault(expected.number, "it is missing" if missing else "it is not the one that was there")
    return Head(number, previous)


def fields_of(entry: AuditEntry) -> dict[str, Any]:
    """All that the hash covers."""
    names = (*NewEntry.__dataclass_fields__, "number", "at")
    return {name: getattr(entry, name) for name in names}


async def _all(session: AsyncSession) -> AsyncIterator[AuditEntry]:
    after = 0
    while True:
        wanted = select(AuditEntry).where(AuditEntry.number > after).order_by(AuditEntry.number).limit(_AT_ONCE)
        page = (await session.scalars(wanted)).all()
        for entry in page:
            yield entry
        if len(page) < _AT_ONCE:
            return
        after = page[-1].number
