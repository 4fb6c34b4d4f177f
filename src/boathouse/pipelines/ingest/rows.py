"""Which rows go into the table: computed, judged and written in one pass, which also counts the others."""

from dataclasses import dataclass
from typing import Any

from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.ingest.batch import (
    FAILED,
    FILE,
    ID,
    PICKED,
    PIECE,
    PIECE_SHIFT,
    START,
    VERDICT,
    Batch,
    Picked,
    columns_of,
)
from boathouse.pipelines.ingest.context import LoadContext
from boathouse.pipelines.ingest.expressions import named_on_failure, refuse_unless_predicates, with_derived
from boathouse.pipelines.ingest.merge import Merged, merge
from boathouse.pipelines.ingest.rules import Rule, is_one_of, numbers, verdict
from boathouse.pipelines.ingest.staging import StagedTable, Staging
from boathouse.pipelines.spec import Action, Mode, PipelineSpec
from boathouse.pipelines.types import ColumnType, quoted

# Up to here the places of rejected rows are gathered while the good ones are written (8 bytes each and their boxes on
# the driver's heap); beyond, the rejects are found by reading the files a second time.
MOST_GATHERED = 10_000_000


@dataclass(frozen=True)
class Outcome:
    """What the writing pass saw."""

    rows_in: int
    broken: dict[int, int]
    """Rows by the number of the rule that decided about them."""
    picked: Picked | None
    """The quarantined rows, if they were gathered."""
    first_failed: Picked | None = None
    """The first of the rows that stop the load."""
    merged: Merged | None = None

    def count(self, wanted: list[int]) -> int:
        return sum(self.broken[number] for number in wanted)


@dataclass(frozen=True)
class Rows:
    """A batch with its derived columns, and what is written of it."""

    batch: Batch
    frame: DataFrame
    columns: dict[str, ColumnType]
    """The batch's, then the derived ones."""


def rows_of(batch: Batch, spec: PipelineSpec) -> Rows:
    """InvalidInput names an expression of the spec that is not SQL over the rows."""
    frame = with_derived(batch.rows(None), spec)
    refuse_unless_predicates(frame, spec)
    columns = dict(batch.columns)
    if spec.derive:
        columns |= columns_of(frame.select(*(quoted(name) for name in spec.derive)).schema)
    return Rows(batch, frame, columns)


def write_good(context: LoadContext, rows: Rows, rules: list[Rule], target: StagedTable, staging: Staging) -> Outcome:
    """Write the rows that pass."""
    gather = rows.batch.most_rows <= MOST_GATHERED and bool(numbers(rules, Action.QUARANTINE))
    seen = Observation()
    wanted = [F.col(quoted(name)) for name in rows.columns]
    judged = rows.frame.withColumn(VERDICT, verdict(rules)).select(*wanted, *_places(rules, context.spec.target.mode))
    counts = _metrics(rules, gather=gather)
    good = judged.observe(seen, *counts).where(F.col(VERDICT).isNull())
    with named_on_failure(rows.frame, context.spec):
        merged = _write(context, good, list(rows.columns), context.spark_name(target.name), staging)
    # The server waits a tenth of a second for its own metrics; a busy one answers without, and then they are counted again.
    metrics: dict[str, Any] = seen.get or judged.agg(*counts).collect()[0].asDict()
    broken = {rule.number: int(metrics[f"rule_{rule.number}"]) for rule in rules}
    pieces = _pieces(metrics["pieces"])
    picked = Picked(metrics["picked"], pieces, context.store) if gather else None
    first = Picked([metrics["failed"]], pieces, context.store) if metrics["failed"] is not None else None
    return Outcome(int(metrics["rows_in"]), broken, picked, first, merged)


def _write(context: LoadContext, good: DataFrame, columns: list[str], table: str, staging: Staging) -> Merged | None:
    wanted = good.select(*(quoted(name) for name in columns))
    match context.spec.target.mode:
        case Mode.MERGE:
            scratch = context.spark_name(staging.scratch_table(context.target))
            return merge(context, good.drop(VERDICT, PICKED, FAILED, PIECE), columns, table, scratch)
        case Mode.OVERWRITE_PARTITIONS:
            wanted.writeTo(table).overwritePartitions()
        case Mode.APPEND:
            wanted.writeTo(table).append()
    return None


def _places(rules: list[Rule], mode: Mode) -> list[Column]:
    """Where the rows come from that do not pass, and null for the others; a merge needs it of all."""
    quarantined = is_one_of(F.col(VERDICT), numbers(rules, Action.QUARANTINE))
    failed = is_one_of(F.col(VERDICT), numbers(rules, Action.FAIL))
    piece = F.concat_ws(" ", F.shiftright(ID, PIECE_SHIFT), START, FILE)
    places = [F.col(name) for name in (FILE, START, ID)] if mode is Mode.MERGE else []
    return [
        *places,
        F.col(VERDICT),
        F.when(quarantined, F.col(ID)).alias(PICKED),
        F.when(failed, F.col(ID)).alias(FAILED),
        F.when(quarantined | failed, piece).alias(PIECE),
    ]


def _metrics(rules: list[Rule], *, gather: bool) -> list[Column]:
    """Lists are made of plain columns: what is computed inside of `collect_list` is interpreted, row by row."""
    decision = F.col(VERDICT)
    counts = [F.count(F.when(decision == rule.number, 1)).alias(f"rule_{rule.number}") for rule in rules]
    picked = [F.collect_list(PICKED).alias("picked")] if gather else []
    return [
        F.count(F.lit(1)).alias("rows_in"),
        F.min(FAILED).alias("failed"),
        F.collect_set(PIECE).alias("pieces"),
        *counts,
        *picked,
    ]


def _pieces(texts: list[str]) -> dict[int, tuple[str, int]]:
    parts = [text.split(" ", 2) for text in texts]
    return {int(number): (file, int(start)) for number, start, file in parts}
