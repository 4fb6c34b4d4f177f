"""What a load did, in figures that add up: rows in = written + superseded + outdated + quarantined + dropped."""

from dataclasses import asdict, dataclass, field
from typing import Any

from boathouse.pipelines.ingest.evolution import Changes
from boathouse.pipelines.ingest.new_files import NewFiles
from boathouse.pipelines.ingest.rows import Outcome
from boathouse.pipelines.ingest.rules import Rule, numbers
from boathouse.pipelines.spec import Action, PipelineSpec


@dataclass(frozen=True)
class RuleCount:
    rule: str
    action: str
    rows: int


@dataclass(frozen=True)
class Report:
    pipeline: str
    table: str
    kind: str = "load"
    """Or a replay: of rows that were rejected before."""
    load_id: str | None = None
    """None when there was nothing new."""
    files_loaded: int = 0
    files_skipped: int = 0
    bytes_read: int = 0
    rows_in: int = 0
    rows_written: int = 0
    rows_superseded: int = 0
    """Rows of a merge that another row with the same key in the same load replaced."""
    rows_outdated: int = 0
    """Rows of a merge that are older, by `latest_by`, than the table's row with the same key."""
    rows_quarantined: int = 0
    """Of a replay: those that are still not good, and stay open."""
    rows_dropped: int = 0
    snapshot_id: int | None = None
    seconds: float = 0.0
    rules: list[RuleCount] = field(default_factory=list)
    columns_added: list[str] = field(default_factory=list)
    columns_widened: list[str] = field(default_factory=list)

    def json(self) -> dict[str, Any]:
        return asdict(self)


def report_of(spec: PipelineSpec, new: NewFiles, rules: list[Rule], outcome: Outcome, changes: Changes) -> Report:
    """What became of every file, row and column."""
    quarantined = outcome.count(numbers(rules, Action.QUARANTINE))
    dropped = outcome.count(numbers(rules, Action.DROP))
    good = outcome.rows_in - quarantined - dropped
    written = good if outcome.merged is None else outcome.merged.written
    outdated = 0 if outcome.merged is None else outcome.merged.outdated
    return Report(
        pipeline=spec.pipeline,
        table=str(spec.target.table),
        files_loaded=len(new.files),
        files_skipped=new.skipped,
        bytes_read=sum(scanned.file.size for scanned in new.files),
        rows_in=outcome.rows_in,
        rows_written=written,
        rows_superseded=good - written - outdated,
        rows_outdated=outdated,
        rows_quarantined=quarantined,
        rows_dropped=dropped,
        rules=[RuleCount(rule.title, rule.action, outcome.broken[rule.number]) for rule in rules],
        columns_added=list(changes.added),
        columns_widened=list(changes.widened),
    )


def nothing_new(spec: PipelineSpec, skipped: int) -> Report:
    return Report(pipeline=spec.pipeline, table=str(spec.target.table), files_skipped=skipped)
