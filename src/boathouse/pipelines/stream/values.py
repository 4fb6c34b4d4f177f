"""Values of an event, which come as texts, as columns have them; what does not fit has a reason."""

from collections.abc import Mapping, Sequence

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream.debezium import UNAVAILABLE_VALUE
from boathouse.pipelines.types import ColumnType, ListOf, MapOf, Primitive, Struct, spark_type

# The rest of a long value tells nobody more about what is wrong with it.
_SHOWN = 100


def typed(text: Column, kind: ColumnType) -> Column:
    """Null where it does not fit."""
    match kind:
        case Primitive("string"):
            return text
        case Primitive("binary"):
            return F.try_to_binary(text, F.lit("base64"))
        case Primitive("date"):
            # Debezium writes dates with a zone, which they do not have.
            return F.regexp_replace(text, "Z$", "").try_cast("date")
        case Primitive("timestamp"):
            return F.regexp_replace(text, "Z$", "").try_cast("timestamp_ntz")
        case ListOf() | MapOf() | Struct():
            return F.from_json(text, spark_type(kind))
        case _:
            return text.try_cast(spark_type(kind))


def row(texts: Column, columns: Mapping[str, ColumnType]) -> Column:
    return F.struct(*(typed(_text(texts, name), kind).alias(name) for name, kind in columns.items()))


def misfits(texts: Column, values: Column, columns: Mapping[str, ColumnType]) -> list[Column]:
    """A reason for each column whose text does not fit; null where it does."""
    return [_misfit(name, _text(texts, name), values[name], kind) for name, kind in columns.items()]


def absent(texts: Column, names: Sequence[str], what: str) -> list[Column]:
    return [F.when(_text(texts, name).isNull(), F.lit(f"{name} is missing{what}")) for name in names]


def unknown(texts: Column, columns: Mapping[str, ColumnType]) -> Column:
    """Names that are not among the columns."""
    known = F.array(*(F.lit(name) for name in columns)) if columns else F.array().cast("array<string>")
    return F.array_except(F.map_keys(texts), known)


def together(reasons: Sequence[Column]) -> Column:
    """All reasons in one text, or null."""
    return F.nullif(F.concat_ws("; ", *reasons), F.lit("")) if reasons else F.lit(None).cast("string")


def _text(texts: Column, name: str) -> Column:
    return F.element_at(texts, F.lit(name))


def _misfit(name: str, text: Column, value: Column, kind: ColumnType) -> Column:
    shown = F.concat(F.lit(f"{name} is not {spark_type(kind)}: "), F.substring(text, 1, _SHOWN))
    unsent = F.lit(f"{name} was not sent: Postgres logs it only with REPLICA IDENTITY FULL")
    not_sent = text.contains(UNAVAILABLE_VALUE)
    if kind == Primitive("binary"):
        not_sent = not_sent | (value == F.lit(UNAVAILABLE_VALUE).cast("binary"))
    if kind == Primitive("string"):
        return F.when(not_sent, unsent)
    return F.when(not_sent, unsent).when(text.isNotNull() & value.isNull(), shown)
