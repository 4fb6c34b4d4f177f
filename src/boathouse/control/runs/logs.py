"""A run's log: in pages, and as it comes."""

from datetime import UTC, datetime
from typing import NamedTuple, Self

from sqlalchemy import and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.runs.models import LogChunk
from boathouse.control.runs.schemas import LogLine
from boathouse.kit.errors import InvalidInput


class Position(NamedTuple):
    """Up to which chunk somebody has read."""

    attempt: int = 0
    number: int = -1

    @classmethod
    def parse(cls, text: str | None) -> Self:
        if not text:
            return cls()
        attempt, _, number = text.partition(".")
        # What fits into a column; more digits are nobody's position.
        if not (attempt.isdecimal() and number.isdecimal() and len(attempt) < 9 and len(number) < 9):
            raise InvalidInput(f"{text!r} is not a place in a log.", hint="Give what a page before called `next`.")
        return cls(int(attempt), int(number))

    def __str__(self) -> str:
        return f"{self.attempt}.{max(self.number, 0)}" if self.attempt else ""


async def chunks(
    session: AsyncSession, run_id: str, after: Position, *, attempt: int | None = None, limit: int = 50
) -> list[LogChunk]:
    """The next ones, of one attempt or of all."""
    later = or_(
        LogChunk.attempt > after.attempt, and_(LogChunk.attempt == after.attempt, LogChunk.number > after.number)
    )
    query = select(LogChunk).where(LogChunk.run_id == run_id, later)
    if attempt is not None:
        query = query.where(LogChunk.attempt == attempt)
    query = query.order_by(LogChunk.attempt, LogChunk.number).limit(limit)
    return list((await session.scalars(query)).all())


def position_of(chunk: LogChunk) -> Position:
    return Position(chunk.attempt, chunk.number)


def lines_of(chunk: LogChunk) -> list[LogLine]:
    return [
        LogLine(at=datetime.fromtimestamp(at / 1000, UTC), attempt=chunk.attempt, stream=stream, text=text)
        for at, stream, text in chunk.lines
    ]
