"""Conditions out of conditions, of which there is at least one."""

from collections.abc import Sequence
from functools import reduce
from operator import and_, or_

from pyspark.sql import Column


def all_of(conditions: Sequence[Column]) -> Column:
    return reduce(and_, conditions)


def any_of(conditions: Sequence[Column]) -> Column:
    return reduce(or_, conditions)
