"""Pipelines as commands run them: with their steps and Spark's progress on standard error, and a report at the end."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

    from boathouse.kit.access import LakeAccess
    from boathouse.kit.deadletters.book import Wanted
    from boathouse.pipelines.ingest.report import Report
    from boathouse.pipelines.spec import PipelineSpec
    from boathouse.pipelines.specs import AnySpec

DONE = {"quarantine": "quarantined", "drop": "dropped", "fail": "stopped the load"}
Say = Callable[[str], None]


def run_pipeline(spec: "PipelineSpec", base: Path, *, again: bool = False) -> "Report":
    from boathouse.pipelines.ingest.load import Load

    with _at_work() as (session, access, say):
        return Load(spec, base, session, access, say, again=again).run()


def replay_rejects(spec: "AnySpec", wanted: "Wanted", *, by: str) -> "Report":
    from boathouse.pipelines.replay.replay import Replay
    from boathouse.pipelines.spec import PipelineSpec
    from boathouse.pipelines.stream.replay import StreamReplay

    with _at_work() as (session, access, say):
        if not isinstance(spec, PipelineSpec):
            # What a replay asks of a session, one of either sort does.
            return StreamReplay(spec, cast("Any", session), access, say, wanted=wanted, by=by).run()
        return Replay(spec, session, access, say, wanted=wanted, by=by).run()


def tell(report: "Report", show: Callable[["Report"], None], file: Path | None, *, as_json: bool) -> None:
    from boathouse.cli.output import document
    from boathouse.cli.values import to_json

    if file is not None:
        file.write_bytes(to_json(report.json()))
    if as_json:
        document(report.json())
    else:
        show(report)


@contextmanager
def _at_work() -> Generator[tuple["SparkSession", "LakeAccess", Say]]:
    from boathouse.cli.output import notices
    from boathouse.cli.progress import progress_bar
    from boathouse.engines.spark.connect import open_session
    from boathouse.engines.spark.progress import progress_to
    from boathouse.kit.access import LakeAccess
    from boathouse.kit.run_properties import settings_of_this_run
    from boathouse.kit.settings import load_settings

    console = notices()
    access = LakeAccess.load(load_settings().home)
    opened = open_session(access.spark, settings=settings_of_this_run())
    with opened as session, progress_bar(console) as report, progress_to(session, report):
        yield session, access, lambda step: console.print(f"· {step}", style="dim")


def show_report(report: "Report") -> None:
    from boathouse.cli.output import facts, notices

    if report.load_id is None:
        many = "1 file was" if report.files_skipped == 1 else f"{report.files_skipped} files were"
        typer.echo(f"Nothing new for {report.table}: {many} loaded before. --again loads them once more.")
        return
    pairs: list[tuple[str, object]] = [
        ("table", report.table),
        ("files", f"{report.files_loaded} loaded, {report.files_skipped} skipped (loaded before)"),
        ("rows in", f"{report.rows_in:,}"),
        ("written", f"{report.rows_written:,}"),
        ("quarantined", f"{report.rows_quarantined:,}{_where(report)}"),
        ("dropped", f"{report.rows_dropped:,}"),
    ]
    pairs += _of_merge(report)
    pairs += [(f"  breaks: {rule.rule}", f"{rule.rows:,} {DONE[rule.action]}") for rule in report.rules if rule.rows]
    for name, columns in (("added", report.columns_added), ("widened", report.columns_widened)):
        if columns:
            pairs.append((f"columns {name}", ", ".join(columns)))
    pairs += [("snapshot", report.snapshot_id), ("seconds", f"{report.seconds:.1f}")]
    facts(pairs)
    if report.rows_in and not report.rows_written + report.rows_outdated:
        notices().print("No row was written: every one was rejected. Check source.format and schema.", style="yellow")


def _where(report: "Report") -> str:
    return f" in {report.table}__rejects" if report.rows_quarantined else ""


def show_replay(report: "Report") -> None:
    from boathouse.cli.output import facts

    if not report.rows_in:
        typer.echo(f"No open row of {report.table} is meant by this.")
        return
    still = f"{report.rows_quarantined:,}" + (" with the new reason" if report.rows_quarantined else "")
    pairs: list[tuple[str, object]] = [
        ("table", report.table),
        ("replayed", f"{report.rows_in:,}"),
        ("written", f"{report.rows_written:,}"),
        ("still open", still),
        ("dropped", f"{report.rows_dropped:,}"),
    ]
    pairs += _of_merge(report)
    pairs += [(f"  breaks: {rule.rule}", f"{rule.rows:,}") for rule in report.rules if rule.rows]
    facts([*pairs, ("snapshot", report.snapshot_id), ("seconds", f"{report.seconds:.1f}")])


def _of_merge(report: "Report") -> list[tuple[str, object]]:
    pairs: list[tuple[str, object]] = []
    if report.rows_superseded:
        pairs.append(("superseded", f"{report.rows_superseded:,} by a later row with the same key"))
    if report.rows_outdated:
        pairs.append(("outdated", f"{report.rows_outdated:,} older than the table's row with the same key"))
    return pairs
