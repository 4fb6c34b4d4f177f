"""The time that leases go by: the database's, for workers on several machines must agree."""

from datetime import datetime

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database.base import now

# Any number, the same in every process: whoever gives out work holds it until the commit.
_LOCK = 7_203_443


async def database_time(session: AsyncSession) -> datetime:
    if session.get_bind().dialect.name != "postgresql":
        # A file has no clock; whoever can reach it is on this machine.
        return now()
    return (await session.execute(select(func.clock_timestamp()))).scalar_one()


async def alone(session: AsyncSession) -> None:
    """One at a time gives out or takes back work. On SQLite every change is so already."""
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
