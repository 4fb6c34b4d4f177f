"""A text as a value that has no parts: SQL's own cast, but for what it takes too lightly.

A column keeps its type when the source's becomes another one. What a cast would round, cut off or make up would then be
another value than the source has, and nobody would be told.
"""

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.ingest.values import decimal, has_more_digits, is_no_number
from boathouse.pipelines.types import Decimal, Primitive, spark_type

# Postgres has years of five digits, too, and some before the first.
_DAY = r"[+-]?\d{4,}-\d\d?-\d\d?"
# Debezium writes dates and local times with a zone, which they do not have.
_MOMENTS = {"date": f"^({_DAY})Z?$", "timestamp": f"^({_DAY}.*?)Z?$", "timestamptz": f"^({_DAY}.*)$"}


def typed(text: Column, kind: Primitive | Decimal) -> Column:
    """Null where it does not fit."""
    match kind:
        case Primitive("string"):
            return text
        case Primitive("binary"):
            return F.try_to_binary(text, F.lit("base64"))
        case Primitive(name) if name in _MOMENTS:
            return F.regexp_extract(text, _MOMENTS[name], 1).try_cast(spark_type(kind))
        case Primitive("float" | "double"):
            number = text.try_cast(spark_type(kind))
            return F.when(~is_no_number(text, number), number)
        case Decimal(_, scale):
            number = decimal(text, kind)
            return F.when(~(has_more_digits(text, scale) | _is_rounded(text, number)), number)
        case _:
            return text.try_cast(spark_type(kind))


def as_written(text: Column, kind: Primitive | Decimal) -> Column:
    """The same, but of whole numbers and truths only what a program writes for them: 007, with blanks around it, or yes is a text."""
    match kind:
        case Primitive("int" | "long"):
            number = text.try_cast(spark_type(kind))
            return F.when((number.cast("string") == text) | (text == "-0"), number)
        case Primitive("boolean"):
            return F.when(text == "true", F.lit(True)).when(text == "false", F.lit(False))
        case _:
            return typed(text, kind)


def _is_rounded(text: Column, number: Column) -> Column:
    """Of a decimal that is written with an exponent, as a double is that is small or large."""
    return F.contains(F.lower(text), F.lit("e")) & (text.try_cast("double") != number.cast("double"))
