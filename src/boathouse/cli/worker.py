"""`boathouse worker`: carries out the control plane's runs, and shows who does."""

from pathlib import Path
from typing import Annotated

import typer

from boathouse.cli.answers import Columns, show_all
from boathouse.cli.control import Database
from boathouse.cli.output import document, notices
from boathouse.cli.servers import AsJson, At, ServerName
from boathouse.cli.values import counted
from boathouse.client.addresses import checked_url
from boathouse.client.workers import Worker
from boathouse.kit.errors import InvalidInput
from boathouse.kit.settings import load_settings

app = typer.Typer(invoke_without_command=True, pretty_exceptions_enable=False)


@app.callback()
def worker(
    context: typer.Context,
    *,
    database: Database = "",
    results: Annotated[
        str | None,
        typer.Option(help="Where results of runs are kept, as s3://… or file://…. Beside a database in a file."),
    ] = None,
    slots: Annotated[int, typer.Option(min=1, max=1000, help="Runs at once.")] = 4,
    drain_seconds: Annotated[
        float, typer.Option(min=0, help="How long runs may go on once it is told to stop; then it hands them back.")
    ] = 10.0,
    lease_seconds: Annotated[
        float, typer.Option(min=2, help="After so long without a word from it, another worker takes its runs over.")
    ] = 30.0,
    sign_of_life: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file to touch whenever it has reached its database.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="What it is called in the runs it had. Made up if left out.")] = None,
    keys: Annotated[
        Path | None,
        typer.Option(
            help="The API's file of keys, for the secrets of connections: without it no notification is sent and no "
            "engine but the lake's own is reached. Beside a database in a file."
        ),
    ] = None,
    secrets: Annotated[
        Path | None,
        typer.Option(help="The directory that connections may take secrets from, as Kubernetes mounts one."),
    ] = None,
    public_url: Annotated[
        str | None, typer.Option(metavar="URL", help="How others see the control plane, for links in notifications.")
    ] = None,
    metrics_port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Serve figures for Prometheus there; 0 takes a free port.")
    ] = None,
    metrics_host: Annotated[str, typer.Option(help="Address to serve them on.")] = "127.0.0.1",
) -> None:
    """Carry out runs until stopped. Several may work on one database, on one machine or on many."""
    if context.invoked_subcommand is not None:
        return
    if not database:
        raise InvalidInput(
            "Which database the worker works on is not said.",
            hint="Give --database, or set BOATHOUSE_CONTROL_DATABASE.",
        )
    from boathouse.control.server import keys_beside, results_root
    from boathouse.control.worker.connecting import SecretSources
    from boathouse.control.worker.server import ProcessOptions, run_worker
    from boathouse.control.worker.worker import WorkerOptions

    sources = SecretSources(keys or keys_beside(database), secrets)
    options = WorkerOptions(results_root(database, results), slots, drain_seconds, sign_of_life, sources)
    run_worker(
        ProcessOptions(
            database,
            options,
            name,
            lease_seconds,
            load_settings().control,
            checked_url(public_url) if public_url else None,
            (metrics_host, metrics_port) if metrics_port is not None else None,
        )
    )


@app.command(name="list")
def list_(*, server: ServerName = None, as_json: AsJson = False) -> None:
    """List the workers that were heard of lately, and what each has. Others than platform admins see how many."""
    found = At(server).control.workers.get()
    if as_json:
        document(found.model_dump(mode="json"))
        return
    columns: Columns[Worker] = {
        "worker": "id",
        "host": "host",
        "process": "pid",
        "runs": lambda one: f"{len(one.runs)} of {one.slots}",
        "version": "version",
        "started": "started_at",
        "last seen": "seen_at",
        "": lambda one: "silent" if one.is_silent else "",
    }
    if found.items is not None:
        show_all(found.items, Worker, columns, as_json=False)
    workers, running, slots = (
        counted(found.workers, "worker"),
        counted(found.running, "run"),
        counted(found.slots, "slot"),
    )
    notices().print(f"{workers}, {running} under way, {slots}.", markup=False)
