"""`boathouse token`: by which programs come in your name, and for a platform admin in anybody's."""

from typing import Annotated

import typer

from boathouse.cli.answers import Columns, show_all, show_one
from boathouse.cli.asking import Yes, sure
from boathouse.cli.output import notices
from boathouse.cli.servers import AsJson, At, ServerName
from boathouse.client.client import ControlClient
from boathouse.client.tokens import Token

ALL = "all of yours"
OfUser = Annotated[
    str | None, typer.Option("--user", metavar="NAME", help="Whose, for a platform admin. Left out: yours.")
]
app = typer.Typer(help="Tokens for programs of yours.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command(name="list")
def list_(*, user: OfUser = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """List your tokens, or those of a user. What they are is not kept."""
    control = At(server).control
    found = control.tokens.all(user=user)
    everywhere = f"all of {user}'s" if user else ALL
    names = _names_of_workspaces(control) if any(one.workspace_id for one in found) else {}
    columns: Columns[Token] = {
        "id": "id",
        "name": "name",
        "role": "role",
        "workspace": lambda one: names.get(one.workspace_id, one.workspace_id) if one.workspace_id else everywhere,
        "created": "created_at",
        "expires": "expires_at",
        "last used": "last_used_at",
    }
    show_all(found, Token, columns, as_json=as_json)


@app.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is for.")],
    *,
    role: Annotated[str, typer.Option(help="The most it may do: viewer, runner, editor or admin.")] = "viewer",
    workspace: Annotated[
        str | None, typer.Option("--workspace", "-w", help="The only workspace it opens. Left out: all of yours.")
    ] = None,
    days: Annotated[int, typer.Option(min=1, max=366, help="How long it is good for.")] = 90,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Make a token, and show it this once."""
    made = At(server).control.tokens.create(name, role=role, workspace=workspace, days=days)
    secret = made.secret.get_secret_value()
    facts = {"id": made.id, "role": made.role, "workspace": workspace or ALL, "expires": made.expires_at}
    show_one(made, [*facts.items(), ("token", secret)], as_json=as_json)
    notices().print("The token is not kept and cannot be shown again.", style="dim")


@app.command()
def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="As `boathouse token list` shows it.")],
    *,
    user: OfUser = None,
    yes: Yes = False,
    server: ServerName = None,
) -> None:
    """End a token at once."""
    at = At(server)
    meant = f"{token_id} of {user}" if user else token_id
    sure(f"Revoke the token {meant} at {at.server.name}? What uses it is shut out at once.", yes=yes)
    at.control.tokens.revoke(token_id, user=user)
    notices().print(f"Token {meant} is revoked.")


def _names_of_workspaces(control: ControlClient) -> dict[str, str]:
    """By their ids, which are what a token is told with."""
    return {one.id: one.name for one in control.workspaces.all()}
