"""Values of an event, which come as texts, as columns have them; what does not fit has a reason.

Nearly every event fits and has its values in the order of the columns. That is asked first, and costs a fraction of
finding each value by its name and asking what is wrong with it.
"""

import base64
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream import nested, plain, scalars
from boathouse.pipelines.stream.conditions import all_of
from boathouse.pipelines.stream.debezium import UNAVAILABLE_VALUE
from boathouse.pipelines.stream.steps import Step
from boathouse.pipelines.types import ColumnType, ListOf, MapOf, Primitive, Struct, spark_type

Cases = Sequence[tuple[Column, Collection[str]]]
# The rest of a long value tells nobody more about what is wrong with it.
_SHOWN = 100


@dataclass(frozen=True)
class Texts:
    """A map of texts by name; a list of them, one for each column; and whether the map's names are those of the columns, in order."""

    by_name: Column
    listed: Column
    in_order: Column

    def text(self, place: int) -> Column:
        return F.get(self.listed, F.lit(place))


def with_texts(name: str, texts: Column, by_case: Cases) -> tuple[list[Step], Texts]:
    """The map as a column of that name, and what is told by it beside it: for each case, a condition, the columns' names."""
    found = Texts(F.col(name), F.col(f"{name}_listed"), F.col(f"{name}_in_order"))
    in_order = F.map_keys(name) == cases([(condition, names(columns)) for condition, columns in by_case])
    by_name = cases([(condition, _list(found.by_name, columns)) for condition, columns in by_case])
    listed = F.when(in_order, F.map_values(name)).when(F.col(name).isNotNull(), by_name)
    told = ["*", in_order.alias(f"{name}_in_order"), listed.alias(f"{name}_listed")]
    return [["*", texts.alias(name)], told], found


def cases(found: Sequence[tuple[Column, Column]]) -> Column:
    """What belongs to the first condition that holds; null if none does."""
    chosen = F.lit(None)
    for condition, each in reversed(found):
        chosen = F.when(condition, each).otherwise(chosen)
    return chosen


def interpreted(column: Column) -> Column:
    """The same, but not compiled: for what is long and rarely asked, so that what is asked of every event stays short."""
    return nested.let(F.lit(0), lambda _: column)


def short(value: Column) -> Column:
    """Null if it is too long to be given to Arrow among others."""
    return F.when(F.octet_length(value) <= plain.LONGEST, value)


def key_text() -> Column:
    """A message's key; what is no text in hexadecimal, as Postgres writes bytes."""
    key = F.col("key")
    text = key.cast("string")
    return F.when(F.is_valid_utf8(text), text).otherwise(F.concat(F.lit("\\x"), F.lower(F.hex(key))))


def names(columns: Collection[str]) -> Column:
    return F.array(*(F.lit(name) for name in columns)).cast("array<string>")


def _list(texts: Column, columns: Collection[str]) -> Column:
    return F.array(*(_text(texts, name) for name in columns)).cast("array<string>")


def fits(raw: Column, texts: Texts, values: Column, columns: Mapping[str, ColumnType], key: Collection[str]) -> Column:
    """Whether nothing is wrong with an event: true of nearly all of them, and null or false where somebody must look closer."""
    listed = {name: texts.text(place) for place, name in enumerate(columns)}
    given = [listed[name].isNotNull() for name in key]
    as_given = [values[name].isNull() == text.isNull() for name, text in listed.items()]
    sent = [~raw.contains(UNAVAILABLE_VALUE)]
    if Primitive("binary") in columns.values():
        sent.append(~raw.contains(base64.b64encode(UNAVAILABLE_VALUE.encode()).decode()))
    return all_of([texts.in_order, *given, *as_given, *sent])


def typed(text: Column, kind: ColumnType, exact: Column | None = None, *, as_written: bool = False) -> Column:
    """Null where it does not fit. `exact` is what `nested.exactly` found, where the text may have lost digits."""
    match kind:
        case ListOf() | MapOf() | Struct():
            return nested.typed(text, kind, exact)
        case _ if exact is not None:
            return nested.let(F.coalesce(exact, text), lambda given: scalars.typed(given, kind))
        case _:
            return scalars.as_written(text, kind) if as_written else scalars.typed(text, kind)


def row(
    texts: Texts, columns: Mapping[str, ColumnType], event: Column | None = None, *, as_written: bool = False
) -> Column:
    """`event` is a variant, for columns that its texts do not give exactly; `as_written` takes no text that is only like a number."""
    given = [(name, kind, texts.text(place)) for place, (name, kind) in enumerate(columns.items())]
    lossy = inexact(columns) if event is not None else {}
    exact = {name: nested.exactly(event, name, kind) for name, kind in lossy.items() if event is not None}
    found = {name: typed(text, kind, exact.get(name), as_written=as_written) for name, kind, text in given}
    # Where there is no variant of it, nobody knows which digits its text has lost.
    known = {name: F.when(event.isNotNull(), found[name]) for name in exact if event is not None}
    return F.struct(*(column.alias(name) for name, column in {**found, **known}.items()))


def inexact(columns: Mapping[str, ColumnType]) -> dict[str, ColumnType]:
    """Those that hold decimals."""
    return {name: kind for name, kind in columns.items() if nested.has_decimals(kind) and '"' not in name}


def misfits(
    texts: Column, values: Column, columns: Mapping[str, ColumnType], *, unsent: str = "was not sent"
) -> list[Column]:
    """A reason for each column whose text does not fit; null where it does. `unsent` is that of one that did not come along."""
    return [_misfit(name, _text(texts, name), values[name], kind, unsent) for name, kind in columns.items()]


def absent(texts: Column, names: Sequence[str], what: str) -> list[Column]:
    return [F.when(_text(texts, name).isNull(), F.lit(f"{name} is missing{what}")) for name in names]


def unknown(texts: Column, columns: Mapping[str, ColumnType]) -> Column:
    """Names that are not among the columns."""
    return F.array_except(F.map_keys(texts), names(columns))


def together(reasons: Sequence[Column]) -> Column:
    """All reasons in one text, or null."""
    return F.nullif(F.concat_ws("; ", *reasons), F.lit("")) if reasons else F.lit(None).cast("string")


def _text(texts: Column, name: str) -> Column:
    return F.element_at(texts, F.lit(name))


def _misfit(name: str, text: Column, value: Column, kind: ColumnType, why: str) -> Column:
    shown = F.concat(F.lit(f"{name} is not {spark_type(kind)}: "), F.substring(text, 1, _SHOWN))
    unsent = F.lit(f"{name} {why}")
    not_sent = text.contains(UNAVAILABLE_VALUE)
    if kind == Primitive("binary"):
        not_sent = not_sent | (value == F.lit(UNAVAILABLE_VALUE).cast("binary"))
    if kind == Primitive("string"):
        return F.when(not_sent, unsent)
    return F.when(not_sent, unsent).when(text.isNotNull() & value.isNull(), shown)
