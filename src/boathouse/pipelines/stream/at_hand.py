"""A batch of messages in this process, as Kafka gave them."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow.compute as _compute
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream.plain import LONGEST
from boathouse.pipelines.stream.plain.writing import MESSAGE, MESSAGE_SCHEMA

pc: Any = _compute
_LONG = "long"


@dataclass(frozen=True)
class AtHand:
    short: Any
    """A table. Long ones stay where they are: a batch must fit into memory."""
    long: int

    def left(self, session: SparkSession, messages: DataFrame, plain: Any) -> DataFrame | None:
        """Those of the batch that are not plain; None if there are none."""
        others = self.short.filter(pc.invert(plain))
        if not others.num_rows and not self.long:
            return None
        if self.long and not others.num_rows:
            return messages.where(_is_long()).select(*MESSAGE)
        found = session.createDataFrame(others, MESSAGE_SCHEMA)
        return found.union(messages.where(_is_long()).select(*MESSAGE)) if self.long else found


def gather(messages: DataFrame) -> AtHand:
    found: Any = messages.select(*_columns()).toArrow()
    if not pc.any(found[_LONG]).as_py():
        return AtHand(found.select(list(MESSAGE)), 0)
    short = found.filter(pc.invert(found[_LONG])).select(list(MESSAGE))
    return AtHand(short, found.num_rows - short.num_rows)


@cache
def _columns() -> list[Column]:
    """Made once: to make an expression is a call to Spark for each of its parts."""
    plain = [F.col(name) for name in MESSAGE if name not in ("key", "value")]
    short = [F.when(~_is_long(), F.col(name)).alias(name) for name in ("key", "value")]
    return [*plain, *short, _is_long().alias(_LONG)]


@cache
def _is_long() -> Column:
    bytes_ = [F.coalesce(F.octet_length(name), F.lit(0)) for name in ("key", "value")]
    return bytes_[0] + bytes_[1] > LONGEST
