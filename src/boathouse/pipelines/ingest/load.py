"""A load from beginning to end: find, compare, read, judge, write out of sight, publish."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from pyspark.sql.connect.session import SparkSession
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt

from boathouse.kit.access import LakeAccess
from boathouse.kit.catalog_client import CatalogClient
from boathouse.kit.errors import Conflict
from boathouse.kit.ids import new_uuid
from boathouse.kit.relations import LOADS_SUFFIX, REJECTS_SUFFIX
from boathouse.pipelines.ingest import records
from boathouse.pipelines.ingest.batch import Batch
from boathouse.pipelines.ingest.context import LoadContext
from boathouse.pipelines.ingest.csv import CsvFormat
from boathouse.pipelines.ingest.json import JsonFormat
from boathouse.pipelines.ingest.new_files import NewFiles, find_new_files, refuse_changed, refuse_overtaken
from boathouse.pipelines.ingest.rejects import refuse_failures, refuse_miscount, write_rejects
from boathouse.pipelines.ingest.report import Report, nothing_new, report_of
from boathouse.pipelines.ingest.rows import rows_of, write_good
from boathouse.pipelines.ingest.rules import rules_of
from boathouse.pipelines.ingest.scan import ScannedFile
from boathouse.pipelines.ingest.staging import StagedTable, Staging
from boathouse.pipelines.ingest.target import add_columns, create_request, evolve
from boathouse.pipelines.ingest.whole import BinaryFormat, ParquetFormat, TextFormat
from boathouse.pipelines.spec import Format, PipelineSpec

ATTEMPTS = 4
"""Another writer may get in first; the load is then prepared anew on what that writer left."""


class FileFormat(Protocol):
    def batch(self) -> Batch: ...


FORMATS: dict[Format, Callable[[SparkSession, PipelineSpec, list[ScannedFile]], FileFormat]] = {
    Format.CSV: CsvFormat,
    Format.JSON: JsonFormat,
    Format.PARQUET: ParquetFormat,
    Format.TEXT: TextFormat,
    Format.BINARY: BinaryFormat,
}


class Load:
    """One run of an ingest pipeline. `say` is told each step as it begins."""

    def __init__(
        self,
        spec: PipelineSpec,
        base: Path,
        session: SparkSession,
        access: LakeAccess,
        say: Callable[[str], None],
        *,
        again: bool = False,
    ) -> None:
        self._context = LoadContext(spec, base, session, access, say, again)
        self._rules = rules_of(spec)
        self._began = time.monotonic()

    def run(self) -> Report:
        context = self._context
        # A sum that overflows or a cast that fails stops the load, as it stops a query; it never writes a wrong value.
        context.session.conf.set("spark.sql.ansi.enabled", "true")
        with CatalogClient(context.access.catalog) as client:
            again = Retrying(stop=stop_after_attempt(ATTEMPTS), retry=retry_if_exception_type(Conflict), reraise=True)
            return again(self._attempt, client)

    def _attempt(self, client: CatalogClient) -> Report:
        # Looked for each time: the writer that got in first may have loaded the same files.
        new = find_new_files(self._context, client)
        if not new.files:
            return replace(nothing_new(self._context.spec, new.skipped), seconds=self._seconds())
        load_id = new_uuid()
        staging = Staging(client, self._context.store, load_id)
        staging.sweep()
        try:
            return self._stage_and_publish(staging, new, load_id)
        finally:
            staging.discard()

    def _stage_and_publish(self, staging: Staging, new: NewFiles, load_id: str) -> Report:
        context, spec = self._context, self._context.spec
        context.say(f"reading {len(new.files)} new file{'s' if len(new.files) > 1 else ''}")
        rows = rows_of(FORMATS[spec.source.format](context.session, spec, new.files).batch(), spec)
        target = staging.copy(context.target, create_request(spec.target, rows.columns))
        rejects = staging.copy(context.target.beside(REJECTS_SUFFIX), records.create_request(records.REJECTS))
        loads = staging.copy(context.target.beside(LOADS_SUFFIX), records.create_request(records.LOADS))
        refuse_overtaken(new, loads)
        add_columns(context, loads, records.LOADS)
        changes = evolve(context, target, rows.columns)
        context.say(f"writing {context.target}")
        # The ledger says what is being loaded, whatever becomes of it, so it need not wait for the rows.
        with ThreadPoolExecutor(1) as beside:
            noted = beside.submit(self._write_loads, new, load_id, loads)
            outcome = write_good(context, rows, self._rules, target, staging)
            noted.result()
        refuse_failures(context, rows.batch, self._rules, outcome)
        rejected = context.spark_name(rejects.name)
        write_rejects(context, rows.batch, self._rules, outcome, table=rejected, load_id=load_id)
        refuse_changed(new.files, context.store)
        refuse_miscount(spec.target.mode, self._rules, outcome, staging.added(target), staging.added(rejects))
        context.say("publishing")
        snapshot = staging.publish()[context.target].get("current-snapshot-id")
        done = report_of(spec, new, self._rules, outcome, changes)
        return replace(done, load_id=load_id, snapshot_id=snapshot, seconds=self._seconds())

    def _write_loads(self, new: NewFiles, load_id: str, loads: StagedTable) -> None:
        rows = records.loaded_rows(new.files, self._context.spec, load_id)
        table = self._context.spark_name(loads.name)
        self._context.session.createDataFrame(rows).writeTo(table).append()

    def _seconds(self) -> float:
        return round(time.monotonic() - self._began, 3)
