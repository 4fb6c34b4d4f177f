"""What is asked of every batch, as lists of columns: each says what is selected from the one before.

A column is made by many calls to Spark, which take longer than a small batch itself, so they are made once.
"""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

Step = Sequence[Column | str]


def through(rows: DataFrame, steps: Sequence[Step]) -> DataFrame:
    for step in steps:
        rows = rows.select(*step)
    return rows


def chosen(rows: DataFrame, condition: Column) -> DataFrame:
    """Some of the rows that came through steps.

    They are counted on the way. Past that Spark takes no condition: else it would put what makes a column in the place
    of each that the condition asks for, and so step by step, until planning alone takes a minute.
    """
    return rows.observe("chosen", F.count(F.lit(1)).alias("rows")).where(condition)
