"""Statements of an attempt, one after another, whatever the engine."""

from collections.abc import Iterator, Sequence

from boathouse.control.jobs.kinds.kind import Attempt
from boathouse.engines.statements import Statement
from boathouse.kit.errors import InvalidInput

_LONGEST = 120


def told(attempt: Attempt, statements: Sequence[Statement]) -> Iterator[Statement]:
    """Each of them, as the log says it begins."""
    if not statements:
        raise InvalidInput("There is no statement to run.", hint="The job's SQL holds only comments.")
    for number, statement in enumerate(statements, 1):
        attempt.log(f"Statement {number} of {len(statements)}: {_first_line(statement.text)}", stream="system")
        yield statement


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
