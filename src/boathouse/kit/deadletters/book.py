"""All that a pipeline rejected, with what became of each: searched, counted and told by pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as _compute

from boathouse.kit.deadletters.ledger import UNTOUCHED, Fate, RejectState
from boathouse.kit.errors import InvalidInput

Rows = Any
pc: Any = _compute
"""Its functions are made when it is loaded, so no checker knows them."""
REASON_VALUE = r"( is not [^:;]+): [^;]*"
"""In a reason: what a value should have been, and the value."""
INDEX = pa.schema(
    [
        ("id", pa.string()),
        ("load_id", pa.string()),
        ("file", pa.string()),
        ("line", pa.int64()),
        ("reason", pa.string()),
        ("rejected_at", pa.timestamp("us", "UTC")),
        ("data_file", pa.string()),
        ("row", pa.int64()),
    ]
)
"""Of every reject, without its text; `row` is where in its data file the text is."""


@dataclass(frozen=True)
class Wanted:
    """Any of them may be left out."""

    ids: frozenset[str] | None = None
    state: RejectState | None = None
    reason: str | None = None
    """Without the values in it, as `sort_of` gives it."""
    load_id: str | None = None
    file: str | None = None


@dataclass(frozen=True)
class Place:
    """A reject, but for its text."""

    id: str
    load_id: str
    file: str
    line: int | None
    reason: str
    rejected_at: datetime
    data_file: str
    row: int
    fate: Fate


def sort_of(reasons: Any) -> Any:
    """Reasons without the values in them, so that those of one sort can be counted."""
    return pc.replace_substring_regex(reasons, REASON_VALUE, r"\1")


class Book:
    def __init__(self, index: Rows, known: Mapping[str, Fate], *, complete: bool = True, all_open: bool = True) -> None:
        order = [("rejected_at", "descending"), ("load_id", "ascending"), ("file", "ascending"), ("line", "ascending")]
        self._rows = _with_fates(index.sort_by(order), known)
        self.fates = known
        self.complete = complete
        """False if there are so many that only the newest are in it."""
        self._all_open = all_open

    def adding(self, index: Rows) -> "Book":
        """The same with others, which had no room in it."""
        rows = pa.concat_tables([self._rows.select(INDEX.names), index])
        return Book(rows, self.fates, complete=self.complete, all_open=self._all_open)

    def tells_all(self, wanted: Wanted) -> bool:
        """Whether there is none besides those that it finds. Open ones are the last to be left out."""
        return self.complete or (self._all_open and wanted.state is RejectState.OPEN)

    def __len__(self) -> int:
        return self._rows.num_rows

    def find(self, wanted: Wanted, *, after: str | None = None, limit: int | None = None) -> list[Place]:
        """The newest first, then as they stand in their files. `after` is the id of the last one told."""
        rows = self._rows
        if after is not None:
            rows = rows.slice(self._place_of(after) + 1)
        found = rows.filter(_mask(rows, wanted))
        chosen = found if limit is None else found.slice(0, limit)
        return [self._place(row) for row in chosen.drop_columns(["sort", "state"]).to_pylist()]

    @cached_property
    def _ids(self) -> frozenset[str]:
        return frozenset(self._rows["id"].to_pylist())

    def has(self, reject: str) -> bool:
        return reject in self._ids

    def _place_of(self, reject: str) -> int:
        if not self.has(reject):
            raise InvalidInput(f"There is no rejected row {reject!r} to go on after.", hint="Take `next` as it is.")
        return pc.index(self._rows["id"], reject).as_py()

    def count(self, wanted: Wanted) -> int:
        return int(pc.sum(_mask(self._rows, wanted)).as_py() or 0)

    def counts(self, column: str, wanted: Wanted) -> list[tuple[str, int]]:
        """How many there are of each value of `sort`, `state`, `load_id` or `file`; the most first."""
        counted = pc.value_counts(self._rows.filter(_mask(self._rows, wanted))[column])
        found = [(entry["values"], entry["counts"]) for entry in counted.to_pylist()]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def _place(self, row: dict[str, Any]) -> Place:
        return Place(**row, fate=self.fates.get(row["id"], UNTOUCHED))


def _with_fates(rows: Rows, known: Mapping[str, Fate]) -> Rows:
    ids = rows["id"].combine_chunks()
    reasons = _changed(rows["reason"], ids, {one: fate.reason for one, fate in known.items() if fate.reason})
    states = {one: fate.state.value for one, fate in known.items() if fate.state is not RejectState.OPEN}
    state = _changed(pa.array([RejectState.OPEN.value] * rows.num_rows, pa.string()), ids, states)
    told = rows.set_column(rows.schema.get_field_index("reason"), "reason", reasons)
    return told.append_column("sort", sort_of(reasons)).append_column("state", state)


def _changed(values: Any, ids: Any, news: Mapping[str, str]) -> Any:
    if not news:
        return values
    place = pc.index_in(ids, value_set=pa.array(list(news), pa.string()))
    return pc.coalesce(pc.take(pa.array(list(news.values()), pa.string()), place), values)


def _mask(rows: Rows, wanted: Wanted) -> Any:
    asked = {"state": wanted.state, "sort": wanted.reason, "load_id": wanted.load_id, "file": wanted.file}
    mask = pa.array([True] * rows.num_rows, pa.bool_())
    for column, value in asked.items():
        if value is not None:
            mask = pc.and_(mask, pc.equal(rows[column], str(value)))
    if wanted.ids is not None:
        mask = pc.and_(mask, pc.is_in(rows["id"], value_set=_texts(wanted.ids)))
    return mask


def _texts(values: Sequence[str] | frozenset[str]) -> Any:
    return pa.array(list(values), pa.string())
