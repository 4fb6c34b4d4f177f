"""Conditions out of conditions."""

from collections.abc import Sequence
from functools import reduce
from operator import and_

from pyspark.sql import Column


def all_of(conditions: Sequence[Column]) -> Column:
    """There is at least one."""
    return reduce(and_, conditions)
