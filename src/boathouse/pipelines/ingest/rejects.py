"""What becomes of the rows that break a rule: the load stops, or they are kept with the reason."""

from collections.abc import Generator
from contextlib import contextmanager

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it
from pyspark.sql.connect.session import SparkSession

from boathouse.kit.errors import WorkFailed
from boathouse.pipelines.ingest.batch import FILE, ID, RAW, START, VERDICT, Batch
from boathouse.pipelines.ingest.context import LoadContext
from boathouse.pipelines.ingest.expressions import derived
from boathouse.pipelines.ingest.lines import plain_file
from boathouse.pipelines.ingest.rows import Outcome
from boathouse.pipelines.ingest.rules import Rule, is_one_of, numbers, reason, verdict
from boathouse.pipelines.spec import Action, Mode

# A guess between a few rows, for which Spark's compiling takes longer than running, and many; not measured by itself.
MOST_INTERPRETED = 20_000


def refuse_failures(context: LoadContext, batch: Batch, rules: list[Rule], outcome: Outcome) -> None:
    broken = [rule for rule in rules if rule.action is Action.FAIL and outcome.broken[rule.number]]
    if not broken:
        return
    counts = "; ".join(
        f"{count:,} row{' breaks' if count == 1 else 's break'} {rule.title!r}"
        for rule in broken
        for count in (outcome.broken[rule.number],)
    )
    key = "malformed" if broken[0].check is None else "the expectation's `otherwise`"
    raise WorkFailed(
        f"The load was stopped, and nothing of it is in {context.target}: {counts}.{_first(context, batch, rules, outcome)}",
        hint=f"Mend the data, or set {key} to quarantine: such rows are then kept with the reason.",
    )


def _first(context: LoadContext, batch: Batch, rules: list[Rule], outcome: Outcome) -> str:
    """The first row that stopped the load, so that it can be looked at."""
    if outcome.first_failed is None:
        return ""
    found = _with_reason(derived(batch.rows(outcome.first_failed), context.spec), batch, rules).limit(1).collect()
    return "".join(f" The first is {row['file']}{_at(row['line'])}: {row['reason']}." for row in found)


def _at(line: int | None) -> str:
    return "" if line is None else f", line {line}"


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
    bad = derived(batch.rows(outcome.picked), context.spec)
    # Only where their ids are not known: Spark would judge, and so parse, every row before it compares the ids.
    if outcome.picked is None:
        bad = bad.withColumn(VERDICT, verdict(rules)).where(is_one_of(F.col(VERDICT), quarantine))
    with _compiled(context.session, worth_it=outcome.picked is None or expected > MOST_INTERPRETED):
        _told(_with_reason(bad, batch, rules), load_id).writeTo(table).append()


@contextmanager
def _compiled(session: SparkSession, *, worth_it: bool) -> Generator[None]:
    """Let Spark compile what it runs, or not: for a few rows that takes longer than to run it."""
    if worth_it:
        yield
        return
    plain = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
    for name, value in plain.items():
        session.conf.set(name, value)
    try:
        yield
    finally:
        for name in plain:
            session.conf.unset(name)


def _told(rows: DataFrame, load_id: str) -> DataFrame:
    return rows.select(
        F.lit(load_id).alias("load_id"),
        "file",
        "line",
        "reason",
        F.make_valid_utf8(F.col(RAW)).alias("raw"),
        F.when(~F.is_valid_utf8(F.col(RAW)), F.col(RAW).cast("binary")).alias("raw_bytes"),
        F.current_timestamp().alias("rejected_at"),
    )


def _with_reason(bad: DataFrame, batch: Batch, rules: list[Rule]) -> DataFrame:
    """The rows as they stood in their files, with the place and the reason."""
    rows = batch.line(bad.select(RAW, FILE, START, ID, reason(rules).alias("reason")))
    return rows.select(RAW, plain_file().alias("file"), F.col("line").cast("bigint").alias("line"), "reason")
