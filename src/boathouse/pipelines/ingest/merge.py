"""Rows merged into a table by their keys: the last of each key replaces what is there."""

# ruff: noqa: S608 - every name that goes into this SQL is quoted, and nothing else does
from dataclasses import dataclass

from pyspark.sql import DataFrame

from boathouse.pipelines.ingest.batch import FILE, ID, START
from boathouse.pipelines.ingest.context import LoadContext
from boathouse.pipelines.ingest.staging import ownership
from boathouse.pipelines.types import quoted

RANK = "_bh_rank"


@dataclass(frozen=True)
class Merged:
    """What became of the rows of a merge."""

    written: int
    outdated: int
    """Rows that are older, by `latest_by`, than what the table has: those stay as they are there."""


def merge(context: LoadContext, good: DataFrame, columns: list[str], table: str, scratch: str) -> Merged:
    """Write the rows once, keep the last of each key, and merge those."""
    good.writeTo(scratch).using("iceberg").tableProperty(*ownership()).create()
    keys = context.spec.target.keys
    wanted = _listed(columns)
    last = f"SELECT {wanted} FROM ({_ranked(context, wanted, scratch)}) WHERE {RANK} = 1"
    same = " AND ".join(f"t.{quoted(key)} = s.{quoted(key)}" for key in keys)
    updates = ", ".join(f"t.{quoted(name)} = s.{quoted(name)}" for name in columns)
    values = ", ".join(f"s.{quoted(name)}" for name in columns)
    distinct = _count(context, f"SELECT count(DISTINCT {_listed(keys)}) FROM {scratch}")
    outdated, still = 0, ""
    if latest := context.spec.target.latest_by:
        older = f"t.{quoted(latest)} IS NOT NULL AND (s.{quoted(latest)} IS NULL OR s.{quoted(latest)} < t.{quoted(latest)})"
        outdated = _count(context, f"SELECT count(*) FROM {table} t JOIN ({last}) s ON {same} WHERE {older}")
        still = f" AND NOT ({older})"
    context.session.sql(
        f"MERGE INTO {table} t USING ({last}) s ON {same} WHEN MATCHED{still} THEN UPDATE SET {updates} "
        f"WHEN NOT MATCHED THEN INSERT ({wanted}) VALUES ({values})"
    )
    return Merged(distinct - outdated, outdated)


def _count(context: LoadContext, query: str) -> int:
    return int(context.session.sql(query).collect()[0][0])


def _ranked(context: LoadContext, wanted: str, scratch: str) -> str:
    latest = context.spec.target.latest_by
    order = [
        *([f"{quoted(latest)} DESC NULLS LAST"] if latest else []),
        *(f"{name} DESC" for name in (FILE, START, ID)),
    ]
    window = f"PARTITION BY {_listed(context.spec.target.keys)} ORDER BY {', '.join(order)}"
    return f"SELECT {wanted}, row_number() OVER ({window}) AS {RANK} FROM {scratch}"


def _listed(names: list[str]) -> str:
    return ", ".join(quoted(name) for name in names)
