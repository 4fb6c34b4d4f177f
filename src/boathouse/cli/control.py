"""`boathouse control`: the control plane by itself."""

from pathlib import Path
from typing import Annotated

import typer

from boathouse.kit.errors import InvalidInput

Database = Annotated[
    str,
    typer.Option(
        envvar="BOATHOUSE_CONTROL_DATABASE",
        help="sqlite:///FILE or postgresql://USER@HOST:PORT/NAME. One with a password belongs in the variable: "
        "everybody can read a command line.",
    ),
]
app = typer.Typer(
    help="The control plane: users, workspaces, audit.", no_args_is_help=True, pretty_exceptions_enable=False
)


@app.callback()
def control() -> None:
    """The control plane: users, workspaces, audit."""


@app.command()
def serve(
    *,
    database: Database,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 8080,
    keys: Annotated[
        Path | None,
        typer.Option(help="The file of keys that seal secrets, made if it is not there. Beside a database in a file."),
    ] = None,
    secrets: Annotated[
        Path | None,
        typer.Option(help="The directory that connections may take secrets from, as Kubernetes mounts one."),
    ] = None,
    results: Annotated[
        str | None,
        typer.Option(help="Where workers keep results of runs, as s3://… or file://…. Beside a database in a file."),
    ] = None,
    local_token_file: Annotated[
        Path | None,
        typer.Option(
            help="A file with a token of the platform admin, made if it is not there: whoever can read it needs no "
            "password, and the first user gets none. For a server on one's own machine."
        ),
    ] = None,
    secure_cookies: Annotated[
        bool, typer.Option("--secure-cookies", help="Browsers come by https, to a proxy in front of it.")
    ] = False,
    oidc: Annotated[
        Path | None,
        typer.Option(help="A file that says how people log in by an OpenID Connect provider."),
    ] = None,
    lake: Annotated[
        Path | None,
        typer.Option(metavar="HOME", help="The home of the lakehouse whose tables platform admins may sync."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy, or a network of proxies such as 10.0.0.0/8, that is believed from where a request comes "
            "(X-Forwarded-For) and by which scheme. One on this machine always is. May be given several times.",
        ),
    ] = None,
    drain_seconds: Annotated[
        float, typer.Option(min=0, help="How long it answers, and is not ready, once it is told to stop.")
    ] = 1.0,
) -> None:
    """Serve the control plane's API until stopped. The first start makes the first user and tells the password."""
    from boathouse.control.identities.settings import OidcSettings
    from boathouse.control.options import ApiOptions
    from boathouse.control.server import ServerOptions
    from boathouse.control.server import serve as serve_control
    from boathouse.kit.serving import checked_proxies

    api = ApiOptions(secure_cookies, OidcSettings.load(oidc) if oidc else None, lake)
    proxies = checked_proxies(trusted_proxy or ())
    serve_control(
        ServerOptions(database, host, port, drain_seconds, keys, secrets, results, api, local_token_file, proxies)
    )


@app.command(name="rotate-keys")
def rotate_keys(
    *,
    database: Database,
    keys: Annotated[Path | None, typer.Option(help="The file of keys that seal secrets.")] = None,
    drop_old: Annotated[
        bool,
        typer.Option(
            "--drop-old", help="Make no new key, but forget the old ones: once all servers were started again."
        ),
    ] = False,
    lost: Annotated[
        bool, typer.Option("--lost", help="The file is lost: make a new one. What was sealed has to be given again.")
    ] = False,
) -> None:
    """Seal the connections' secrets with a new key. Servers take it up when they start again; the old ones stay valid."""
    from boathouse.control.connections.keys import drop_old as drop
    from boathouse.control.connections.keys import replace_lost, rotate
    from boathouse.control.server import change_keys

    if drop_old and lost:
        raise InvalidInput("Keys that are lost cannot be dropped.", hint="Give --drop-old or --lost.")
    count = change_keys(database, keys, drop if drop_old else replace_lost if lost else rotate)
    secrets = f"{count} secret{'' if count == 1 else 's'}"
    if drop_old:
        typer.echo(f"{secrets} under the newest key, and the old ones are gone.")
    elif lost:
        typer.echo(f"There are new keys. {secrets} given up, to be given again: `boathouse audit list` says which.")
    else:
        typer.echo(f"{secrets} now under a new key. Start the servers again to use it, then drop the old: --drop-old.")
