"""Sums that stay right whatever comes: counted anew from the rows where changes alone do not tell what they should be.

A change tells what its row was before, and by that the sums go along with it. That is wrong after a change of the row
that was rejected, and of one that comes late or twice, or that does not tell the whole row. Such tables are noted in
ClickHouse, and counted anew by whoever writes their rows, so that nothing is written meanwhile.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as _compute

from boathouse.kit.ids import new_uuid
from boathouse.pipelines.stream import old_rows
from boathouse.pipelines.stream.clickhouse import Warehouse
from boathouse.pipelines.stream.clickhouse_tables import count_beside, put_counted
from boathouse.pipelines.stream.order import NOWHERE, Order, greatest, least
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import Rollup
from boathouse.pipelines.stream.targets import REBUILT_SUFFIX, own_name

pc: Any = _compute
# At most this part of the time goes into counting, however often there is a reason.
_SHARE = 0.05
_LOOK_EVERY = 5.0
# No key of an event begins so: they are JSON.
_REPLAYED = "replayed/"
# Of these each comes after any before it in its partition. Of a snapshot's rows all have the same place.
_ORDERED = pa.array(["c", "u", "d"])
_SNAPSHOT = "r"


@dataclass
class Sums:
    warehouse: Warehouse
    database: str
    rollups: Sequence[Rollup]
    tables: Callable[[], Iterable[SourceTable]]
    """That are followed by now."""
    _noted: set[tuple[str, str]] | None = None
    """Tables and keys of which a change was rejected; with what is no key, tables that are to be counted."""
    _changed: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Of those, what has changed since."""
    _last: dict[tuple[str, int], Order] = field(default_factory=dict[tuple[str, int], Order])
    """By table and partition, of what this process has seen."""
    _at_start: dict[str, Order] = field(default_factory=dict[str, Order])
    """By table: the last that was there before, of all partitions."""
    _again_at: float = 0.0
    _look_at: float = 0.0

    def of(self, table: SourceTable) -> list[Rollup]:
        return rollups_of(table, self.rollups)

    def watch(self, table: SourceTable, rows: Any, before: str) -> None:
        """Before they are written: whether their sums can be told by them. Rows are as they were judged, of one table.

        `before` is the column of what they were before.
        """
        noted = self._all_noted()
        bad = rows.filter(pc.is_valid(rows["problem"]))
        good = rows.filter(pc.is_null(rows["problem"]))
        marks = {(table.name, key) for key in pc.unique(bad["key"]).to_pylist() if key}
        if noted or marks:
            # Asked of what the batch has: noted there may be ever more, of rows that change no more.
            keys = {(table.name, key) for key in pc.unique(good["key"]).to_pylist() if key and not _is_due(key)}
            # Those of this batch too: which of a key's changes came first, its rows do not tell.
            again = {mark for mark in keys if mark in noted or mark in marks}
            # One of which the last was rejected stays noted: the next one is wrong again.
            self._changed = (self._changed | again) - marks
            marks |= {(table.name, "")} if again else set()
        # A snapshot that is begun anew, or taken of a part, brings rows that are there already.
        is_repeated = pc.any(pc.equal(good["op"], _SNAPSHOT)).as_py()
        if is_repeated or self._late(table, good) or old_rows.are_untold(table, good, before):
            marks.add((table.name, ""))
        self.note(marks)

    def note(self, marks: set[tuple[str, str]]) -> None:
        new = marks - self._all_noted()
        if new:
            self.warehouse.note_odd(sorted(new))
            self._all_noted().update(new)

    def settle(self, *, at_once: bool = False) -> None:
        """Count what is to be counted; unless `at_once`, not if that was done a moment ago."""
        now = time.monotonic()
        if not self.rollups or (now < self._again_at and not at_once):
            return
        if now >= self._look_at or at_once:
            # A replay notes what it has put in. The keys are noted here alone, and there may be ever more of them.
            self._all_noted().update(self.warehouse.odd(_REPLAYED))
            self._look_at = now + _LOOK_EVERY
        try:
            self._count_due()
        finally:
            # Also if it fails: it may fail the next time too, with all counted, and whoever is idle asks all the time.
            took = time.monotonic() - now
            self._again_at = time.monotonic() + took / _SHARE

    def _count_due(self) -> None:
        due = {name for name, key in self._all_noted() if _is_due(key)}
        for table in self.tables() if due else ():
            if table.name in due:
                self._count(table)

    def _count(self, table: SourceTable) -> None:
        # What is noted from now on, by a replay, is counted the next time.
        over = {mark for mark in self._all_noted() if mark[0] == table.name and _is_due(mark[1])}
        over |= {mark for mark in self._changed if mark[0] == table.name}
        for rollup in self.of(table):
            # One that is new is counted when it is made.
            if not self.warehouse.has_table(rollup.name):
                continue
            self.warehouse.commands(count_beside(self.database, table, rollup))
            nothing = self.warehouse.is_empty(rollup.name + REBUILT_SUFFIX)
            self.warehouse.commands(put_counted(self.database, rollup, nothing=nothing))
        self.warehouse.forget_odd(sorted(over))
        self._all_noted().difference_update(over)
        self._changed -= over

    def _late(self, table: SourceTable, rows: Any) -> bool:
        """Whether one comes after a later one, or twice; or may, as nobody knows how far its partition was at the start."""
        if table.name not in self._at_start:
            self._at_start[table.name] = self.warehouse.last(own_name(table.name))
        ordered = rows.filter(pc.is_in(rows["op"], _ORDERED)).select(["partition", "place", "lsn", "key"])
        late = False
        for partition in pc.unique(ordered["partition"]).to_pylist():
            of_partition = ordered.filter(pc.equal(ordered["partition"], partition))
            here = (table.name, partition)
            last = self._last.get(here, self._at_start[table.name])
            late |= (least(of_partition) or NOWHERE) <= last
            self._last[here] = max(greatest(of_partition) or NOWHERE, last)
        return late or ordered.group_by(["key", "place", "lsn"]).aggregate([]).num_rows < ordered.num_rows

    def _all_noted(self) -> set[tuple[str, str]]:
        if self._noted is None:
            self._noted = self.warehouse.odd()
        return self._noted


def replayed(table: SourceTable) -> tuple[str, str]:
    """A note that the table is to be counted, unlike any before: one that is counted already is not this one."""
    return table.name, f"{_REPLAYED}{new_uuid()}"


def _is_due(key: str) -> bool:
    return not key or key.startswith(_REPLAYED)


def rollups_of(table: SourceTable, rollups: Sequence[Rollup]) -> list[Rollup]:
    return [rollup for rollup in rollups if rollup.table in (None, table.name)]
