"""Which rows go into the table: computed, judged and written in one pass, which also counts the others."""

from dataclasses import dataclass
from typing import Any

from pyspark.errors import AnalysisException, ParseException
from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.derivation import derivation_order
from boathouse.pipelines.ingest.batch import FILE, ID, START, VERDICT, Batch, columns_of, everything
from boathouse.pipelines.ingest.context import LoadContext
from boathouse.pipelines.ingest.merge import merge
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
    places: list[int] | None
    """The ids of the quarantined rows, if they were gathered."""
    merged: int | None = None
    """How many rows a merge took over."""

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
    frame = batch.rows(everything)
    for name in derivation_order(spec.derive):
        _refuse_unless_sql(frame, spec.derive[name], f"The derived column {name!r}")
        frame = _with_derived(frame, spec, name)
    for expectation in spec.expectations:
        _refuse_unless_sql(frame, f"cast(({expectation.check}) as boolean)", f"The expectation {expectation.title!r}")
    columns = dict(batch.columns)
    if spec.derive:
        columns |= columns_of(frame.select(*(quoted(name) for name in spec.derive)).schema)
    return Rows(batch, frame, columns)


def derive(rows: DataFrame, spec: PipelineSpec) -> DataFrame:
    """The rows with their derived columns, which `rows_of` has found to be SQL."""
    for name in derivation_order(spec.derive):
        rows = _with_derived(rows, spec, name)
    return rows


def _with_derived(rows: DataFrame, spec: PipelineSpec, name: str) -> DataFrame:
    return rows.withColumn(name, F.expr(spec.derive[name]))


def write_good(context: LoadContext, rows: Rows, rules: list[Rule], target: StagedTable, staging: Staging) -> Outcome:
    """Write the rows that pass."""
    table = context.spark_name(target.name)
    gather = rows.batch.most_rows <= MOST_GATHERED and bool(numbers(rules, Action.QUARANTINE))
    seen = Observation()
    wanted = [F.col(quoted(name)) for name in rows.columns]
    judged = rows.frame.withColumn(VERDICT, verdict(rules)).select(*wanted, FILE, START, ID, VERDICT)
    good = judged.observe(seen, *_metrics(rules, gather=gather)).where(F.col(VERDICT).isNull())
    merged = None
    match context.spec.target.mode:
        case Mode.MERGE:
            scratch = context.spark_name(staging.scratch_table(context.target))
            merged = merge(context, good.select(*wanted, FILE, START, ID), list(rows.columns), table, scratch)
        case Mode.OVERWRITE_PARTITIONS:
            good.select(*wanted).writeTo(table).overwritePartitions()
        case Mode.APPEND:
            good.select(*wanted).writeTo(table).append()
    metrics: dict[str, Any] = seen.get
    broken = {rule.number: int(metrics[f"rule_{rule.number}"]) for rule in rules}
    return Outcome(int(metrics["rows_in"]), broken, list(metrics["places"]) if gather else None, merged)


def _metrics(rules: list[Rule], *, gather: bool) -> list[Column]:
    decision = F.col(VERDICT)
    counts = [F.count(F.when(decision == rule.number, 1)).alias(f"rule_{rule.number}") for rule in rules]
    metrics = [F.count(F.lit(1)).alias("rows_in"), *counts]
    if gather:
        quarantined = is_one_of(decision, numbers(rules, Action.QUARANTINE))
        metrics.append(F.collect_list(F.when(quarantined, F.col(ID))).alias("places"))
    return metrics


def _refuse_unless_sql(rows: DataFrame, expression: str, what: str) -> None:
    """Ask Spark what the expression means over these rows, and say in a sentence why if it does not know."""
    try:
        rows.select(F.expr(expression)).schema  # noqa: B018 - asking for the schema is what makes Spark look
    except (AnalysisException, ParseException) as error:
        sentence = str(error).strip().partition("\n")[0].partition(" SQLSTATE")[0]
        raise InvalidInput(
            f"{what} cannot be evaluated: {sentence}", hint="It is an SQL expression over the row's columns."
        ) from error
