"""`boathouse ui`: the control plane in a browser, without a password."""

import html
import webbrowser
from typing import Annotated

import typer

from boathouse.cli.output import notices
from boathouse.cli.servers import At, ServerName
from boathouse.client.logins import Logins
from boathouse.kit.files import write_private


def ui(
    *,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the link instead of opening it.")] = False,
    server: ServerName = None,
) -> None:
    """Open the control plane in a browser, logged in by a link that works once, for a minute."""
    at = At(server)
    link = at.server.url.rstrip("/") + at.control.sessions.make_link().path
    if no_open:
        typer.echo(link)
    elif _opened(link):
        notices().print(f"Opened {at.server.url} in the browser. `boathouse ui --no-open` prints a link instead.")
    else:
        notices().print("No browser was found. This link works once, for a minute:")
        typer.echo(link)


def _opened(link: str) -> bool:
    """By a page that only its owner can read: the link itself would stand in the list of processes, for all to take."""
    page = Logins.path().parent / "ui.html"
    target = html.escape(link, quote=True)
    content = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={target}">'
    write_private(page, f'{content}<a href="{target}">Boathouse</a>\n'.encode())
    return webbrowser.open(page.as_uri())
