"""Which rejects are held where there are more than can be: the newest, and open ones before those that are settled."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as _compute

from boathouse.kit.deadletters.book import INDEX, Book, Rows
from boathouse.kit.deadletters.ledger import Fate, RejectState

pc: Any = _compute
"""Its functions are made when it is loaded, so no checker knows them."""


class Newest:
    """Taken file by file, the newest first, `most` of them in all."""

    def __init__(self, most: int, known: Mapping[str, Fate]) -> None:
        self._most = most
        self._known = known
        self._settled_ids = {one for one, fate in known.items() if fate.state is not RejectState.OPEN}
        self._open: list[Rows] = []
        self._settled: list[Rows] = []
        self._open_count = self._settled_count = 0
        self._all_open = True

    def take(self, rows: Rows) -> bool:
        """False if there is no room for it, nor for any that is older."""
        opened, settled = self._parted(rows)
        if self._open and self._open_count + opened.num_rows > self._most:
            self._all_open = False
            return False
        if opened.num_rows:
            self._open.append(opened)
        # Of those only the newest are held, while it is not known how many open ones there are.
        if self._settled_count < self._most:
            self._settled.append(settled)
        self._open_count += opened.num_rows
        self._settled_count += settled.num_rows
        return True

    def book(self) -> Book:
        room = max(self._most - self._open_count, 0)
        nothing = INDEX.empty_table()
        settled = pa.concat_tables([nothing, *self._settled]).slice(0, room)
        rows = pa.concat_tables([nothing, *self._open, settled])
        complete = self._all_open and self._settled_count <= room
        return Book(rows, self._known, complete=complete, all_open=self._all_open)

    def _parted(self, rows: Rows) -> tuple[Rows, Rows]:
        if not self._settled_ids:
            return rows, rows.slice(0, 0)
        is_settled = pa.array([one in self._settled_ids for one in rows["id"].to_pylist()], pa.bool_())
        return rows.filter(pc.invert(is_settled)), rows.filter(is_settled)
