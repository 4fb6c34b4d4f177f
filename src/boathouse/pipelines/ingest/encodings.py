"""Encodings of text as Spark reads them: those that it must be allowed, and what does not decode."""

from typing import TYPE_CHECKING, Union

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.connect.session import SparkSession as ConnectSession

# What a byte becomes that its encoding does not have. No encoding but Unicode's can write it, so it is never data.
REPLACEMENT = "\ufffd"


def allow_encoding(session: Union["SparkSession", "ConnectSession"], encoding: str) -> None:
    """Let Spark read an encoding that a spec may name: by itself it knows Unicode's and ISO-8859-1 alone.

    A byte that the encoding does not have becomes a mark, by which the row is rejected, and does not stop Spark.
    """
    if encoding != "utf-8":
        session.conf.set("spark.sql.legacy.javaCharsets", "true")
        session.conf.set("spark.sql.legacy.codingErrorAction", "true")


def is_not_of(text: Column, encoding: str) -> Column:
    """Whether it was decoded from bytes that the encoding does not have."""
    return ~F.is_valid_utf8(text) if encoding == "utf-8" else F.contains(text, F.lit(REPLACEMENT))
