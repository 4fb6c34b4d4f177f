"""A statement of a text in SQL, and a place in it: what every engine's errors point at."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Statement:
    text: str
    line: int = 1
    """The line of the whole text that the statement starts on."""


@dataclass(frozen=True)
class Position:
    """A place in a statement: line and column count from one."""

    line: int
    column: int
    length: int

    def point(self, statement: str, *, first_line: int = 1) -> str:
        """The statement's line with carets under the place."""
        text = statement.splitlines()[self.line - 1] if self.line <= len(statement.splitlines()) else ""
        head = f"line {self.line + first_line - 1}: "
        width = max(1, min(self.length, len(text) - self.column + 1))
        return f"{head}{text}\n{' ' * (len(head) + self.column - 1)}{'^' * width}"
