"""One round of a replay: its rows judged and written out of sight, what became of each noted, and both published at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.kit.deadletters.ledger import Action, Entry, as_rows
from boathouse.pipelines.ingest.batch import ID, VERDICT, Batch
from boathouse.pipelines.ingest.context import LoadContext
from boathouse.pipelines.ingest.expressions import derived
from boathouse.pipelines.ingest.new_files import NewFiles
from boathouse.pipelines.ingest.rejects import refuse_miscount
from boathouse.pipelines.ingest.report import Report, report_of
from boathouse.pipelines.ingest.rows import rows_of, write_good
from boathouse.pipelines.ingest.rules import Rule, numbers, reason, rules_of, verdict
from boathouse.pipelines.ingest.scan import ScannedFile, header
from boathouse.pipelines.ingest.staging import StagedTable, Staging
from boathouse.pipelines.ingest.target import create_request, evolve
from boathouse.pipelines.replay.formats import batch_of
from boathouse.pipelines.replay.letters import files_of, lines_of
from boathouse.pipelines.replay.mailbag import Mailbag
from boathouse.pipelines.replay.same_spec import same_spec
from boathouse.pipelines.spec import Action as Otherwise
from boathouse.pipelines.spec import Format, PipelineSpec
from boathouse.pipelines.types import ColumnType

DROPPED = "dropped: "
Judged = Mapping[int, tuple[int, str]]
"""Of the rows that do not pass, by their ids: the number of the rule that decided, and every reason."""


@dataclass(frozen=True)
class Round:
    context: LoadContext
    """With the spec by which files are loaded."""
    staging: Staging
    mends: StagedTable
    bag: Mailbag
    load_id: str
    by: str
    at: datetime

    def carry_out(self, table: Mapping[str, ColumnType]) -> Report:
        """`table` has the columns that the target has now."""
        entries = [self._entry(one, Action.FAILED, None, why) for one, why in self.bag.unusable.items()]
        report = Report(self.context.spec.pipeline, str(self.context.target))
        if self.bag.letters:
            files = files_of(self.bag.letters, self.context.spec.source.encoding)
            spec = same_spec(self.context.spec, table, self.bag.letters, _layout(self.context.spec, files))
            report, judged = self._write(replace(self.context, spec=spec), files)
            entries += self._entries(judged, rules_of(spec))
        self._note(entries)
        self.context.say("publishing")
        published = self.staging.publish().get(self.context.target, {})
        many = len(self.bag.unusable)
        return replace(
            report,
            load_id=self.load_id,
            snapshot_id=published.get("current-snapshot-id"),
            rows_in=report.rows_in + many,
            rows_quarantined=report.rows_quarantined + many,
        )

    def _write(self, context: LoadContext, files: list[ScannedFile]) -> tuple[Report, Judged]:
        spec, rules = context.spec, rules_of(context.spec)
        batch = batch_of(context.session, spec, files, lines_of(context.session, self.bag.letters))
        rows = rows_of(batch, spec)
        target = self.staging.copy(context.target, create_request(spec.target, rows.columns))
        changes = evolve(context, target, rows.columns)
        context.say(f"writing {context.target}")
        outcome = write_good(context, rows, rules, target, self.staging)
        judged = _judged(batch, spec, rules)
        kept = set(numbers(rules, Otherwise.QUARANTINE))
        still = sum(number in kept for number, _ in judged.values())
        refuse_miscount(spec.target.mode, rules, outcome, self.staging.added(target), still)
        report = report_of(spec, NewFiles([], 0, None), rules, outcome, changes)
        return replace(report, files_loaded=0, bytes_read=0), judged

    def _entries(self, judged: Judged, rules: list[Rule]) -> Iterator[Entry]:
        dropped = set(numbers(rules, Otherwise.DROP))
        for place, letter in enumerate(self.bag.letters):
            number, why = judged.get(place, (None, None))
            if number is None:
                yield self._entry(letter.id, Action.REPLAYED, letter.mended, None)
            elif number in dropped:
                yield self._entry(letter.id, Action.REPLAYED, letter.mended, f"{DROPPED}{why}")
            else:
                yield self._entry(letter.id, Action.FAILED, letter.mended, why)

    def _entry(self, reject: str, action: Action, raw: str | None, note: str | None) -> Entry:
        return Entry(reject, action, self.at, self.by, raw, note, self.load_id)

    def _note(self, entries: list[Entry]) -> None:
        self.context.say(f"noting what became of {len(entries):,} row{'s' if len(entries) > 1 else ''}")
        table = self.context.spark_name(self.mends.name)
        self.context.session.createDataFrame(as_rows(entries)).writeTo(table).append()


def _judged(batch: Batch, spec: PipelineSpec, rules: list[Rule]) -> Judged:
    told = derived(batch.rows(None), spec).select(ID, verdict(rules).alias(VERDICT), reason(rules).alias("reason"))
    found = told.where(F.col(VERDICT).isNotNull()).collect()
    return {int(row[ID]): (int(row[VERDICT]), str(row["reason"])) for row in found}


def _layout(spec: PipelineSpec, files: list[ScannedFile]) -> set[str]:
    if spec.source.format is not Format.CSV or not spec.source.csv.header:
        return set()
    return {name for file in files for name in header(file, spec.source.csv, spec.source.encoding)}
