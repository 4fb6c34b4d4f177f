"""`boathouse demo`: a CSV file becomes a table, answers questions, travels back in time, and is there to click through."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boathouse.cli.chapters import chapter, console, show_sql

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

    from boathouse.cli.demo_workspace import DemoWorkspace
    from boathouse.client.runs import Run
    from boathouse.kit.access import LakeAccess
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
    chapter("Starting the lakehouse: object storage, catalog, Spark, control plane")
    started = StartView().up(lakehouse, settings.stack.profile)
    try:
        folder = _story(settings)
    finally:
        if once and started:
            StartView().down(lakehouse)
    if not (once and started):
        _farewell(settings, folder)
        _invite(settings, folder)


def _story(settings: "Settings") -> Path:
    from boathouse.engines.spark.connect import open_session
    from boathouse.kit.access import LakeAccess

    access = LakeAccess.load(settings.home)
    folder = settings.home / "demo" / "sales"
    spec = _files(folder)
    first = _load(spec)
    with open_session(access.spark) as session:
        _rejects(session)
        _questions(session)
        workspace = _workspace(access, folder)
        _second_load(workspace, folder, spec)
        runs = workspace.start_all() if workspace else []
        _time_travel(session, first)
    if workspace is not None:
        _look_around(workspace, runs)
    return folder


def _workspace(access: "LakeAccess", folder: Path) -> "DemoWorkspace | None":
    """None where the profile has no control plane."""
    from boathouse.cli.demo_workspace import DemoWorkspace
    from boathouse.client.client import ControlClient

    if access.control is None:
        return None
    workspace = DemoWorkspace(ControlClient(access.control.uri, access.control.token), folder)
    workspace.fill(access)
    return workspace


def _files(folder: Path) -> Path:
    from boathouse.cli.demo_sales import FIRST_HALF, JULY, SPEC, write_period

    folder.mkdir(parents=True, exist_ok=True)
    spec = folder / "orders.yaml"
    spec.write_text(SPEC, encoding="utf-8")
    (folder / JULY.name).unlink(missing_ok=True)
    path = write_period(folder, FIRST_HALF)
    chapter(f"A CSV file of {FIRST_HALF.rows:,} orders, some of them broken: {path}")
    with path.open(encoding="utf-8") as file:
        for _ in range(4):
            typer.echo(f"  {file.readline().rstrip()}")
    return spec


def _load(spec: Path) -> "Report":
    from boathouse.cli.pipelines import run_pipeline, show_report
    from boathouse.pipelines.spec import load_spec

    chapter(f"Loading it: boathouse pipeline run {spec}")
    report = run_pipeline(load_spec(spec), spec.parent)
    show_report(report)
    return report


def _rejects(session: "SparkSession") -> None:
    chapter("No row is lost: the rejects, with file, line and reason")
    _ask(
        session,
        "select reason, count(*) as rows, min(line) as first_line\nfrom sales.orders__rejects group by reason order by 2 desc limit 6",
    )


def _questions(session: "SparkSession") -> None:
    from boathouse.cli.demo_sales import QUESTIONS

    for question, chart, statement in QUESTIONS:
        chapter(question)
        _ask(session, statement, chart)


def _second_load(workspace: "DemoWorkspace | None", folder: Path, spec: Path) -> None:
    """By a job where there is a control plane, as a schedule would."""
    from boathouse.cli.demo_sales import JULY, write_period
    from boathouse.cli.demo_workspace import LOAD, WORKSPACE

    write_period(folder, JULY)
    if workspace is None:
        _load(spec)
        return
    chapter(f"July comes, and a job loads it: boathouse job run {LOAD} --workspace {WORKSPACE}")
    for line in workspace.load():
        typer.echo(line)


def _time_travel(session: "SparkSession", first: "Report") -> None:
    from boathouse.cli.demo_sales import TIME_TRAVEL

    chapter("Travelling back in time: the table now, and as it was after the first load")
    then = first.snapshot_id or _first_snapshot(session)
    _ask(session, TIME_TRAVEL.format(then=then))


def _look_around(workspace: "DemoWorkspace", runs: "list[Run]") -> None:
    from boathouse.cli.demo_workspace import TYPO, WORKSPACE

    chapter(f"All of it is in the control plane too, in the workspace {WORKSPACE}: jobs, runs, tables, a schedule")
    for run in workspace.await_all(runs):
        meant = " (as it is meant to)" if run.job == TYPO and run.state == "failed" else ""
        style = "green" if run.state == "succeeded" else "red"
        console().print(f"  {run.job:<20} [{style}]{run.state}[/{style}]{meant}", soft_wrap=True)
    typer.echo(f"  {workspace.describe()} tables found in the catalog")


def _first_snapshot(session: "SparkSession") -> int:
    """Where the demo has run before: the table's oldest version."""
    rows = session.sql("select snapshot_id from sales.orders.snapshots order by committed_at limit 1").collect()
    return int(rows[0][0])


def _ask(session: "SparkSession", statement: str, chart: str | None = None) -> None:
    from boathouse.cli.chart import Chart
    from boathouse.cli.sql import View, execute
    from boathouse.engines.spark.statements import split

    show_sql(statement)
    view = View(chart=Chart(chart) if chart else None)
    for one in split(statement):
        execute(session, one, view)


def _farewell(settings: "Settings", folder: Path) -> None:
    from boathouse.kit.access import LakeAccess

    access = LakeAccess.load(settings.home)
    chapter("Where everything is")
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
        console().print(f"  [bold]{name:<11}[/bold] {place}", soft_wrap=True)


def _invite(settings: "Settings", folder: Path) -> None:
    """Last, so that nobody has to look for it."""
    from boathouse.cli.demo_workspace import LINK_SECONDS, DemoWorkspace
    from boathouse.client.client import ControlClient
    from boathouse.kit.access import LakeAccess

    access = LakeAccess.load(settings.home).control
    if access is None:
        return
    with ControlClient(access.uri, access.token) as control:
        link = DemoWorkspace(control, folder).link()
    chapter(
        f"Look around in a browser. This link works once, for {LINK_SECONDS // 60} minutes; `boathouse ui` opens another:"
    )
    typer.echo(f"  {link}")
