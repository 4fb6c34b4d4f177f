"""A load from beginning to end: find, compare, read, judge, write out of sight, publish."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
from pyspark.errors import AnalysisException, ParseException
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt

from boathouse.kit.access import LakeAccess
from boathouse.kit.catalog_client import CatalogClient, Json, TableName
from boathouse.kit.errors import Conflict, InvalidInput, WorkFailed
from boathouse.kit.ids import new_uuid
from boathouse.pipelines.derivation import derivation_order
from boathouse.pipelines.ingest import records
from boathouse.pipelines.ingest.batch import FILE, ID, RAW, START, Batch, Keep, everything
from boathouse.pipelines.ingest.csv import CsvFormat
from boathouse.pipelines.ingest.discovery import SourceFile, current_version, discover
from boathouse.pipelines.ingest.evolution import Changes, plan_changes
from boathouse.pipelines.ingest.json import JsonFormat
from boathouse.pipelines.ingest.lines import plain_file
from boathouse.pipelines.ingest.report import Report, RuleCount
from boathouse.pipelines.ingest.rules import is_one_of, numbers, reason, rules_of, verdict
from boathouse.pipelines.ingest.scan import ScannedFile, scan_all
from boathouse.pipelines.ingest.staging import StagedTable, Staging
from boathouse.pipelines.ingest.whole import BinaryFormat, ParquetFormat, TextFormat
from boathouse.pipelines.partitions import partition_spec
from boathouse.pipelines.spec import LOADS_SUFFIX, REJECTS_SUFFIX, Action, Format, Mode, PipelineSpec
from boathouse.pipelines.types import ColumnType, from_iceberg, iceberg_schema, parse_type, quoted

VERDICT = "_bh_verdict"
# Up to here the places of rejected rows are gathered while the good ones are written (8 bytes each and their boxes on
# the driver's heap); beyond, the rejects are found by reading the files a second time.
MOST_GATHERED = 10_000_000
# How many known fingerprints go into one question to the loads table.
FINGERPRINTS_ASKED = 500
ATTEMPTS = 4
"""Another writer may get in first; the load is then prepared anew on what that writer left."""


class FileFormat(Protocol):
    def __init__(self, session: SparkSession, spec: PipelineSpec, files: list[ScannedFile]) -> None: ...
    def batch(self) -> Batch: ...


FORMATS: dict[Format, type[FileFormat]] = {
    Format.CSV: CsvFormat,
    Format.JSON: JsonFormat,
    Format.PARQUET: ParquetFormat,
    Format.TEXT: TextFormat,
    Format.BINARY: BinaryFormat,
}


@dataclass(frozen=True)
class Outcome:
    """What the writing pass saw."""

    rows_in: int
    broken: dict[int, int]
    """Rows by the number of the rule that decided about them."""
    places: list[int] | None
    """The ids of the quarantined rows, if they were gathered."""

    def count(self, wanted: list[int]) -> int:
        return sum(self.broken[number] for number in wanted)


class Load:
    """One run of an ingest pipeline. `say` is told each step as it begins."""

    def __init__(
        self, spec: PipelineSpec, base: Path, session: SparkSession, access: LakeAccess, say: Callable[[str], None]
    ) -> None:
        self._spec = spec
        self._base = base
        self._session = session
        self._access = access
        self._say = say
        self._target = spec.target.table
        self._rules = rules_of(spec)
        self._clock = time.monotonic()

    def run(self) -> Report:
        # A cast or a division that fails inside an expectation makes it null, which does not pass; it does not stop Spark.
        self._session.conf.set("spark.sql.ansi.enabled", "false")
        with CatalogClient(self._access.catalog) as client:
            files, skipped = self._new_files(client)
            if not files:
                return self._nothing_new(skipped)
            again = Retrying(stop=stop_after_attempt(ATTEMPTS), retry=retry_if_exception_type(Conflict), reraise=True)
            return again(self._attempt, client, files, skipped)

    def _attempt(self, client: CatalogClient, files: list[ScannedFile], skipped: int) -> Report:
        load_id = new_uuid()
        staging = Staging(client, self._access.object_store, load_id)
        staging.sweep()
        try:
            return self._stage_and_publish(staging, files, skipped, load_id)
        finally:
            staging.discard()

    def _stage_and_publish(self, staging: Staging, files: list[ScannedFile], skipped: int, load_id: str) -> Report:
        self._say(f"reading {len(files)} new file{'s' if len(files) > 1 else ''}")
        batch = FORMATS[self._spec.source.format](self._session, self._spec, files).batch()
        rows = self._derive(batch.rows(everything))
        self._refuse_unless_sql(rows)
        columns = self._columns(batch, rows)
        target = staging.copy(self._target, self._create_request(columns))
        rejects = staging.copy(self._target.beside(REJECTS_SUFFIX), records.create_request(records.REJECTS))
        loads = staging.copy(self._target.beside(LOADS_SUFFIX), records.create_request(records.LOADS))
        changes = self._evolve(target, columns)
        self._say(f"writing {self._target}")
        outcome, merged = self._write(rows, batch, list(columns), target, staging)
        self._refuse_failures(outcome)
        self._write_rejects(batch, outcome, rejects, load_id)
        written = records.loaded_rows(files, self._spec.pipeline, load_id)
        self._session.createDataFrame(written).writeTo(self._spark_name(loads.name)).append()
        self._refuse_changed([scanned.file for scanned in files])
        self._say("publishing")
        gained = staging.publish()
        return self._report(files, skipped, load_id, outcome, merged, changes, gained[self._target])

    # Which files

    def _new_files(self, client: CatalogClient) -> tuple[list[ScannedFile], int]:
        """The files whose content has not been loaded yet, each content once."""
        self._say("looking for files")
        found = discover(self._spec.source.path, self._base, self._access.object_store)
        self._say(f"fingerprinting {len(found)} file{'s' if len(found) > 1 else ''}")
        known = self._known(client, "version", [f"{file.version}" for file in found if not file.is_local])
        # An ETag follows the content, so a known one spares the download; a file on disk is always read.
        candidates = [file for file in found if file.is_local or file.version not in known]
        scanned = {
            s.sha256: s
            for s in reversed(scan_all(candidates, self._access.object_store, quote=self._spec.source.csv.quote))
        }
        loaded = self._known(client, "sha256", list(scanned))
        new = sorted((s for s in scanned.values() if s.sha256 not in loaded), key=lambda s: s.file.url)
        return new, len(found) - len(new)

    def _known(self, client: CatalogClient, column: str, values: list[str]) -> set[str]:
        loads = self._target.beside(LOADS_SUFFIX)
        if not values or client.find_table(loads) is None:
            return set()
        table = self._session.table(self._spark_name(loads))
        known: set[str] = set()
        for at in range(0, len(values), FINGERPRINTS_ASKED):
            asked = values[at : at + FINGERPRINTS_ASKED]
            known |= {row[0] for row in table.where(F.col(column).isin(asked)).select(column).distinct().collect()}
        return known

    def _refuse_changed(self, files: list[SourceFile]) -> None:
        for file in files:
            if current_version(file, self._access.object_store) != file.version:
                raise WorkFailed(
                    f"{file.url} changed while it was being read; nothing was loaded.",
                    hint="Run the pipeline again when the file is complete.",
                )

    # Which rows

    def _derive(self, rows: DataFrame) -> DataFrame:
        for name in derivation_order(self._spec.derive):
            _refuse_unless_sql(rows, self._spec.derive[name], f"The derived column {name!r}")
            rows = rows.withColumn(name, F.expr(self._spec.derive[name]))
        return rows

    def _refuse_unless_sql(self, rows: DataFrame) -> None:
        for expectation in self._spec.expectations:
            what = f"The expectation {expectation.title!r}"
            _refuse_unless_sql(rows, f"cast(({expectation.check}) as boolean)", what)

    def _columns(self, batch: Batch, rows: DataFrame) -> dict[str, ColumnType]:
        """The columns to write: the batch's, then the derived ones."""
        columns = dict(batch.columns)
        if self._spec.derive:
            kinds = {field.name: field.dataType.simpleString() for field in rows.schema.fields}
            columns |= {name: parse_type(kinds[name]) for name in self._spec.derive}
        return columns

    def _write(
        self, rows: DataFrame, batch: Batch, columns: list[str], target: StagedTable, staging: Staging
    ) -> tuple[Outcome, int | None]:
        """Write the rows that pass; for a merge, also how many rows it took over."""
        gather = batch.most_rows <= MOST_GATHERED and bool(numbers(self._rules, Action.QUARANTINE))
        seen = Observation()
        judged = rows.withColumn(VERDICT, verdict(self._rules))
        wanted = [F.col(quoted(name)) for name in columns]
        kept = judged.select(*wanted, FILE, START, ID, VERDICT).observe(seen, *self._metrics(gather=gather))
        good = kept.where(F.col(VERDICT).isNull())
        name = self._spark_name(target.name)
        merged = None
        if self._spec.target.mode is Mode.MERGE:
            merged = self._merge(good.select(*wanted, FILE, START, ID), columns, name, staging)
        elif self._spec.target.mode is Mode.OVERWRITE_PARTITIONS:
            good.select(*wanted).writeTo(name).overwritePartitions()
        else:
            good.select(*wanted).writeTo(name).append()
        return self._outcome(seen, gather=gather), merged

    def _metrics(self, *, gather: bool) -> list[Column]:
        decision = F.col(VERDICT)
        counts = [F.count(F.when(decision == rule.number, 1)).alias(f"rule_{rule.number}") for rule in self._rules]
        metrics = [F.count(F.lit(1)).alias("rows_in"), *counts]
        if gather:
            quarantined = is_one_of(decision, numbers(self._rules, Action.QUARANTINE))
            metrics.append(F.collect_list(F.when(quarantined, F.col(ID))).alias("places"))
        return metrics

    def _outcome(self, seen: Observation, *, gather: bool) -> Outcome:
        metrics: dict[str, Any] = seen.get
        broken = {rule.number: int(metrics[f"rule_{rule.number}"]) for rule in self._rules}
        return Outcome(int(metrics["rows_in"]), broken, list(metrics["places"]) if gather else None)

    def _merge(self, good: DataFrame, columns: list[str], table: str, staging: Staging) -> int:
        """Write the rows once, keep the last of each key, and merge those."""
        scratch = staging.scratch_table(self._target)
        source = self._spark_name(scratch)
        good.writeTo(source).using("iceberg").create()
        keys = ", ".join(quoted(key) for key in self._spec.target.keys)
        latest = self._spec.target.latest_by
        order = [
            *([f"{quoted(latest)} DESC NULLS LAST"] if latest else []),
            f"{FILE} DESC",
            f"{START} DESC",
            f"{ID} DESC",
        ]
        wanted = ", ".join(quoted(name) for name in columns)
        ranked = f"SELECT {wanted}, row_number() OVER (PARTITION BY {keys} ORDER BY {', '.join(order)}) AS _bh_rank FROM {source}"
        last = f"SELECT {wanted} FROM ({ranked}) WHERE _bh_rank = 1"
        same = " AND ".join(f"t.{quoted(key)} = s.{quoted(key)}" for key in self._spec.target.keys)
        updates = ", ".join(f"t.{quoted(name)} = s.{quoted(name)}" for name in columns)
        values = ", ".join(f"s.{quoted(name)}" for name in columns)
        self._session.sql(
            f"MERGE INTO {table} t USING ({last}) s ON {same} WHEN MATCHED THEN UPDATE SET {updates} "
            f"WHEN NOT MATCHED THEN INSERT ({wanted}) VALUES ({values})"
        )
        return int(self._session.sql(f"SELECT count(DISTINCT {keys}) FROM {source}").collect()[0][0])

    def _write_rejects(self, batch: Batch, outcome: Outcome, rejects: StagedTable, load_id: str) -> None:
        quarantine = numbers(self._rules, Action.QUARANTINE)
        expected = outcome.count(quarantine)
        if not expected:
            return
        self._say(f"writing {expected:,} rejected row{'s' if expected > 1 else ''}")
        bad = self._derive(batch.rows(everything if outcome.places is None else self._only(outcome.places)))
        if outcome.places is None:
            bad = bad.withColumn(VERDICT, verdict(self._rules)).where(is_one_of(F.col(VERDICT), quarantine))
        valid = F.is_valid_utf8(F.col(RAW))
        with_reason = bad.select(RAW, FILE, START, ID, reason(self._rules, batch.complaint()).alias("reason"))
        batch.line(with_reason).select(
            F.lit(load_id).alias("load_id"),
            plain_file().alias("file"),
            F.col("line").cast("bigint"),
            "reason",
            F.make_valid_utf8(F.col(RAW)).alias("raw"),
            F.when(~valid, F.col(RAW).cast("binary")).alias("raw_bytes"),
            F.current_timestamp().alias("rejected_at"),
        ).writeTo(self._spark_name(rejects.name)).append()

    def _only(self, places: list[int]) -> Keep:
        """Only the rows with these ids."""
        wanted = self._session.createDataFrame(pa.table({ID: pa.array(places, pa.int64())}))
        return lambda rows: rows.join(F.broadcast(wanted), ID, "left_semi")

    def _refuse_failures(self, outcome: Outcome) -> None:
        broken = [rule for rule in self._rules if rule.action is Action.FAIL and outcome.broken[rule.number]]
        if broken:
            counts = "; ".join(f"{outcome.broken[rule.number]:,} rows break {rule.title!r}" for rule in broken)
            raise WorkFailed(
                f"The load was stopped, and nothing of it is in {self._target}: {counts}.",
                hint="Mend the data, or let the expectation quarantine such rows instead of failing.",
            )

    # Which table

    def _create_request(self, columns: dict[str, ColumnType]) -> Json:
        schema = iceberg_schema(columns)
        for field in self._spec.target.partition_by:
            if field.column not in columns:
                raise InvalidInput(
                    f"target.partition_by names {field.column!r}; the columns are {', '.join(columns)}.",
                    hint="Mend the spec.",
                )
        return {
            "schema": schema,
            "partition-spec": partition_spec(self._spec.target.partition_by, schema),
            "properties": {"format-version": "2", **self._spec.target.properties},
        }

    def _evolve(self, target: StagedTable, columns: dict[str, ColumnType]) -> Changes:
        table = {field["name"]: from_iceberg(field["type"]) for field in target.columns}
        changes = plan_changes(table, columns, self._spec.target.evolution, str(self._target))
        for statement in changes.statements(self._spark_name(target.name)):
            self._session.sql(statement)
        return changes

    def _spark_name(self, table: TableName) -> str:
        return ".".join(quoted(part) for part in (self._access.spark.catalog, *table.namespace, table.name))

    # What was done

    def _report(
        self,
        files: list[ScannedFile],
        skipped: int,
        load_id: str,
        outcome: Outcome,
        merged: int | None,
        changes: Changes,
        metadata: Json,
    ) -> Report:
        quarantined = outcome.count(numbers(self._rules, Action.QUARANTINE))
        dropped = outcome.count(numbers(self._rules, Action.DROP))
        good = outcome.rows_in - quarantined - dropped
        return Report(
            pipeline=self._spec.pipeline,
            table=str(self._target),
            load_id=load_id,
            files_loaded=len(files),
            files_skipped=skipped,
            bytes_read=sum(scanned.file.size for scanned in files),
            rows_in=outcome.rows_in,
            rows_written=good if merged is None else merged,
            rows_superseded=0 if merged is None else good - merged,
            rows_quarantined=quarantined,
            rows_dropped=dropped,
            snapshot_id=metadata.get("current-snapshot-id"),
            seconds=round(time.monotonic() - self._clock, 3),
            rules=[RuleCount(r.title, r.action, outcome.broken[r.number]) for r in self._rules],
            columns_added=list(changes.added),
            columns_widened=list(changes.widened),
        )

    def _nothing_new(self, skipped: int) -> Report:
        return Report(
            pipeline=self._spec.pipeline,
            table=str(self._target),
            load_id=None,
            files_loaded=0,
            files_skipped=skipped,
            bytes_read=0,
            rows_in=0,
            rows_written=0,
            rows_superseded=0,
            rows_quarantined=0,
            rows_dropped=0,
            snapshot_id=None,
            seconds=round(time.monotonic() - self._clock, 3),
        )


def _refuse_unless_sql(rows: DataFrame, expression: str, what: str) -> None:
    """Ask Spark what the expression means over these rows, and say in a sentence why if it does not know."""
    try:
        rows.select(F.expr(expression)).schema  # noqa: B018 - asking for the schema is what makes Spark look
    except (AnalysisException, ParseException) as error:
        sentence = str(error).strip().partition("\n")[0].partition(" SQLSTATE")[0]
        raise InvalidInput(
            f"{what} cannot be evaluated: {sentence}", hint="It is an SQL expression over the row's columns."
        ) from error
