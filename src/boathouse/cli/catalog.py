"""`boathouse catalog`: the catalog by itself."""

from typing import Annotated

import typer

app = typer.Typer(help="The Iceberg REST catalog.", no_args_is_help=True)


@app.callback()
def catalog() -> None:
    """Present so that `serve` stays a command of its own while it is the only one."""


@app.command()
def serve(
    store: Annotated[str, typer.Option(help="Where the catalog keeps its state: sqlite:///FILE.")],
    warehouse: Annotated[list[str], typer.Option(metavar="NAME=URL", help="May be given several times.")],
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 8181,
    auth: Annotated[str, typer.Option(help="token: as BOATHOUSE_CATALOG_TOKEN has it; none: open to all.")] = "token",
) -> None:
    """Serve the catalog until stopped."""
    from boathouse.catalog.server import ServerOptions
    from boathouse.catalog.server import serve as serve_catalog

    serve_catalog(ServerOptions(host, port, store, warehouse, auth))
