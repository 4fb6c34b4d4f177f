"""`boathouse notification`: who is told of runs, and how."""

from itertools import islice
from typing import Annotated

import typer

from boathouse.cli.answers import Columns, show_all, show_one
from boathouse.cli.asking import Yes, sure
from boathouse.cli.connection import FAILED, show_tested
from boathouse.cli.output import notices
from boathouse.cli.servers import AsJson, At, ServerName, WorkspaceName
from boathouse.client.notifications import Delivery, Notification, NotificationChange

Name = Annotated[str, typer.Argument(metavar="NAME")]
Description = Annotated[str | None, typer.Option(help="What it is for.")]
Recipients = Annotated[
    list[str] | None, typer.Option("--to", metavar="ADDRESS", help="Who gets the mail. May be given several times.")
]
Events = Annotated[
    list[str] | None,
    typer.Option(
        "--event",
        metavar="EVENT",
        help="run-failed, run-recovered, schedule-missed, deadline-missed or stream-alert. May be given several times. "
        "A connection of the kind openlineage is told of lineage alone.",
    ),
]
Jobs = Annotated[
    list[str] | None,
    typer.Option("--job", metavar="JOB", help="A job's name, or a pattern with * and ?. May be given several times."),
]
app = typer.Typer(help="Who is told of runs, and how.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command(name="list")
def list_(*, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """List the notifications of a workspace."""
    at = At(server)
    columns: Columns[Notification] = {
        "name": "name",
        "by": lambda one: f"{one.kind} {one.connection}",
        "events": lambda one: ", ".join(one.events),
        "jobs": lambda one: ", ".join(one.jobs) or "all",
        "": lambda one: "" if one.enabled else "disabled",
    }
    show_all(at.control.notifications.all(at.workspace(workspace)), Notification, columns, as_json=as_json)


@app.command()
def show(name: Name, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """Show a notification."""
    at = At(server)
    _show(at.control.notifications.get(at.workspace(workspace), name), as_json=as_json)


@app.command()
def create(
    name: Name,
    *,
    connection: Annotated[
        str, typer.Option(metavar="NAME", help="A connection of the kind webhook, smtp or openlineage.")
    ],
    to: Recipients = None,
    event: Events = None,
    job: Jobs = None,
    description: Description = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Make a notification. Without --event it tells of everything, without --job of all jobs."""
    at = At(server)
    wanted = _change(description, connection, to, event, job)
    _show(at.control.notifications.create(at.workspace(workspace), name, **wanted), as_json=as_json)


@app.command()
def edit(
    name: Name,
    *,
    connection: Annotated[str | None, typer.Option(metavar="NAME", help="Have it sent by another.")] = None,
    to: Recipients = None,
    event: Events = None,
    job: Jobs = None,
    all_jobs: Annotated[bool, typer.Option("--all-jobs", help="Tell of all jobs again.")] = False,
    description: Description = None,
    enabled: Annotated[bool | None, typer.Option("--enable/--disable", help="Whether it tells of anything.")] = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Change a notification. What is left out stays as it is; a list takes the place of the one before."""
    at = At(server)
    change = _change(description, connection, to, event, [] if all_jobs else job)
    if enabled is not None:
        change["enabled"] = enabled
    _show(at.control.notifications.change(at.workspace(workspace), name, **change), as_json=as_json)


@app.command()
def remove(name: Name, *, yes: Yes = False, workspace: WorkspaceName = None, server: ServerName = None) -> None:
    """Remove a notification, and the list of what it sent."""
    at = At(server)
    within = at.workspace(workspace)
    sure(f"Remove the notification {name} of {within} at {at.server.name}?", yes=yes)
    at.control.notifications.delete(within, name)
    notices().print(f"Notification {name} is removed.")


@app.command(name="test")
def try_(name: Name, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """Have the server send one now. Ends with 1 if it cannot."""
    at = At(server)
    tested = at.control.notifications.test(at.workspace(workspace), name)
    show_tested(tested, as_json=as_json)
    if not tested.ok:
        raise typer.Exit(FAILED)


@app.command()
def deliveries(
    name: Name,
    *,
    limit: Annotated[int, typer.Option(min=1, help="So many at most.")] = 50,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """List what it sent and what it is still to send, the newest first."""
    at = At(server)
    columns: Columns[Delivery] = {
        "time": "created_at",
        "event": "event",
        "job": "job",
        "run": "run_id",
        "state": "state",
        "tries": "tries",
        "answer": "answer",
    }
    found = at.control.notifications.deliveries(at.workspace(workspace), name)
    show_all(islice(found, limit), Delivery, columns, as_json=as_json)


def _change(
    description: str | None,
    connection: str | None,
    to: list[str] | None,
    event: list[str] | None,
    job: list[str] | None,
) -> NotificationChange:
    change = NotificationChange()
    if description is not None:
        change["description"] = description
    if connection is not None:
        change["connection"] = connection
    if to is not None:
        change["recipients"] = to
    if event is not None:
        change["events"] = event
    if job is not None:
        change["jobs"] = job
    return change


def _show(one: Notification, *, as_json: bool) -> None:
    pairs = [
        ("name", one.name),
        ("description", one.description),
        ("by", f"{one.kind} {one.connection}"),
        ("to", ", ".join(one.recipients) or None),
        ("events", ", ".join(one.events)),
        ("jobs", ", ".join(one.jobs) or "all"),
        ("enabled", "yes" if one.enabled else "no"),
        ("changed", one.updated_at),
    ]
    show_one(one, pairs, as_json=as_json)
