"""`boathouse dataset`: which tables there are, whose they are, how they are, and who reads and writes them."""

from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.filesize import decimal

from boathouse.cli import dataset_table
from boathouse.cli.answers import Columns, show_all, show_one
from boathouse.cli.dataset_table import Name
from boathouse.cli.output import document, facts, listing, notices
from boathouse.cli.servers import AsJson, At, ServerName, WorkspaceName, Yes, sure
from boathouse.client.datasets import Dataset, DatasetChange, Health, Table
from boathouse.kit.errors import InvalidInput

Owner = Annotated[str | None, typer.Option(help="Whose it is.")]
Description = Annotated[str | None, typer.Option(help="What is in it.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="May be given several times.")]
Location = Annotated[str | None, typer.Option(help="Where its files are, as s3://…")]
ConnectionName = Annotated[str | None, typer.Option("--connection", metavar="NAME", help="To an Iceberg REST catalog.")]
app = typer.Typer(
    help="Which tables there are, whose, and how they are.", no_args_is_help=True, pretty_exceptions_enable=False
)

app.command()(dataset_table.snapshots)
app.command()(dataset_table.partitions)
app.command()(dataset_table.grants)
app.command(name="roll-back")(dataset_table.roll_back)


class Way(StrEnum):
    UP = "up"
    DOWN = "down"
    BOTH = "both"


@app.command(name="list")
def list_(
    *,
    tag: Annotated[str | None, typer.Option(help="Only those with this tag.")] = None,
    owner: Annotated[str | None, typer.Option(help="Only this owner's.")] = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """List the datasets of a workspace."""
    at = At(server)
    found = at.control.datasets.all(at.workspace(workspace), tag=tag, owner=owner)
    show_all(found, Dataset, _COLUMNS, as_json=as_json)


@app.command()
def search(
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="Each must be in it somewhere.")],
    *,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Find datasets by words in their name, owner, description, tags or columns."""
    at = At(server)
    found = at.control.datasets.all(at.workspace(workspace), text=" ".join(words))
    show_all(found, Dataset, _COLUMNS, as_json=as_json)


@app.command()
def show(name: Name, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """Show a dataset, and how its table is at the moment if a catalog has it."""
    at = At(server)
    within = at.workspace(workspace)
    dataset = at.control.datasets.get(within, name)
    live = dataset.catalog is not None and dataset.gone_at is None
    table = at.control.datasets.table(within, name) if live else None
    health = _health(at, within, name) if live else None
    if as_json:
        parts = {"table": table, "health": health}
        told = {part: one.model_dump(mode="json") if one else None for part, one in parts.items()}
        document({**dataset.model_dump(mode="json"), **told})
        return
    facts(_facts(dataset))
    if table is not None:
        _show_table(table)
    if health is not None:
        rows = [(fact.name, fact.verdict, fact.because) for fact in health.facts]
        listing(["health", "", "because"], rows, as_json=False)


@app.command()
def register(
    name: Name,
    *,
    form: Annotated[str, typer.Option("--format", help="iceberg, parquet, csv, json, orc, avro, delta or text.")] = (
        "iceberg"
    ),
    location: Location = None,
    owner: Owner = None,
    description: Description = None,
    tag: Tags = None,
    connection: ConnectionName = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Register a dataset by hand. `sync` finds those that a catalog has."""
    at = At(server)
    change = _change(owner, description, tag, location)
    made = at.control.datasets.register(at.workspace(workspace), name, form=form, connection=connection, **change)
    show_one(made, _facts(made), as_json=as_json)


@app.command()
def edit(
    name: Name,
    *,
    owner: Owner = None,
    description: Description = None,
    tag: Tags = None,
    no_tags: Annotated[bool, typer.Option("--no-tags", help="Take all tags away.")] = False,
    location: Location = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Change what is said of a dataset. Tags that are given replace those before."""
    change = _change(owner, description, [] if no_tags else tag, location)
    if not change:
        raise InvalidInput("What is to be changed is not said.", hint="Give --owner, --description or --tag.")
    at = At(server)
    changed = at.control.datasets.change(at.workspace(workspace), name, **change)
    show_one(changed, _facts(changed), as_json=as_json)


@app.command()
def remove(name: Name, *, yes: Yes = False, workspace: WorkspaceName = None, server: ServerName = None) -> None:
    """Forget a dataset, with what people wrote of it. Its table stays."""
    at = At(server)
    within = at.workspace(workspace)
    sure(f"Forget the dataset {name} of {within} at {at.server.name}?", yes=yes)
    at.control.datasets.remove(within, name)
    notices().print(f"Dataset {name} is forgotten.")


@app.command()
def sync(
    *,
    connection: ConnectionName = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Take up the tables that a catalog has: the lakehouse's own, or a connection's. What people wrote stays."""
    at = At(server)
    synced = at.control.datasets.sync(at.workspace(workspace), connection=connection)
    counts = synced.model_dump(exclude={"left_out"})
    show_one(synced, counts.items(), as_json=as_json)
    if not as_json:
        for one in synced.left_out:
            notices().print(f"{one.name} was left out: {one.why}", style="dim", markup=False)


@app.command()
def lineage(
    name: Name,
    *,
    way: Annotated[Way, typer.Option(help="Where it comes from, what is made of it, or both.")] = Way.BOTH,
    depth: Annotated[int, typer.Option(min=1, max=10, help="How many jobs away.")] = 3,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Show which jobs read and write a dataset, and what those read and write."""
    at = At(server)
    graph = at.control.lineage.of_dataset(at.workspace(workspace), name, way=way, depth=depth)
    if as_json:
        document(graph.model_dump(mode="json"))
        return
    names = {node.id: node.name for node in graph.nodes}
    rows = [(names[edge.source], names[edge.target], edge.last_run, edge.last_at) for edge in graph.edges]
    listing(["from", "to", "last run", "last"], rows, as_json=False)
    if not graph.complete:
        notices().print("There is more of it; a smaller --depth shows less.", style="dim")


def _size(dataset: Dataset) -> str | None:
    return None if dataset.bytes is None else decimal(dataset.bytes)


_COLUMNS: Columns[Dataset] = {
    "name": "name",
    "owner": "owner",
    "tags": lambda dataset: ", ".join(dataset.tags),
    "rows": "rows",
    "size": _size,
    "last commit": "committed_at",
    "catalog": lambda dataset: "gone" if dataset.gone_at else dataset.catalog,
}


def _facts(dataset: Dataset) -> list[tuple[str, Any]]:
    names = ("name", "format", "owner", "description", "location", "catalog")
    gone = [("gone since", dataset.gone_at)] if dataset.gone_at else []
    return [*((name, getattr(dataset, name)) for name in names), ("tags", ", ".join(dataset.tags)), *gone]


def _change(owner: str | None, description: str | None, tags: list[str] | None, location: str | None) -> DatasetChange:
    change = DatasetChange()
    if owner is not None:
        change["owner"] = owner
    if description is not None:
        change["description"] = description
    if tags is not None:
        change["tags"] = tags
    if location is not None:
        change["location"] = location
    return change


def _health(at: At, workspace: str, name: str) -> Health | None:
    """None if its files may not be looked at, and why."""
    try:
        return at.control.datasets.health(workspace, name)
    except InvalidInput as error:
        notices().print(str(error), style="dim", markup=False)
        return None


def _show_table(table: Table) -> None:
    names = ("rows", "files", "snapshots", "schemas", "committed_at")
    told = [(name.replace("_", " "), getattr(table, name)) for name in names]
    facts([*told, ("partitions", ", ".join(table.partitions) or "none")])
    listing(
        ["column", "type", "required"], [(one.name, one.type, one.required) for one in table.columns], as_json=False
    )
