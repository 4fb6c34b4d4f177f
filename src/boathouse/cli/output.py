"""Rows on standard output: as a table for people, or as CSV, JSON or Markdown for what comes after."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from boathouse.cli.values import NULL, to_json, to_text, visible

Rows = Iterable[Sequence[Any]]


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
    write(columns, rows, Format.JSON if as_json else Format.TABLE)


def document(value: Any) -> None:
    """One JSON document, for a command whose answer is not a list."""
    sys.stdout.write(to_json(value).decode() + "\n")


def write(columns: Sequence[str], rows: Rows, form: Format, *, numeric: Sequence[bool] = ()) -> int:
    """Write the rows and count them."""
    counted = _Counted(rows)
    if form is Format.TABLE:
        _write_table(columns, counted, numeric or [False] * len(columns))
    else:
        _WRITERS[form](columns, counted, sys.stdout)
        sys.stdout.flush()
    return counted.count


class _Counted:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[Sequence[Any]]:
        for row in self._rows:
            self.count += 1
            yield row


def _write_table(columns: Sequence[str], rows: Rows, numeric: Sequence[bool]) -> None:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name, right in zip(columns, numeric, strict=True):
        table.add_column(Text(visible(name)), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    # A pipe has no width: what is wider than 80 characters must not be folded there.
    console = Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=1_000_000)
    console.print(table)


def _cell(value: Any) -> Text:
    return Text(NULL, style="dim") if value is None else Text(visible(to_text(value)))


def _write_csv(columns: Sequence[str], rows: Rows, out: TextIO) -> None:
    out.write(",".join(map(_csv_field, columns)) + "\n")
    out.writelines(",".join(map(_csv_field, row)) + "\n" for row in rows)


def _csv_field(value: Any) -> str:
    """A NULL is an empty field, an empty text is a quoted one, so that they can be told apart."""
    if value is None:
        return ""
    text = to_text(value)
    if text and not any(character in text for character in ',"\r\n'):
        return text
    return '"' + text.replace('"', '""') + '"'


def _write_json(columns: Sequence[str], rows: Rows, out: TextIO) -> None:
    """One array, a row a line, so that both a parser and `grep` can read it."""
    before = "["
    for row in rows:
        out.write(f"{before}\n{to_json(dict(zip(columns, row, strict=True))).decode()}")
        before = ","
    out.write("\n]\n" if before == "," else "[]\n")


def _write_markdown(columns: Sequence[str], rows: Rows, out: TextIO) -> None:
    out.write(_markdown_row(columns) + _markdown_row(["---"] * len(columns)))
    out.writelines(_markdown_row(row) for row in rows)


def _markdown_row(values: Sequence[Any]) -> str:
    cells = (visible(to_text(value)).replace("|", "\\|") for value in values)
    return f"| {' | '.join(cells)} |\n"


_WRITERS: dict[Format, Callable[[Sequence[str], Rows, TextIO], None]] = {
    Format.CSV: _write_csv,
    Format.JSON: _write_json,
    Format.MARKDOWN: _write_markdown,
}
