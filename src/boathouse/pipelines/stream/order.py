"""In which order changes of a row count: by when they were committed, and within a transaction by where they are in the log.

A change may be in the log before another that it has waited for, so its own place there (`lsn`) does not tell. The place
where it counts (`place`) is not before the end of the transaction that was committed before its own.
"""

from typing import Any

import pyarrow.compute as _compute

pc: Any = _compute
Order = tuple[int, int]
"""The place where a change counts, and where it is in the log."""
NOWHERE: Order = (-1, -1)


def greatest(rows: Any) -> Order | None:
    """None if there are no rows."""
    return _end(rows, pc.max)


def least(rows: Any) -> Order | None:
    return _end(rows, pc.min)


def are_before(rows: Any, order: Order) -> Any:
    place, lsn = order
    same_place = pc.and_(pc.equal(rows["place"], place), pc.less(rows["lsn"], lsn))
    return pc.or_(pc.less(rows["place"], place), same_place)


def _end(rows: Any, which: Any) -> Order | None:
    place = which(rows["place"])
    if not place.is_valid:
        return None
    return place.as_py(), which(rows["lsn"].filter(pc.equal(rows["place"], place))).as_py()
