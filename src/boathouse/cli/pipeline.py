"""`boathouse pipeline`: check a spec, run it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boathouse.pipelines.ingest.report import Report
    from boathouse.pipelines.spec import PipelineSpec

app = typer.Typer(help="Load files into tables as a YAML spec says.", no_args_is_help=True)

Spec = Annotated[Path, typer.Argument(help="The pipeline's YAML file.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


@app.command()
def check(spec: Spec, *, as_json: AsJson = False) -> None:
    """Read the spec and say what is wrong with it; nothing is loaded."""
    from boathouse.cli.output import document
    from boathouse.pipelines.spec import load_spec

    read = load_spec(spec)
    if as_json:
        document({"pipeline": read.pipeline, "table": str(read.target.table), "ok": True})
        return
    typer.echo(f"{spec} is in order: {read.pipeline} loads {read.source.format} files into {read.target.table}.")


@app.command()
def run(spec: Spec, *, as_json: AsJson = False) -> None:
    """Load the files that have not been loaded yet, and report what became of every row."""
    from boathouse.cli.output import document
    from boathouse.pipelines.spec import load_spec

    report = run_pipeline(load_spec(spec), spec.resolve().parent)
    if as_json:
        document(report.json())
    else:
        show_report(report)


def run_pipeline(spec: "PipelineSpec", base: Path) -> "Report":
    """Run with each step and Spark's own progress on standard error."""
    from boathouse.cli.output import notices
    from boathouse.cli.progress import progress_bar
    from boathouse.engines.spark.connect import open_session
    from boathouse.engines.spark.progress import progress_to
    from boathouse.kit.access import LakeAccess
    from boathouse.kit.settings import load_settings
    from boathouse.pipelines.ingest.load import Load

    console = notices()
    access = LakeAccess.load(load_settings().home)
    with open_session(access.spark) as session, progress_bar(console) as report, progress_to(session, report):
        return Load(spec, base, session, access, lambda step: console.print(f"· {step}", style="dim")).run()


def show_report(report: "Report") -> None:
    from boathouse.cli.output import facts

    if report.load_id is None:
        many = "1 file was" if report.files_skipped == 1 else f"{report.files_skipped} files were"
        typer.echo(f"Nothing new for {report.table}: {many} loaded before.")
        return
    pairs: list[tuple[str, object]] = [
        ("table", report.table),
        ("files", f"{report.files_loaded} loaded, {report.files_skipped} skipped (loaded before)"),
        ("rows in", f"{report.rows_in:,}"),
        ("written", f"{report.rows_written:,}"),
        ("quarantined", f"{report.rows_quarantined:,}{_where(report)}"),
        ("dropped", f"{report.rows_dropped:,}"),
    ]
    if report.rows_superseded:
        pairs.append(("superseded", f"{report.rows_superseded:,} by a later row with the same key"))
    pairs += [(f"  {rule.rule}", f"{rule.rows:,} ({rule.action})") for rule in report.rules if rule.rows]
    for name, columns in (("added", report.columns_added), ("widened", report.columns_widened)):
        if columns:
            pairs.append((f"columns {name}", ", ".join(columns)))
    pairs += [("snapshot", report.snapshot_id), ("seconds", f"{report.seconds:.1f}")]
    facts(pairs)


def _where(report: "Report") -> str:
    return f" in {report.table}__rejects" if report.rows_quarantined else ""
