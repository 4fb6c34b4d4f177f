"""`boathouse query`: SQL asked of the control plane at once, one's own history, and texts kept for all."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from boathouse.cli.answers import Columns, show_all, show_one
from boathouse.cli.output import Format, notices
from boathouse.cli.pairs import pair
from boathouse.cli.run import say_stopped, show_rows
from boathouse.cli.servers import AsJson, At, ServerName, WorkspaceName, Yes, sure
from boathouse.cli.sql import given_text
from boathouse.client.answers import Json
from boathouse.client.queries import Query, SavedQuery
from boathouse.kit.errors import BoathouseError, InvalidInput, WorkFailed

QueryId = Annotated[str, typer.Argument(metavar="QUERY", help="Its id, or `last`.")]
Text = Annotated[str | None, typer.Argument(metavar="[SQL]", help="`-` reads standard input.", show_default=False)]
File = Annotated[Path | None, typer.Option("--file", "-f", help="Read the SQL from this file.")]
Name = Annotated[str, typer.Argument(metavar="NAME")]
app = typer.Typer(help="SQL asked at once, and what was asked.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command()
def run(
    sql: Text = None,
    *,
    file: File = None,
    saved: Annotated[str | None, typer.Option(metavar="NAME", help="Ask what was saved under this name.")] = None,
    connection: Annotated[
        str | None, typer.Option(metavar="NAME", help="Ask there, on Trino. Left out: the lake's own Spark.")
    ] = None,
    value: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[:TYPE]=VALUE", help="What a `:name` stands for. Text, unless the type says more."),
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="How the rows are written.")] = Format.TABLE,
    as_json: AsJson = False,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="At most so many rows.")] = 1000,
    workspace: WorkspaceName = None,
    server: ServerName = None,
) -> None:
    """Ask, wait, and show the rows. Ctrl-C cancels it."""
    at = At(server)
    within = at.workspace(workspace)
    known = None if saved is None else at.control.queries.get_saved(within, saved)
    given = [_parameter(one) for one in value or ()]
    query = at.control.queries.ask(
        within,
        known.sql if known else _text(sql, file),
        connection=connection or (known.connection if known else None),
        parameters=_parameters(known, given),
        values={name: told for name, _, told in given},
        rows=limit,
    )
    ended = _ended(at, within, query)
    if ended.rows is not None:
        show_rows(at, within, ended.run_id, Format.JSON if as_json else form, limit)
    notices().print(f"{'OK' if ended.rows is None else f'{ended.rows:,} rows'} ({ended.seconds} s)", style="dim")


@app.command()
def history(
    *,
    text: Annotated[str | None, typer.Option(help="Only those that hold this.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="The newest so many.")] = 20,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """List what you asked, the newest first."""
    at = At(server)
    found = at.control.queries.all(at.workspace(workspace), text=text)
    columns: Columns[Query] = {
        "query": "id",
        "engine": "engine",
        "state": "state",
        "asked": "asked_at",
        "seconds": "seconds",
        "rows": "rows",
        "sql": lambda query: query.sql.strip().partition("\n")[0],
    }
    show_all((query for query, _ in zip(found, range(limit), strict=False)), Query, columns, as_json=as_json)


@app.command()
def show(
    query: QueryId, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False
) -> None:
    """Show a query and how it went. Its rows are at `boathouse run result`, with its run."""
    at = At(server)
    within = at.workspace(workspace)
    found = at.control.queries.get(within, _id(at, within, query))
    told = found.model_dump()
    show_one(found, [(name, value) for name, value in told.items() if value is not None], as_json=as_json)


@app.command()
def cancel(query: QueryId, *, workspace: WorkspaceName = None, server: ServerName = None) -> None:
    """Cancel a query that is under way."""
    at = At(server)
    within = at.workspace(workspace)
    told = at.control.queries.cancel(within, _id(at, within, query))
    say_stopped(told.state)


@app.command()
def save(
    name: Name,
    sql: Text = None,
    *,
    file: File = None,
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    connection: Annotated[
        str | None, typer.Option(metavar="NAME", help="Where it is asked. Left out: the lake's own Spark.")
    ] = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
) -> None:
    """Keep a text for the workspace, in place of one of the same name."""
    at = At(server)
    text = _text(sql, file)
    at.control.queries.save(at.workspace(workspace), name, text, description=description, connection=connection)
    notices().print(f"Saved as {name}: `boathouse query run --saved {name}` asks it.")


@app.command()
def saved(*, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """List the texts that are kept."""
    at = At(server)
    columns: Columns[SavedQuery] = {
        "name": "name",
        "description": "description",
        "by": "saved_by",
        "saved": "updated_at",
        "sql": lambda one: one.sql.strip().partition("\n")[0],
    }
    show_all(at.control.queries.saved(at.workspace(workspace)), SavedQuery, columns, as_json=as_json)


@app.command()
def rename(name: Name, new_name: Name, *, workspace: WorkspaceName = None, server: ServerName = None) -> None:
    """Call a text that is kept something else."""
    at = At(server)
    at.control.queries.change_saved(at.workspace(workspace), name, new_name=new_name)
    notices().print(f"Saved query {name} is called {new_name} now.")


@app.command()
def remove(name: Name, *, yes: Yes = False, workspace: WorkspaceName = None, server: ServerName = None) -> None:
    """Remove a text that is kept."""
    at = At(server)
    within = at.workspace(workspace)
    sure(f"Remove the saved query {name} of {within} at {at.server.name}?", yes=yes)
    at.control.queries.delete_saved(within, name)
    notices().print(f"Saved query {name} is removed.")


def _text(sql: str | None, file: Path | None) -> str:
    text = given_text(sql, file)
    if not text or not text.strip():
        raise InvalidInput("There is no SQL to ask.", hint='Write some, such as `boathouse query run "SELECT 1"`.')
    return text


def _parameter(given: str) -> tuple[str, str, Any]:
    """Name, type (if it is said) and value of `name=value` or `name:type=value`."""
    name, value = pair(given, "--value")
    name, _, kind = name.partition(":")
    return name, kind, value


def _parameters(known: SavedQuery | None, given: list[tuple[str, str, Any]]) -> list[Json]:
    """What was saved, and what was given beside or instead of it. What has no type is text."""
    parameters: dict[str, Json] = {one["name"]: one for one in known.parameters} if known else {}
    for name, kind, _ in given:
        if kind or name not in parameters:
            parameters[name] = {"name": name, "type": kind or "string"}
    return list(parameters.values())


def _ended(at: At, workspace: str, query: Query) -> Query:
    """Once it is over; WorkFailed unless it succeeded."""
    try:
        for _ in at.control.runs.watch(workspace, query.run_id):
            pass
    except KeyboardInterrupt:
        # It may be over already.
        with suppress(BoathouseError):
            at.control.queries.cancel(workspace, query.id)
        raise
    ended = at.control.queries.get(workspace, query.id)
    if ended.state != "succeeded":
        raise WorkFailed(ended.error or f"The query is {ended.state}.", hint=f"`boathouse run logs {query.run_id}`")
    return ended


def _id(at: At, workspace: str, given: str) -> str:
    if given != "last":
        return given
    found = next(at.control.queries.all(workspace), None)
    if found is None:
        raise InvalidInput("There is no query of yours yet.", hint="`boathouse query run SQL` asks one.")
    return found.id
