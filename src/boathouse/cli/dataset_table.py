"""`boathouse dataset snapshots`, `partitions`, `grants` and `roll-back`: what a dataset's table was, and the way back."""

from typing import Annotated

import typer
from rich.filesize import decimal

from boathouse.cli.answers import Columns, show_all, show_one
from boathouse.cli.output import document, listing, notices
from boathouse.cli.servers import AsJson, At, ServerName, WorkspaceName, Yes, sure
from boathouse.client.datasets import Partition, Snapshot

Name = Annotated[str, typer.Argument(metavar="NAME", help="Such as sales.orders.")]


def snapshots(
    name: Name, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False
) -> None:
    """List what the table was, the newest first, and the runs that wrote it."""
    at = At(server)
    show_all(at.control.datasets.snapshots(at.workspace(workspace), name), Snapshot, _SNAPSHOTS, as_json=as_json)


def partitions(
    name: Name, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False
) -> None:
    """List the table's partitions, the largest first."""
    at = At(server)
    show_all(at.control.datasets.partitions(at.workspace(workspace), name), Partition, _PARTITIONS, as_json=as_json)


def grants(name: Name, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """List who may do what with the table in the lakehouse's catalog. `boathouse catalog grant` gives more."""
    at = At(server)
    told = at.control.datasets.grants(at.workspace(workspace), name)
    if as_json:
        document(told.model_dump(mode="json"))
        return
    rows = [(one.principal, one.privilege, f"{one.kind} {one.on}") for one in told.grants]
    listing(["principal", "privilege", "on"], rows, as_json=False)
    if not told.enforced:
        notices().print("This catalog takes one token for everything: no grant is asked for.", style="dim")


def roll_back(
    name: Name,
    snapshot: Annotated[str, typer.Argument(metavar="SNAPSHOT", help="An id, as `snapshots` lists it.")],
    *,
    yes: Yes = False,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Make an older snapshot the current one again. What was written since stays, until it is expired."""
    at = At(server)
    within = at.workspace(workspace)
    seen = at.control.datasets.table(within, name).current_snapshot_id
    sure(f"Roll {name} of {within} at {at.server.name} back from {seen} to {snapshot}?", yes=yes)
    done = at.control.datasets.roll_back(within, name, snapshot, seen=seen)
    show_one(done, [("snapshot", done.snapshot_id), ("before", done.before)], as_json=as_json)


_SNAPSHOTS: Columns[Snapshot] = {
    "snapshot": "id",
    "at": "at",
    "operation": "operation",
    "rows": lambda one: f"+{one.added_rows} -{one.deleted_rows}",
    "files": lambda one: f"+{one.added_files} -{one.deleted_files}",
    "by": lambda one: one.run["job"] or "a query" if one.run else one.engine,
    "": lambda one: ", ".join((*(["current"] if one.current else []), *one.refs)),
}
_PARTITIONS: Columns[Partition] = {
    "partition": "label",
    "files": "files",
    "small": "small_files",
    "rows": "rows",
    "size": lambda one: decimal(one.bytes),
}
