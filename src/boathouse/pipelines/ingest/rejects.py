"""What becomes of the rows that break a rule: the load stops, or they are kept with the reason."""

import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.kit.catalog_client import TableName
from boathouse.kit.errors import WorkFailed
from boathouse.pipelines.ingest.batch import FILE, ID, RAW, START, VERDICT, Batch, Keep, everything
from boathouse.pipelines.ingest.context import LoadContext
from boathouse.pipelines.ingest.lines import plain_file
from boathouse.pipelines.ingest.rows import Outcome, derive
from boathouse.pipelines.ingest.rules import Rule, is_one_of, numbers, reason, verdict
from boathouse.pipelines.spec import Action, Mode


def refuse_failures(rules: list[Rule], outcome: Outcome, table: TableName) -> None:
    broken = [rule for rule in rules if rule.action is Action.FAIL and outcome.broken[rule.number]]
    if broken:
        counts = "; ".join(f"{outcome.broken[rule.number]:,} rows break {rule.title!r}" for rule in broken)
        raise WorkFailed(
            f"The load was stopped, and nothing of it is in {table}: {counts}.",
            hint="Mend the data, or let the expectation quarantine such rows instead of failing.",
        )


def refuse_miscount(mode: Mode, rules: list[Rule], outcome: Outcome, written: int, rejected: int) -> None:
    """What Iceberg wrote must be what was counted on the way; a merge also rewrites rows that were there before."""
    quarantined, dropped = (outcome.count(numbers(rules, action)) for action in (Action.QUARANTINE, Action.DROP))
    good = outcome.rows_in - quarantined - dropped
    if rejected != quarantined or (mode is not Mode.MERGE and written != good):
        raise WorkFailed(
            f"The load does not add up, so nothing was published: {good:,} good and {quarantined:,} rejected rows were "
            f"counted, {written:,} and {rejected:,} were written.",
            hint="Run the pipeline again: a task that Spark lost and repeated may have been counted twice. "
            "An expectation that depends on the time or on chance can cause it too.",
        )


def write_rejects(
    context: LoadContext, batch: Batch, rules: list[Rule], outcome: Outcome, *, table: str, load_id: str
) -> None:
    quarantine = numbers(rules, Action.QUARANTINE)
    expected = outcome.count(quarantine)
    if not expected:
        return
    context.say(f"writing {expected:,} rejected row{'s' if expected > 1 else ''}")
    bad = derive(batch.rows(everything if outcome.places is None else _only(context, outcome.places)), context.spec)
    # Only where their ids are not known: Spark would judge, and so parse, every row before it compares the ids.
    if outcome.places is None:
        bad = bad.withColumn(VERDICT, verdict(rules)).where(is_one_of(F.col(VERDICT), quarantine))
    with_reason = bad.select(RAW, FILE, START, ID, reason(rules, batch.complaint()).alias("reason"))
    batch.line(with_reason).select(
        F.lit(load_id).alias("load_id"),
        plain_file().alias("file"),
        F.col("line").cast("bigint"),
        "reason",
        F.make_valid_utf8(F.col(RAW)).alias("raw"),
        F.when(~F.is_valid_utf8(F.col(RAW)), F.col(RAW).cast("binary")).alias("raw_bytes"),
        F.current_timestamp().alias("rejected_at"),
    ).writeTo(table).append()


def _only(context: LoadContext, places: list[int]) -> Keep:
    """Only the rows with these ids."""
    wanted = context.session.createDataFrame(pa.table({ID: pa.array(places, pa.int64())}))
    return lambda rows: rows.join(F.broadcast(wanted), ID, "left_semi")
