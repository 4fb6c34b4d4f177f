"""Text as a value: SQL's own cast, but for what it takes too lightly.

Spark takes `10:00` for today at ten, `2026` for its first day, `1.5d` for a number and `1e400` for infinity. Each of
them would be written as something that the file does not say.
"""

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.ingest.batch import any_of
from boathouse.pipelines.types import ColumnType, Decimal, Primitive, spark_type

INFINITE = float("inf")
TEXT = Primitive("string")
NOT_A_NUMBERS_END = ("d", "D", "f", "F")
# A decimal with more digits, or with so small an exponent, Spark writes out as a whole number first, for hours and in all the
# memory there is. Postgres tells none of more: 131,072 before the point, which no column of ours takes, and 16,383 behind it.
_MOST_DIGITS, _TINY = 20_000, "[eE]-0*[1-9][0-9]{4}"


def value_of(
    text: Column, kind: ColumnType, *, date_format: str | None = None, timestamp_format: str | None = None
) -> Column:
    """The value, or null if the text is not one of this type."""
    match kind:
        case Primitive("string"):
            return text
        case Primitive("date") if date_format is not None:
            return F.try_to_date(text, date_format)
        case Primitive("date"):
            return F.when(_begins_with_day(text) & (F.octet_length(text) <= len("2026-01-31")), text.try_cast("date"))
        case Primitive("timestamptz") if timestamp_format is not None:
            return F.try_to_timestamp(text, F.lit(timestamp_format))
        case Primitive("timestamptz" | "timestamp"):
            return F.when(_begins_with_day(text), text.try_cast(spark_type(kind)))
        case _:
            return decimal(text, kind) if isinstance(kind, Decimal) else text.try_cast(spark_type(kind))


def decimal(text: Column, kind: Decimal) -> Column:
    """As it may be rounded."""
    # Few have an exponent at all, and to look for that takes less than the expression.
    is_small = F.contains(text, F.lit("e-")) | F.contains(text, F.lit("E-"))
    is_ever_read = (F.octet_length(text) <= _MOST_DIGITS) & ~(is_small & text.rlike(_TINY))
    return F.when(is_ever_read, text.try_cast(spark_type(kind)))


def misread(text: Column, value: Column, kind: ColumnType) -> Column:
    """Whether the value is not what the text says. Both are columns already computed, so that neither is twice."""
    lost = text.isNotNull() & value.isNull()
    if isinstance(kind, Decimal):
        return lost | F.coalesce(has_more_digits(text, kind.scale), F.lit(False))
    if kind not in (Primitive("float"), Primitive("double")):
        return lost
    return lost | F.coalesce(is_no_number(text, value), F.lit(False))


def read_as_text(kind: ColumnType) -> bool:
    """Whether Spark's JSON parser takes such a value too lightly, so that it is read as text first."""
    return isinstance(kind, Decimal) or kind in (Primitive("date"), Primitive("timestamptz"), Primitive("timestamp"))


def misreading(name: str, kind: ColumnType, text: Column) -> Column:
    """What to say of it."""
    return F.concat(F.lit(f"{name} is not {spark_type(kind)}: "), F.substring(text, 1, 60))


def is_no_number(text: Column, value: Column) -> Column:
    """Whether Spark makes a float or a double of it all the same."""
    # Said once: what two conditions share, Spark computes before either is asked.
    too_light = any_of([F.abs(value) == INFINITE, *(F.endswith(text, F.lit(end)) for end in NOT_A_NUMBERS_END)])
    return too_light & ~F.contains(F.lower(text), F.lit("inf"))


def has_more_digits(text: Column, scale: int) -> Column:
    """Whether the cast would round. Zeros at the end are looked at only where there are too many digits."""
    point = F.instr(text, F.lit("."))
    too_long = (point > 0) & (F.octet_length(text) - point > scale)
    plain = F.rtrim(F.rtrim(text), F.lit("0"))
    is_plain = ~F.contains(F.lower(text), F.lit("e"))
    return too_long & is_plain & (F.octet_length(plain) - point > scale)


def _begins_with_day(text: Column) -> Column:
    """Four digits of a year, a dash, and room for month and day; the cast looks at the rest."""
    return (F.instr(text, F.lit("-")) == len("2026-")) & (F.octet_length(text) >= len("2026-1-1"))
