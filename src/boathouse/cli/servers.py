"""What the control plane's commands have in common: which server, which workspace, and whether to go on."""

import sys
from typing import Annotated

import typer
from pydantic import SecretStr

from boathouse.client.client import ControlClient
from boathouse.client.logins import Logins
from boathouse.client.servers import Server, find_server
from boathouse.kit.errors import Cancelled, InvalidInput

ServerName = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="NAME",
        help="The server meant, as `boathouse server list` names it. Left out: BOATHOUSE_CONTROL_URL, else the one in use.",
    ),
]
WorkspaceName = Annotated[
    str | None,
    typer.Option(
        "--workspace",
        "-w",
        metavar="NAME",
        envvar="BOATHOUSE_WORKSPACE",
        help="The workspace meant. Left out: the one in use.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask whether it is meant.")]


class At:
    """A command's connection: the server that is meant, and in it the workspace."""

    def __init__(self, server: str | None) -> None:
        self.server: Server = find_server(server)
        self.control = ControlClient(self.server.url, self.server.token)

    def workspace(self, given: str | None) -> str:
        """The one given, the one in use, or the only one there is."""
        found = given or Logins.load().workspaces.get(self.server.key)
        if found is not None:
            return found
        names = [one.name for one in self.control.workspaces.all()]
        if len(names) == 1:
            return names[0]
        known = f"There are: {', '.join(names)}." if names else "There is none yet: `boathouse workspace create NAME`."
        raise InvalidInput(
            "Which workspace is meant is not said.",
            hint=f"Give --workspace, or `boathouse workspace use NAME`. {known}",
        )


def sure(question: str, *, yes: bool) -> None:
    """Raise unless whoever asks for it means it. A program has to say so with --yes."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInput(f"{question} Nobody is there to say.", hint="Add --yes if it is meant.")
    if not typer.confirm(question, err=True):
        raise Cancelled("Nothing was changed.")


def asked(what: str, *, again: bool = False) -> SecretStr:
    """A secret that somebody types, unseen; `again` has them type it twice."""
    if not sys.stdin.isatty():
        raise InvalidInput(f"Nobody is there to be asked for: {what}.", hint="Run it in a terminal.")
    return SecretStr(typer.prompt(what, hide_input=True, confirmation_prompt=again, err=True))


def from_stdin(what: str) -> SecretStr:
    """One secret from standard input, which no list of processes shows. On a terminal it is asked for."""
    if sys.stdin.isatty():
        return asked(what)
    given = sys.stdin.read().rstrip("\r\n")
    if not given:
        raise InvalidInput(f"{what} is to be read from standard input, which is empty.", hint="Pipe it in.")
    return SecretStr(given)
