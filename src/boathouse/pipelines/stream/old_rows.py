"""What changes tell of the rows that they change: whether sums can take away by it what they had added."""

from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as _compute

from boathouse.pipelines.stream.postgres import SourceTable

pc: Any = _compute
_CHANGED = pa.array(["u", "d"])
_WITH_LENGTH = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
_AS_NUMBER = ((pa.types.is_date32, pa.int32()), (pa.types.is_timestamp, pa.int64()))


def are_untold(table: SourceTable, rows: Any, before: str) -> bool:
    """Whether one of them is not told as a whole, as without REPLICA IDENTITY FULL, or has what cannot be taken away."""
    changed = rows.filter(pc.is_in(rows["op"], _CHANGED))
    if not changed.num_rows:
        return False
    if changed[before].null_count:
        return True
    columns = _columns(changed[before])
    if any(
        pa.types.is_floating(column.type) and _is_any(pc.invert(pc.is_finite(column))) for column in columns.values()
    ):
        # Infinity less infinity is not nothing.
        return True
    gone = pc.equal(changed["op"], "d")
    others = [_is_nothing(column) for name, column in columns.items() if name not in table.key]
    return bool(others) and _is_any(reduce(pc.and_, others, gone.combine_chunks()))


def _columns(structs: Any) -> dict[str, Any]:
    whole = structs.combine_chunks()
    return {field.name: whole.field(place) for place, field in enumerate(whole.type)}


def _is_nothing(column: Any) -> Any:
    """Where it is null, or what Debezium has for one that was not sent and may not be null."""
    return pc.or_(pc.is_null(column), pc.fill_null(_is_zero(column), False))


def _is_zero(column: Any) -> Any:
    kind = column.type
    if any(has_length(kind) for has_length in _WITH_LENGTH):
        return pc.equal(pc.binary_length(column), 0)
    if pa.types.is_boolean(kind):
        return pc.invert(column)
    for is_time, number in _AS_NUMBER:
        if is_time(kind):
            return pc.equal(column.cast(number), 0)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return pc.equal(column, pa.scalar(0).cast(pa.int32()))
    return pa.nulls(len(column), pa.bool_())


def _is_any(marks: Any) -> bool:
    return bool(pc.any(marks).as_py())
