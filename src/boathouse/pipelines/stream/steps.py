"""What is asked of every batch, as lists of columns: each says what is selected from the one before.

A column is made by many calls to Spark, which take longer than a small batch itself, so they are made once.
"""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame

Step = Sequence[Column | str]


def through(rows: DataFrame, steps: Sequence[Step]) -> DataFrame:
    for step in steps:
        rows = rows.select(*step)
    return rows
