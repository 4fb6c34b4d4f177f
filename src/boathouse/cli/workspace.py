"""`boathouse workspace`: workspaces and who belongs to them."""

from typing import Annotated

import typer

from boathouse.cli.answers import Columns, show_all, show_one
from boathouse.cli.asking import Yes, sure
from boathouse.cli.output import notices
from boathouse.cli.servers import AsJson, At, ServerName
from boathouse.client.logins import Logins
from boathouse.client.workspaces import Member, Workspace, WorkspaceChange

Name = Annotated[str, typer.Argument(metavar="WORKSPACE")]
Given = Annotated[str | None, typer.Argument(metavar="[WORKSPACE]", help="Left out: the one in use.")]
User = Annotated[str, typer.Argument(metavar="USER")]
Description = Annotated[str | None, typer.Option(help="What it is for.")]
MostRuns = Annotated[int | None, typer.Option("--most-runs", min=1, help="Runs under way at once.")]
MostCores = Annotated[int | None, typer.Option("--most-cores", min=1, help="Cores that its runs may declare at once.")]
MostMemory = Annotated[
    int | None, typer.Option("--most-memory-mb", min=512, help="Memory that its runs may declare at once, in MB.")
]
Timeout = Annotated[
    int | None,
    typer.Option("--timeout-seconds", min=0, help="Of an attempt, for jobs that do not say otherwise; 0 is none."),
]
Retries = Annotated[int | None, typer.Option(min=0, max=20, help="Of a run, for jobs that do not say otherwise.")]
app = typer.Typer(help="Workspaces and their members.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command(name="list")
def list_(*, server: ServerName = None, as_json: AsJson = False) -> None:
    """List the workspaces you may see; * marks the one in use."""
    at = At(server)
    used = Logins.load().workspaces.get(at.server.key)
    columns: Columns[Workspace] = {
        "": lambda one: "*" if one.name == used else "",
        "name": "name",
        "your role": "role",
        "description": "description",
    }
    show_all(at.control.workspaces.all(), Workspace, columns, as_json=as_json)


@app.command()
def show(workspace: Given = None, *, server: ServerName = None, as_json: AsJson = False) -> None:
    """Show a workspace: what it is for, and what it may use."""
    at = At(server)
    _show(at.control.workspaces.get(at.workspace(workspace)), as_json=as_json)


@app.command()
def create(
    workspace: Name,
    *,
    description: Description = None,
    most_runs: MostRuns = None,
    most_cores: MostCores = None,
    most_memory_mb: MostMemory = None,
    timeout_seconds: Timeout = None,
    retries: Retries = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Make a workspace, of which you are the first admin."""
    wanted = _change(
        description or "", _quotas(most_runs, most_cores, most_memory_mb), _defaults(timeout_seconds, retries)
    )
    _show(At(server).control.workspaces.create(workspace, **wanted), as_json=as_json)


@app.command()
def update(
    workspace: Given = None,
    *,
    description: Description = None,
    most_runs: MostRuns = None,
    most_cores: MostCores = None,
    most_memory_mb: MostMemory = None,
    timeout_seconds: Timeout = None,
    retries: Retries = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Change a workspace. What is left out stays as it is."""
    at = At(server)
    name = at.workspace(workspace)
    change = _change(description, _quotas(most_runs, most_cores, most_memory_mb), _defaults(timeout_seconds, retries))
    _show(at.control.workspaces.change(name, **change), as_json=as_json)


@app.command()
def use(workspace: Name, *, server: ServerName = None) -> None:
    """Work in this workspace from now on, on that server."""
    at = At(server)
    name = at.control.workspaces.get(workspace).name
    Logins.load().with_workspace(at.server.key, name).save()
    notices().print(f"Commands for {at.server.name} work in {name}.")


@app.command()
def delete(workspace: Name, *, yes: Yes = False, server: ServerName = None) -> None:
    """Delete a workspace and everything in it."""
    at = At(server)
    sure(f"Delete {workspace} at {at.server.name} and everything in it?", yes=yes)
    at.control.workspaces.delete(workspace)
    logins = Logins.load()
    left = logins.without_workspace(at.server.key, workspace)
    if left != logins:
        left.save()
    notices().print(f"Workspace {workspace} is deleted.")


@app.command()
def members(workspace: Given = None, *, server: ServerName = None, as_json: AsJson = False) -> None:
    """List who belongs to a workspace."""
    at = At(server)
    found = at.control.workspaces.members(at.workspace(workspace))
    show_all(found, Member, {"user": "name", "name": "display_name", "role": "role"}, as_json=as_json)


@app.command(name="add-member")
def add_member(
    user: User,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="viewer, runner, editor or admin.")],
    *,
    workspace: Annotated[str | None, typer.Option("--workspace", "-w", envvar="BOATHOUSE_WORKSPACE")] = None,
    server: ServerName = None,
) -> None:
    """Make a user a member, or give a member another role."""
    at = At(server)
    name = at.workspace(workspace)
    member = at.control.workspaces.set_member(name, user, role)
    notices().print(f"{member.name} is {member.role} in {name}.")


@app.command(name="remove-member")
def remove_member(
    user: User,
    *,
    yes: Yes = False,
    workspace: Annotated[str | None, typer.Option("--workspace", "-w", envvar="BOATHOUSE_WORKSPACE")] = None,
    server: ServerName = None,
) -> None:
    """Take a user out of a workspace."""
    at = At(server)
    name = at.workspace(workspace)
    sure(f"Take {user} out of {name} at {at.server.name}?", yes=yes)
    at.control.workspaces.remove_member(name, user)
    notices().print(f"{user} is no longer a member of {name}.")


def _quotas(runs: int | None, cores: int | None, memory_mb: int | None) -> dict[str, int]:
    given = {"runs": runs, "cores": cores, "memory_mb": memory_mb}
    return {name: value for name, value in given.items() if value is not None}


def _defaults(timeout_seconds: int | None, retries: int | None) -> dict[str, int | None]:
    timeout = {} if timeout_seconds is None else {"timeout_seconds": timeout_seconds or None}
    return timeout if retries is None else {**timeout, "retries": retries}


def _change(description: str | None, quotas: dict[str, int], defaults: dict[str, int | None]) -> WorkspaceChange:
    change = WorkspaceChange(description=description) if description is not None else WorkspaceChange()
    if quotas:
        change["quotas"] = quotas
    if defaults:
        change["defaults"] = defaults
    return change


def _show(workspace: Workspace, *, as_json: bool) -> None:
    pairs = [
        ("name", workspace.name),
        ("description", workspace.description),
        ("your role", workspace.role),
        ("created", workspace.created_at),
        ("most runs", workspace.quotas.runs),
        ("most cores", workspace.quotas.cores),
        ("most memory", f"{workspace.quotas.memory_mb} MB"),
        *workspace.defaults.items(),
    ]
    show_one(workspace, pairs, as_json=as_json)
