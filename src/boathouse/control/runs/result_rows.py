"""Some rows of a result, as they were returned or in the order of a column. No more is held than these and a row group."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from boathouse.kit.errors import InvalidInput


@dataclass(frozen=True)
class Order:
    by: int
    """The number of the column: two may have the same name."""
    descending: bool


def rows_between(file: Any, offset: int, limit: int) -> Any:
    """So many rows from `offset` on, as a table."""
    groups = [(number, start) for number, start, end in _groups(file) if start < offset + limit and end > offset]
    if not groups:
        return file.schema_arrow.empty_table()
    return file.read_row_groups([number for number, _ in groups]).slice(offset - groups[0][1], limit)


def rows_in_order(file: Any, order: Order, offset: int, limit: int) -> Any:
    """The same, of the rows in the order of a column. Those without a value come last either way."""
    import pyarrow as pa

    wanted = _sorted(file, order).slice(offset, limit).to_numpy()
    empty = file.schema_arrow.empty_table()
    parts, places = [empty], list[int]()
    for number, start, end in _groups(file):
        here = [place for place, row in enumerate(wanted) if start <= row < end]
        if here:
            parts.append(file.read_row_group(number).take([int(wanted[place]) - start for place in here]))
            places += here
    back = sorted(range(len(places)), key=places.__getitem__)
    return pa.concat_tables(parts).take(pa.array(back, pa.int64()))


def _sorted(file: Any, order: Order) -> Any:
    """The numbers of all rows in that order. Only the one column is read for it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = list[str](file.schema_arrow.names)
    if order.by >= len(names):
        raise InvalidInput(f"There is no column {order.by}.", hint=f"They are 0 to {len(names) - 1}.")
    name = names[order.by]
    found = file.read(columns=[name])
    # By a name others may come along: of the same name, or the fields of one that begins with it.
    of_that_name = [column for column, known in zip(found.columns, found.column_names, strict=True) if known == name]
    column = of_that_name[names[: order.by].count(name)]
    direction = "descending" if order.descending else "ascending"
    try:
        return pc.call_function("sort_indices", [pa.table({"by": column})], pc.SortOptions([("by", direction)]))
    except (pa.ArrowNotImplementedError, pa.ArrowTypeError) as error:
        raise InvalidInput(
            f"The column {name} of the type {column.type} has no order.", hint="Order by another column."
        ) from error


def _groups(file: Any) -> Iterator[tuple[int, int, int]]:
    """Each row group with its first row and the one after its last. How large each is, is the writer's choice."""
    start = 0
    for number in range(file.metadata.num_row_groups):
        end = start + file.metadata.row_group(number).num_rows
        yield number, start, end
        start = end
