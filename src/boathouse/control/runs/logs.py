"""A run's log: in pages, and as it comes."""

from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database.base import table_of
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


class Chunk(NamedTuple):
    attempt: int
    number: int
    lines: list[Any]


# Written once, and of columns: whoever follows a log asks several times a second.
_CHUNKS = table_of(LogChunk)
_LATER = (
    select(_CHUNKS.c.attempt, _CHUNKS.c.number, _CHUNKS.c.lines)
    .where(
        _CHUNKS.c.run_id == bindparam("run"),
        or_(
            _CHUNKS.c.attempt > bindparam("after_attempt"),
            and_(_CHUNKS.c.attempt == bindparam("after_attempt"), _CHUNKS.c.number > bindparam("after_number")),
        ),
    )
    .order_by(_CHUNKS.c.attempt, _CHUNKS.c.number)
    .limit(bindparam("most"))
)
_LATER_OF_ATTEMPT = _LATER.where(_CHUNKS.c.attempt == bindparam("attempt"))


async def chunks(
    session: AsyncSession, run_id: str, after: Position, *, attempt: int | None = None, limit: int = 50
) -> list[Chunk]:
    """The next ones, of one attempt or of all."""
    query = _LATER if attempt is None else _LATER_OF_ATTEMPT
    given = {"run": run_id, "after_attempt": after.attempt, "after_number": after.number, "most": limit}
    found = await session.execute(query, given if attempt is None else {**given, "attempt": attempt})
    return [Chunk(*row) for row in found]


def position_of(chunk: Chunk) -> Position:
    return Position(chunk.attempt, chunk.number)


def lines_of(chunk: Chunk) -> list[LogLine]:
    return [
        LogLine(at=datetime.fromtimestamp(at / 1000, UTC), attempt=chunk.attempt, stream=stream, text=text)
        for at, stream, text in chunk.lines
    ]
