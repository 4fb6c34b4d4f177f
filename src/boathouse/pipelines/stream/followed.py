"""The tables that a pipeline follows, as they are known by now; they change while it runs."""

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from boathouse.kit.errors import Unavailable
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import ColumnType, Primitive, widens

_WHOLE = re.compile(r"-?\d{1,18}")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


class Followed:
    """By topic. `ask` tells what the source has now; of what it does not tell, values give an idea."""

    def __init__(self, tables: Mapping[str, SourceTable], ask: Callable[[], Mapping[str, SourceTable]]) -> None:
        self._tables = dict(tables)
        self._ask = ask
        self._turn = threading.Lock()

    def now(self) -> dict[str, SourceTable]:
        with self._turn:
            return dict(self._tables)

    def refresh(self) -> bool:
        """Whether anything is known that was not before."""
        try:
            told = self._ask()
        except Unavailable:
            # Then nothing more is known; what does not fit waits among the dead letters.
            return False
        with self._turn:
            before = dict(self._tables)
            for topic, table in told.items():
                known = self._tables.get(topic)
                self._tables[topic] = (
                    table
                    if known is None
                    else replace(known, columns=_merged(known, table), key=table.key or known.key)
                )
            return self._tables != before

    def add(self, topic: str, columns: Mapping[str, ColumnType]) -> None:
        """Those that are not known yet."""
        with self._turn:
            table = self._tables[topic]
            self._tables[topic] = replace(
                table,
                columns={
                    **table.columns,
                    **{name: kind for name, kind in columns.items() if name not in table.columns},
                },
            )

    def name_key(self, topic: str, key: Sequence[str]) -> None:
        """Of a table whose source cannot be asked."""
        with self._turn:
            self._tables[topic] = replace(self._tables[topic], key=tuple(key))

    def infer(self, topic: str, samples: Mapping[str, Iterable[str | None]]) -> None:
        """Columns that only events tell of, by what stands in them."""
        self.add(topic, {name: _kind(texts) for name, texts in samples.items()})


def _merged(known: SourceTable, told: SourceTable) -> dict[str, ColumnType]:
    """A column that was dropped is still in older events; a type only ever becomes wider."""
    merged = dict(known.columns)
    for name, kind in told.columns.items():
        if name not in merged or widens(merged[name], kind):
            merged[name] = kind
    return merged


def _kind(texts: Iterable[str | None]) -> ColumnType:
    given = [text for text in texts if text is not None]
    for name, fits in (("long", _WHOLE.fullmatch), ("double", _NUMBER.fullmatch), ("boolean", _is_boolean)):
        if given and all(fits(text) for text in given):
            return Primitive(name)
    return Primitive("string")


def _is_boolean(text: str) -> bool:
    return text in ("true", "false")
