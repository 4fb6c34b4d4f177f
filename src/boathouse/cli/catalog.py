"""`boathouse catalog`: the catalog by itself, and who may do what in it."""

from pathlib import Path
from typing import Annotated

import typer

from boathouse.cli import catalog_backup, catalog_grants, catalog_principals, catalog_sweep

app = typer.Typer(help="The Iceberg REST catalog.", no_args_is_help=True, pretty_exceptions_enable=False)
app.add_typer(catalog_principals.app, name="principal")
app.command()(catalog_grants.grant)
app.command()(catalog_grants.revoke)
app.command()(catalog_grants.grants)
app.command(name="export")(catalog_backup.export)
app.command(name="import")(catalog_backup.import_)
app.command()(catalog_sweep.sweep)
app.command(name="rotate-key")(catalog_principals.rotate_key)


@app.command()
def serve(
    *,
    store: Annotated[
        str,
        typer.Option(
            help="Where the catalog keeps its state: sqlite:///FILE (sqlite:////FILE from the root) or etcd://HOST:PORT,…."
        ),
    ],
    warehouse: Annotated[list[str] | None, typer.Option(metavar="NAME=URL", help="May be given several times.")] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML with a table [warehouses.NAME] for each one's storage.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 8181,
    auth: Annotated[
        str,
        typer.Option(
            help="token: as BOATHOUSE_CATALOG_TOKEN has it; oauth: principals and their grants; none: open to all."
        ),
    ] = "token",
    token_lifetime: Annotated[int, typer.Option(help="Seconds until a token issued with oauth expires.")] = 3600,
    open_metrics: Annotated[bool, typer.Option("--open-metrics", help="Ask nobody for a token at /metrics.")] = False,
    drain_seconds: Annotated[
        float, typer.Option(min=0, help="How long it answers, and is not ready, once it is told to stop.")
    ] = 1.0,
) -> None:
    """Serve the catalog until stopped."""
    from boathouse.catalog.server import ServerOptions
    from boathouse.catalog.server import serve as serve_catalog

    options = (warehouse or [], auth, token_lifetime, open_metrics, drain_seconds, config)
    serve_catalog(ServerOptions(host, port, store, *options))
