"""What has to be known of a statement's text before the engine has it: where its clauses and its data begin.

The engine parses; this reads tokens only, by ClickHouse's rules for quotes, comments and brackets.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from boathouse.stack.embedded_clickhouse.errors import ClickHouseError

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|--[^\n]*|\#[ !][^\n]*|/\*.*?(?:\*/|\Z))
  | (?P<quoted>'(?:[^'\\]|\\.|'')*'?|"(?:[^"\\]|\\.|"")*"?|`(?:[^`\\]|\\.|``)*`?|(?P<here>\$\w*\$).*?(?:(?P=here)|\Z))
  | (?P<word>[^\W\d]\w*)
  | (?P<number>\d[\w.]*)
  | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_OPEN, _CLOSE = "([{", ")]}"
_SELECTS = {"SELECT", "WITH", "FROM", "("}
_VERBS = {"INSERT", "CREATE", "ALTER", "DROP", "SHOW", "SET", "USE", "KILL", "OPTIMIZE", "SYSTEM", "EXPLAIN", "DELETE"}
_READONLY = {"`readonly`", '"readonly"'}
_NAMES_FOLLOW = {".", "INTO", "TABLE", "FUNCTION"}
_CALL = re.compile(r"\s*\(")
_BLANKS = re.compile(r"[ \t\f]*\r?\n?")


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int
    depth: int

    @property
    def word(self) -> str:
        """In capitals, if it is a word; quoted names are none."""
        return self.text.upper() if self.kind == "word" else ""


def tokens(sql: str) -> Iterator[Token]:
    """Everything but space and comments."""
    depth = 0
    for found in _TOKEN.finditer(sql):
        kind = str(found.lastgroup)
        if kind == "space":
            continue
        text = found.group()
        if kind == "sign" and text in _CLOSE:
            depth -= 1
        yield Token("quoted" if kind == "here" else kind, text, found.start(), found.end(), depth)
        if kind == "sign" and text in _OPEN:
            depth += 1


@dataclass(frozen=True)
class Insert:
    head: str
    """Without its FORMAT."""
    format: str
    data_at: int
    """Where in the text its data begins, in characters."""
    input_at: int | None = None
    """Where it says input() to read its data, if it does not take it as it is."""

    def reading(self, path: str) -> str:
        """The same as a statement that reads its data from a file: the engine's input() reads nothing."""
        start = self.input_at or 0
        _, bracket, argument, *_ = tokens(self.head[start:])
        if argument.text == ")":
            raise ClickHouseError(48, "NOT_IMPLEMENTED", "input() needs the structure of its data here")
        read = f"file({quoted(path)}, {quoted(self.format)}, "
        return self.head[:start] + read + self.head[start + bracket.end :]


def insert_with_data(sql: str) -> Insert | None:
    """An INSERT that is followed by its data; None for any other statement."""
    before, selects, input_at = "", False, None
    found = tokens(sql)
    for token in found:
        if not before and token.word != "INSERT":
            return None
        if token.depth == 0 and before not in _NAMES_FOLLOW and sql[token.end : token.end + 1] != ".":
            if token.word == "VALUES" and not selects:
                return Insert(sql[: token.start], "Values", token.end)
            if token.word == "FORMAT" and (input_at is not None or not selects):
                name = next(found, None)
                if name is None or name.kind != "word":
                    return None
                return Insert(sql[: token.start], name.text, _data_after(sql, name.end), input_at)
        selects = selects or token.word in {"SELECT", "WATCH"}
        input_at = token.start if selects and _is_input(sql, token) else input_at
        before = token.word or token.text
    return None


def _is_input(sql: str, token: Token) -> bool:
    return token.word == "INPUT" and _CALL.match(sql, token.end) is not None


def _data_after(sql: str, end: int) -> int:
    """After a format's name: past blanks, and past one end of line."""
    found = _BLANKS.match(sql, end)
    return found.end() if found else end


@dataclass(frozen=True)
class Statement:
    text: str
    """Up to the last token, without a semicolon."""
    verb: str
    format: str | None
    format_at: int
    """Where FORMAT stands, or could."""
    several: bool
    """Whether more statements follow."""
    own_files: bool
    """Whether it names a file that only the server's own client could mean."""
    takes_input: bool
    """Whether it calls input()."""
    names_readonly: bool
    """Whether it says `readonly` anywhere."""
    ends_with_settings: bool
    """Whether settings follow its FORMAT."""

    @property
    def selects(self) -> bool:
        return self.verb in _SELECTS

    @property
    def kind(self) -> str:
        """For the log and the figures: one of few."""
        return "select" if self.selects else self.verb.lower() if self.verb in _VERBS else "other"

    def written_to(self, path: str, default_format: str, settings: Mapping[str, str]) -> str:
        """The same, but that its result goes to a file, under some settings more."""
        tail = f"\nFORMAT {default_format}" if self.format is None else f"\n{self.text[self.format_at :]}"
        if settings:
            tail += ", " if self.ends_with_settings else " SETTINGS "
            tail += ", ".join(f"{name} = {quoted(value)}" for name, value in settings.items())
        return f"{self.text[: self.format_at]}\nINTO OUTFILE '{path}' TRUNCATE{tail}"


def read_statement(sql: str) -> Statement:
    found = list(tokens(sql))
    ends = [i for i, token in enumerate(found) if token.text == ";" and token.depth == 0]
    several = bool(ends) and any(token.text != ";" for token in found[ends[0] :])
    kept = found[: ends[0]] if ends else found
    end = kept[-1].end if kept else 0
    name, at = _format_of(kept, end)
    return Statement(
        text=sql[:end],
        verb=(kept[0].word or kept[0].text) if kept else "",
        format=name,
        format_at=at,
        several=several,
        own_files=_names_files(kept),
        takes_input=any(_is_input(sql, token) for token in kept),
        names_readonly=any(token.word == "READONLY" or token.text in _READONLY for token in kept),
        ends_with_settings=name is not None and any(token.start > at and token.word == "SETTINGS" for token in kept),
    )


def _format_of(found: list[Token], end: int) -> tuple[str | None, int]:
    for i in range(len(found) - 2, 0, -1):
        named_there = found[i].word == "FORMAT" and found[i].depth == 0 and found[i + 1].kind == "word"
        if named_there and (i + 2 == len(found) or found[i + 2].word == "SETTINGS"):
            return found[i + 1].text, found[i].start
    return None, end


def _names_files(found: list[Token]) -> bool:
    pairs = itertools.pairwise(found)
    return any((a.word, b.word) in {("INTO", "OUTFILE"), ("FROM", "INFILE")} for a, b in pairs)


def quoted(text: str) -> str:
    """As a string in SQL."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def named(name: str) -> str:
    """As a name in SQL."""
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
