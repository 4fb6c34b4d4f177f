"""SQL text cut into statements, the way Trino reads quotes and comments, and parameters bound to them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from boathouse.engines.statements import Statement
from boathouse.engines.trino.literals import literal, quoted

_TOKEN = re.compile(
    r"""
    (?P<comment>   --[^\n]* | /\*.*?(?:\*/|\Z)  )
  | (?P<quoted>    '(?:''|[^'])*(?:'|\Z) | "(?:""|[^"])*(?:"|\Z)  )
  | (?P<name>      :[A-Za-z_]\w*  )
  | (?P<end>       ;  )
  | (?P<word>      [A-Za-z_]\w*  )
    """,
    re.VERBOSE | re.DOTALL,
)
# What these open is ended by END and the same word, which opens nothing.
_ENDED_BY_NAME = {"IF", "LOOP", "WHILE", "REPEAT"}
_EXECUTE = "EXECUTE IMMEDIATE "


@dataclass(frozen=True)
class _Token:
    kind: str
    start: int
    end: int


@dataclass(frozen=True)
class Bound:
    """A statement as it is sent. Each place of it is where it was in the text that was given."""

    sql: str
    shift: int = 0
    """How far to the right Trino sees what it cannot parse."""


def split(text: str) -> list[Statement]:
    """The statements of the text, without their semicolons. One that holds only comments is left out."""
    found: list[Statement] = []
    start = 0
    for end in [*_ends(text), len(text)]:
        part = text[start:end]
        if _code(part):
            blank = len(part) - len(part.lstrip())
            found.append(Statement(part.strip(), text.count("\n", 0, start + blank) + 1))
        start = end + 1
    return found


def bound(text: str, values: Mapping[str, Any]) -> Bound:
    """The statement with each `:name` that has a value bound to it. The values are beside the text, never in it."""
    parts: list[str] = []
    given: list[str] = []
    done = 0
    for token in _tokens(text):
        name = text[token.start + 1 : token.end]
        if token.kind == "name" and name in values:
            # As wide as the name was, so that what comes after it stays in its place.
            parts += [text[done : token.start], "?".ljust(token.end - token.start)]
            given.append(literal(values[name]))
            done = token.end
    if not given:
        return Bound(text)
    marked = "".join((*parts, text[done:]))
    return Bound(f"{_EXECUTE}{quoted(marked)} USING {', '.join(given)}", shift=len(_EXECUTE) + 1)


def _ends(text: str) -> Iterator[int]:
    """Where the semicolons are that end a statement."""
    words: list[str] = []
    depth = 0
    for token in _tokens(text):
        if token.kind == "word":
            words.append(text[token.start : token.end].upper())
            depth += _opens(*words[-2:]) if len(words) > 1 and _defines_function(words) else 0
        elif token.kind == "end" and depth > 0:
            words.append(";")
        elif token.kind == "end":
            yield token.start
            words.clear()


def _defines_function(words: list[str]) -> bool:
    """Whether a statement that begins so holds statements of its own, between BEGIN and END."""
    return "FUNCTION" in words[1:4] and words[0] in {"CREATE", "WITH"}


def _opens(before: str, word: str) -> int:
    """How much deeper the word leads. END closes BEGIN and CASE; `END IF` and the like close what was not counted."""
    if before == "END" and word in {*_ENDED_BY_NAME, "CASE"}:
        return 0 if word == "CASE" else 1
    return 1 if word in {"BEGIN", "CASE"} else -1 if word == "END" else 0


def _code(text: str) -> str:
    """The text without its comments."""
    parts: list[str] = []
    done = 0
    for token in _tokens(text):
        if token.kind == "comment":
            parts.append(text[done : token.start])
            done = token.end
    return " ".join((*parts, text[done:])).strip()


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        yield _Token(found.lastgroup or "", found.start(), found.end())
