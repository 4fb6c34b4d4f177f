"""SQL text cut into statements, the way Spark reads quotes and comments."""

import re
from collections.abc import Iterator

from boathouse.engines.statements import Statement

_TOKEN = re.compile(
    r"""
    (?P<comment>   --[^\n]*            )
  | (?P<block>     /\*                 )
  | (?P<raw>       \b[rR](?:'[^']*(?:'|\Z)|"[^"]*(?:"|\Z))  )
  | (?P<quoted>    '(?:\\.|[^\\'])*(?:'|\Z)
                 | "(?:\\.|[^\\"])*(?:"|\Z)
                 | `[^`]*(?:`|\Z)      )
  | (?P<end>       ;                   )
    """,
    re.VERBOSE | re.DOTALL,
)
_BLOCK_EDGE = re.compile(r"/\*|\*/")
_SCRIPT = re.compile(r"BEGIN\b", re.IGNORECASE)


def split(text: str) -> list[Statement]:
    """The statements of the text, without their semicolons. One that holds only comments is left out.

    A script (BEGIN … END) has semicolons of its own, so everything from its BEGIN is one statement.
    """
    return list(_statements(text))


def is_complete(text: str) -> bool:
    """Whether the last statement is ended by a semicolon, so that a prompt need not ask for more."""
    ends = list(_ends(text))
    return bool(ends) and not _code(text[ends[-1] + 1 :])


def _statements(text: str) -> Iterator[Statement]:
    start = 0
    for end in [*_ends(text), len(text)]:
        part = text[start:end]
        if _SCRIPT.match(_code(part)):
            yield _statement(text, start, len(text))
            return
        if _code(part):
            yield _statement(text, start, end)
        start = end + 1


def _statement(text: str, start: int, end: int) -> Statement:
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    return Statement(part.strip(), text.count("\n", 0, start) + 1)


def _ends(text: str) -> Iterator[int]:
    """Where the semicolons are that end a statement."""
    for kind, start, _ in _tokens(text):
        if kind == "end":
            yield start


def _code(text: str) -> str:
    """The text without its comments."""
    parts: list[str] = []
    done = 0
    for kind, start, end in _tokens(text):
        if kind in {"comment", "block"}:
            parts.append(text[done:start])
            done = end
    return " ".join((*parts, text[done:])).strip()


def _tokens(text: str) -> Iterator[tuple[str | None, int, int]]:
    at = 0
    while token := _TOKEN.search(text, at):
        at = _end_of_block(text, token.end()) if token.lastgroup == "block" else token.end()
        yield token.lastgroup, token.start(), at


def _end_of_block(text: str, at: int) -> int:
    """The end of a block comment, which may hold others."""
    depth = 1
    while depth and (edge := _BLOCK_EDGE.search(text, at)):
        depth += 1 if edge[0] == "/*" else -1
        at = edge.end()
    return at if depth == 0 else len(text)
