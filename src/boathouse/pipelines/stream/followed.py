"""The tables that a pipeline follows, as they are known by now; they change while it runs."""

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from boathouse.pipelines.stream.log_columns import Columns, merged
from boathouse.pipelines.stream.own_columns import alike, without_ours
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import ColumnType, Primitive, fits, widens

# What begins with a zero, such as 01234, is no number that a program would count with.
_WHOLE = re.compile(r"-?(0|[1-9]\d{0,17})")
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?")


class Followed:
    """By topic. `ask` tells what the source has now; of what it does not tell, values give an idea."""

    def __init__(self, tables: Mapping[str, SourceTable], ask: Callable[[], Mapping[str, SourceTable]]) -> None:
        self._tables = dict(tables)
        self._ask = ask
        self._turn = threading.Lock()
        self._put_off: Callable[[], None] | None = None

    def now(self) -> dict[str, SourceTable]:
        with self._turn:
            return dict(self._tables)

    def refresh(self) -> bool:
        """Whether anything is known that was not before."""
        # Unavailable is the hop's, which tries again: a type that is guessed meanwhile would stay, and never be the source's.
        told = {topic: replace(one, columns=without_ours(one.columns)) for topic, one in self._ask().items()}
        with self._turn:
            before = dict(self._tables)
            for topic, table in told.items():
                known = self._tables.get(topic)
                self._tables[topic] = (
                    table
                    if known is None
                    else replace(known, columns=_merged(known.columns, table.columns), key=table.key or known.key)
                )
            return self._tables != before

    def read_from(self, places: Mapping[str, int]) -> None:
        """Where in the source's log the rows of each table were read at the earliest, by the table's name."""
        with self._turn:
            for topic, table in self._tables.items():
                self._tables[topic] = replace(table, rows_from=places.get(table.name, table.rows_from))

    def add(self, topic: str, columns: Mapping[str, ColumnType]) -> None:
        """Those that are not known yet."""
        with self._turn:
            table = self._tables[topic]
            news = {name: kind for name, kind in without_ours(columns).items() if name not in table.columns}
            self._tables[topic] = replace(table, columns=_merged(table.columns, news))

    def keep(self, topic: str, columns: Mapping[str, ColumnType]) -> list[str]:
        """Those of the table in the lake, which give way only to wider ones; the names of those that the source has otherwise."""
        with self._turn:
            table = self._tables[topic]
            merged = _merged(without_ours(columns), table.columns)
            # In the source's order, as its events have them.
            there = {name: merged[name] for name in table.columns if name in merged}
            self._tables[topic] = replace(table, columns={**there, **merged})
            return [name for name, kind in there.items() if not fits(table.columns[name], kind)]

    def have_had(self, columns: Columns) -> None:
        """By the tables' names, with types that their changes so far fit."""
        with self._turn:
            for topic, table in self._tables.items():
                before = without_ours(columns.get(table.name, {}))
                self._tables[topic] = replace(table, columns=merged(before, table.columns))

    def name_key(self, topic: str, key: Sequence[str]) -> None:
        """Of a table whose source cannot be asked."""
        with self._turn:
            self._tables[topic] = replace(self._tables[topic], key=tuple(key))

    def put_off(self, ask: Callable[[], None]) -> None:
        """Who knows more of the tables is away; `ask` asks them again."""
        self._put_off = ask

    def ask_what_was_put_off(self) -> None:
        """Before anything is written to those who were away."""
        if self._put_off is not None:
            self._put_off()
            self._put_off = None

    def infer(self, topic: str, samples: Mapping[str, Iterable[str | None]]) -> None:
        """Columns that only events tell of, by what stands in them."""
        self.add(topic, {name: _kind(texts) for name, texts in samples.items()})


def _merged(known: Mapping[str, ColumnType], told: Mapping[str, ColumnType]) -> dict[str, ColumnType]:
    """A column that was dropped is still in older events; a type only ever becomes wider. One that is called as another is nobody's."""
    merged = dict(known)
    for name, kind in told.items():
        if widens(merged[name], kind) if name in merged else not alike(name, merged):
            merged[name] = kind
    return merged


def _kind(texts: Iterable[str | None]) -> ColumnType:
    given = [text for text in texts if text is not None]
    for name, is_one in (("long", _WHOLE.fullmatch), ("double", _is_double), ("boolean", _is_boolean)):
        if given and all(is_one(text) for text in given):
            return Primitive(name)
    return Primitive("string")


def _is_double(text: str) -> bool:
    """Not one of more digits than a double has."""
    return _NUMBER.fullmatch(text) is not None and Decimal(text) == Decimal(repr(float(text)))


def _is_boolean(text: str) -> bool:
    return text in ("true", "false")
