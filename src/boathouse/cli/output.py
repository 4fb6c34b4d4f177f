"""Rows on standard output: as a table for people, or as CSV, JSON or Markdown for what comes after."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import chain, islice
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from boathouse.cli.values import NULL, to_json, to_text, visible

_NOTHING = "-"
Rows = Iterable[Sequence[Any]]
_QUOTED = re.compile(r'[,"\r\n]')


class Format(StrEnum):
    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    MARKDOWN = "markdown"

    @property
    def streams(self) -> bool:
        """Whether the rows can be written as they come, because no width depends on the last of them."""
        return self in {Format.CSV, Format.JSON}


def notices() -> Console:
    """Where everything goes that is not the answer itself."""
    return Console(stderr=True, highlight=False)


def listing(columns: Sequence[str], rows: Rows, *, as_json: bool) -> None:
    """A command's own listing, as a table or as JSON."""
    if as_json:
        write(columns, rows, Format.JSON)
    else:
        _write_table(columns, rows, [False] * len(columns), _of_ours)


def facts(pairs: Iterable[tuple[str, Any]]) -> None:
    """Names and values, one pair a line."""
    table = Table.grid(padding=(0, 3))
    for name, value in pairs:
        table.add_row(Text(name, style="bold"), _of_ours(value))
    answers().print(table)


def document(value: Any) -> None:
    """One JSON document, for a command whose answer is not a list."""
    sys.stdout.write(to_json(value).decode() + "\n")


def write(columns: Sequence[str], rows: Rows, form: Format, *, numeric: Sequence[bool] = ()) -> int:
    """Write the rows and count them."""
    counted = _Counted(rows)
    if form is Format.TABLE:
        _write_table(columns, counted, numeric or [False] * len(columns), _of_data)
    else:
        _put(_WRITERS[form](columns, counted))
    return counted.count


class _Counted:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[Sequence[Any]]:
        for row in self._rows:
            self.count += 1
            yield row


def _write_table(columns: Sequence[str], rows: Rows, numeric: Sequence[bool], cell: Callable[[Any], Text]) -> None:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name, right in zip(columns, numeric, strict=True):
        table.add_column(Text(visible(name)), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(cell(value) for value in row))
    answers().print(table)


def answers() -> Console:
    """Where the answer itself goes."""
    # A pipe has no width: what is wider than 80 characters must not be folded there.
    return Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=1_000_000)


def _of_data(value: Any) -> Text:
    return Text(NULL, style="dim") if value is None else Text(visible(to_text(value)))


def _of_ours(value: Any) -> Text:
    """What a command tells is no data: nothing is not NULL, and nobody reads the microseconds of when it was."""
    if value is None:
        return Text(_NOTHING, style="dim")
    return Text(visible(to_text(value.replace(microsecond=0) if isinstance(value, datetime) else value)))


def _put(lines: Iterator[str]) -> None:
    """Many lines a write: one each would cost a system call each where output is not buffered."""
    while chunk := "".join(islice(lines, 1000)):
        sys.stdout.write(chunk)
    sys.stdout.flush()


def _csv_lines(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    for row in chain([columns], rows):
        yield ",".join(map(_csv_field, row)) + "\n"


def _csv_field(value: Any) -> str:
    """A NULL is an empty field, an empty text is a quoted one, so that they can be told apart."""
    if value is None:
        return ""
    text = to_text(value)
    return text if text and not _QUOTED.search(text) else '"' + text.replace('"', '""') + '"'


def _json_lines(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    """One array, a row a line, so that both a parser and `grep` can read it."""
    before = "[\n"
    for row in rows:
        yield before + to_json(dict(zip(columns, row, strict=True))).decode()
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _markdown_lines(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    for row in chain([columns, ["---"] * len(columns)], rows):
        yield _markdown_row(row)


def _markdown_row(values: Sequence[Any]) -> str:
    cells = (visible(to_text(value)).replace("|", "\\|") for value in values)
    return f"| {' | '.join(cells)} |\n"


_WRITERS: dict[Format, Callable[[Sequence[str], Rows], Iterator[str]]] = {
    Format.CSV: _csv_lines,
    Format.JSON: _json_lines,
    Format.MARKDOWN: _markdown_lines,
}
