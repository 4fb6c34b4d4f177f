"""`boathouse worker`: carries out the control plane's runs."""

from pathlib import Path
from typing import Annotated

import typer

from boathouse.cli.control import Database


def worker(
    *,
    database: Database,
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
    keys: Annotated[
        Path | None,
        typer.Option(help="The API's file of keys, for the secrets of connections. Beside a database in a file."),
    ] = None,
    secrets: Annotated[
        Path | None,
        typer.Option(help="The directory that connections may take secrets from, as Kubernetes mounts one."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What it is called in the runs it had. Made up if left out.")] = None,
) -> None:
    """Carry out runs until stopped. Several may work on one database, on one machine or on many."""
    from boathouse.control.server import keys_of_worker, results_root
    from boathouse.control.worker.connecting import SecretSources
    from boathouse.control.worker.server import ProcessOptions, run_worker
    from boathouse.control.worker.worker import WorkerOptions

    sources = SecretSources(keys_of_worker(database, keys), secrets)
    options = WorkerOptions(results_root(database, results), slots, drain_seconds, sign_of_life, sources)
    run_worker(ProcessOptions(database, options, name, lease_seconds))
