"""`boathouse pipeline`: check a spec, run it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boathouse.pipelines.ingest.report import Report
    from boathouse.pipelines.spec import PipelineSpec

app = typer.Typer(help="Load files into tables as a YAML spec says.", no_args_is_help=True)

Spec = Annotated[Path, typer.Argument(help="The pipeline's YAML file.", show_default=False)]
DONE = {"quarantine": "quarantined", "drop": "dropped", "fail": "stopped the load"}
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


@app.command()
def check(spec: Spec, *, as_json: AsJson = False) -> None:
    """Read the spec and say what is wrong with it; nothing is loaded.

    Its expressions are judged by Spark, if the lakehouse runs and the spec has a schema.
    """
    from boathouse.cli.output import document
    from boathouse.pipelines.spec import load_spec

    read = load_spec(spec)
    unchecked = _check_expressions(read)
    if as_json:
        told = {"pipeline": read.pipeline, "table": str(read.target.table), "ok": True}
        document({**told, "expressions_unchecked": unchecked})
        return
    typer.echo(f"{spec} is in order: {read.pipeline} loads {read.source.format} files into {read.target.table}.")
    if unchecked:
        typer.echo(f"Its expressions were not looked at: {unchecked}.")


def _check_expressions(spec: "PipelineSpec") -> str | None:
    """Ask Spark about the spec's expressions, or say why that could not be done."""
    from boathouse.kit.access import LakeAccess
    from boathouse.kit.errors import BoathouseError, InvalidInput
    from boathouse.kit.settings import load_settings

    if not spec.derive and not spec.expectations:
        return None
    if spec.columns is None:
        return "the spec has no schema, so the columns are known only from the files"
    try:
        access = LakeAccess.load(load_settings().home)
        from boathouse.engines.spark.connect import open_session
        from boathouse.pipelines.ingest.expressions import check_expressions

        with open_session(access.spark) as session:
            check_expressions(session, spec, spec.columns)
    except InvalidInput:
        raise
    except BoathouseError:
        return "the lakehouse is not running (`boathouse up`)"
    return None


@app.command()
def keys(*, as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False) -> None:
    """List every key that a spec may have, with its default and its meaning."""
    from boathouse.cli.output import listing
    from boathouse.pipelines.spec_keys import keys as known

    rows = [(key.name, "(must be given)" if key.required else key.default, key.meaning) for key in known()]
    listing(["key", "default", "meaning"], rows, as_json=as_json)


@app.command()
def run(
    spec: Spec,
    *,
    again: Annotated[
        bool, typer.Option("--again", help="Also load files that were loaded before; append adds their rows once more.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Load the files that have not been loaded yet, and report what became of every row."""
    from boathouse.cli.output import document
    from boathouse.pipelines.spec import load_spec

    report = run_pipeline(load_spec(spec), spec.resolve().parent, again=again)
    if as_json:
        document(report.json())
    else:
        show_report(report)


def run_pipeline(spec: "PipelineSpec", base: Path, *, again: bool = False) -> "Report":
    """Run with each step and Spark's own progress on standard error."""
    from boathouse.cli.output import notices
    from boathouse.cli.progress import progress_bar
    from boathouse.engines.spark.connect import open_session
    from boathouse.engines.spark.progress import progress_to
    from boathouse.kit.access import LakeAccess
    from boathouse.kit.run_properties import settings_of_this_run
    from boathouse.kit.settings import load_settings
    from boathouse.pipelines.ingest.load import Load

    console = notices()
    access = LakeAccess.load(load_settings().home)
    opened = open_session(access.spark, settings=settings_of_this_run())
    with opened as session, progress_bar(console) as report, progress_to(session, report):

        def say(step: str) -> None:
            console.print(f"· {step}", style="dim")

        return Load(spec, base, session, access, say, again=again).run()


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
    if report.rows_superseded:
        pairs.append(("superseded", f"{report.rows_superseded:,} by a later row with the same key"))
    if report.rows_outdated:
        pairs.append(("outdated", f"{report.rows_outdated:,} older than the table's row with the same key"))
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
