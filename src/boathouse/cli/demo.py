"""`boathouse demo`: a CSV file becomes a table, answers questions, and travels back in time."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession
    from rich.console import Console

    from boathouse.kit.settings import Settings
    from boathouse.pipelines.ingest.report import Report


def demo(
    *,
    once: Annotated[bool, typer.Option("--once", help="Stop the lakehouse at the end, unless it ran before.")] = False,
) -> None:
    """See it all work on a small example. The lakehouse stays up to play with."""
    from boathouse.cli.stack_start import StartView
    from boathouse.kit.settings import load_settings
    from boathouse.stack.lifecycle import Lakehouse

    settings = load_settings()
    lakehouse = Lakehouse(settings)
    _chapter("Starting the lakehouse: object storage, catalog, Spark")
    started = StartView().up(lakehouse, settings.stack.profile)
    try:
        folder = _story(settings)
    finally:
        if once and started:
            StartView().down(lakehouse)
    if not (once and started):
        _farewell(settings, folder)


def _story(settings: "Settings") -> Path:
    from boathouse.engines.spark.connect import open_session
    from boathouse.kit.access import LakeAccess

    folder = settings.home / "demo" / "sales"
    spec = _files(folder)
    first = _load(spec)
    with open_session(LakeAccess.load(settings.home).spark) as session:
        _rejects(session)
        _questions(session)
        _time_travel(session, folder, spec, first)
    return folder


def _files(folder: Path) -> Path:
    from boathouse.cli.demo_sales import FIRST_HALF, JULY, SPEC, write_period

    folder.mkdir(parents=True, exist_ok=True)
    spec = folder / "orders.yaml"
    spec.write_text(SPEC, encoding="utf-8")
    (folder / JULY.name).unlink(missing_ok=True)
    path = write_period(folder, FIRST_HALF)
    _chapter(f"A CSV file of {FIRST_HALF.rows:,} orders, some of them broken: {path}")
    with path.open(encoding="utf-8") as file:
        for _ in range(4):
            typer.echo(f"  {file.readline().rstrip()}")
    return spec


def _load(spec: Path) -> "Report":
    from boathouse.cli.pipelines import run_pipeline, show_report
    from boathouse.pipelines.spec import load_spec

    _chapter(f"Loading it: boathouse pipeline run {spec}")
    report = run_pipeline(load_spec(spec), spec.parent)
    show_report(report)
    return report


def _rejects(session: "SparkSession") -> None:
    _chapter("No row is lost: the rejects, with file, line and reason")
    _ask(
        session,
        "select reason, count(*) as rows, min(line) as first_line\nfrom sales.orders__rejects group by reason order by 2 desc limit 6",
    )


def _questions(session: "SparkSession") -> None:
    from boathouse.cli.demo_sales import QUESTIONS

    for question, chart, statement in QUESTIONS:
        _chapter(question)
        _ask(session, statement, chart)


def _time_travel(session: "SparkSession", folder: Path, spec: Path, first: "Report") -> None:
    from boathouse.cli.demo_sales import JULY, TIME_TRAVEL, write_period

    write_period(folder, JULY)
    _load(spec)
    _chapter("Travelling back in time: the table now, and as it was after the first load")
    then = first.snapshot_id or _first_snapshot(session)
    _ask(session, TIME_TRAVEL.format(then=then))


def _first_snapshot(session: "SparkSession") -> int:
    """Where the demo has run before: the table's oldest version."""
    rows = session.sql("select snapshot_id from sales.orders.snapshots order by committed_at limit 1").collect()
    return int(rows[0][0])


def _ask(session: "SparkSession", statement: str, chart: str | None = None) -> None:
    from boathouse.cli.chart import Chart
    from boathouse.cli.sql import View, execute
    from boathouse.engines.spark.statements import split

    _show_sql(statement)
    view = View(chart=Chart(chart) if chart else None)
    for one in split(statement):
        execute(session, one, view)


def _show_sql(statement: str) -> None:
    """In colours on a terminal; elsewhere as it is, because Rich cuts code at the width it supposes there."""
    from rich.syntax import Syntax

    console = _console()
    if console.is_terminal:
        console.print(Syntax(statement, "sql", background_color="default", word_wrap=True))
    else:
        typer.echo(statement)


def _farewell(settings: "Settings", folder: Path) -> None:
    from boathouse.kit.access import LakeAccess

    access = LakeAccess.load(settings.home)
    _chapter("Where everything is")
    places = {
        "SQL": "boathouse sql          (a prompt; try: select * from sales.orders limit 5)",
        "Tables": "boathouse table list    boathouse table history sales.orders",
        "Example": f"{folder}",
        "Catalog": f"{access.catalog.uri}   (Iceberg REST, warehouse {access.catalog.warehouse})",
        "Storage": f"{access.object_store.endpoint}   (S3, bucket {access.object_store.bucket})",
        "Spark": f"{access.spark.remote}   (Spark Connect)",
        "Data, logs": f"{settings.home}",
        "Stop": "boathouse down         (the data stays; boathouse up finds it again)",
    }
    for name, place in places.items():
        _console().print(f"  [bold]{name:<11}[/bold] {place}", soft_wrap=True)


def _chapter(title: str) -> None:
    console = _console()
    console.print()
    console.print(f"[bold cyan]▌[/bold cyan] [bold]{title}[/bold]", soft_wrap=True)


def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False)
