"""What the control plane's commands have in common: which server, and which workspace."""

from typing import Annotated

import typer

from boathouse.client.client import ControlClient
from boathouse.client.logins import Logins
from boathouse.client.servers import Server, find_server
from boathouse.kit.errors import InvalidInput

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


class At:
    """A command's connection: the server that is meant, and in it the workspace."""

    def __init__(self, server: str | None) -> None:
        self.server: Server = find_server(server)
        self.control = ControlClient(self.server.url, self.server.token)

    def workspace(self, given: str | None) -> str:
        """The one given, the one in use, or the only one there is."""
        # An empty name, as of a variable that is not set, is not taken for none: it could be about to delete something.
        found = Logins.load().workspaces.get(self.server.key) if given is None else given
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
