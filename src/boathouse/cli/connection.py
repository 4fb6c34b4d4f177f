"""`boathouse connection`: how a workspace reaches other systems."""

from pathlib import Path
from typing import Annotated

import typer

from boathouse.cli.answers import Columns, show_all, show_one
from boathouse.cli.asking import Yes, sure
from boathouse.cli.connection_input import Given, connection_file, fields_of, refuse_open_secrets, secrets_of
from boathouse.cli.output import document, listing, notices
from boathouse.cli.servers import AsJson, At, ServerName, WorkspaceName
from boathouse.client.connections import Connection, ConnectionChange, Kind, Tested
from boathouse.kit.errors import InvalidInput

FAILED = 1
Name = Annotated[str, typer.Argument(metavar="NAME")]
Description = Annotated[str | None, typer.Option(help="What it is for.")]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="FIELD=VALUE",
        help="May be given several times. Of a list, the values stand between commas, or each by itself.",
    ),
]
File = Annotated[
    Path | None, typer.Option("--file", "-f", metavar="FILE", help="YAML or JSON with kind, config and secrets.")
]
Prompted = Annotated[list[str] | None, typer.Option("--secret", metavar="FIELD", help="A secret to be asked for.")]
FromStdin = Annotated[
    str | None, typer.Option("--secret-stdin", metavar="FIELD", help="A secret to be read from standard input.")
]
FromVariable = Annotated[
    list[str] | None,
    typer.Option("--secret-env", metavar="FIELD=VARIABLE", help="A secret that is in a variable of the server."),
]
FromFile = Annotated[
    list[str] | None,
    typer.Option("--secret-file", metavar="FIELD=PATH", help="A secret in a file below the server's secrets."),
]
app = typer.Typer(help="How a workspace reaches other systems.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command(name="list")
def list_(*, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """List the connections of a workspace."""
    at = At(server)
    found = at.control.connections.all(at.workspace(workspace))
    columns: Columns[Connection] = {
        "name": "name",
        "kind": "kind",
        "description": "description",
        "last test": _last_test,
        "changed": "updated_at",
    }
    show_all(found, Connection, columns, as_json=as_json)


@app.command()
def kinds(*, server: ServerName = None, as_json: AsJson = False) -> None:
    """List the kinds of connections there are, and what each takes."""
    columns: Columns[Kind] = {
        "kind": "name",
        "required": lambda kind: ", ".join(kind.config.get("required", ())),
        "more fields": _optional,
        "secrets": lambda kind: ", ".join(kind.secrets),
    }
    show_all(At(server).control.connections.kinds(), Kind, columns, as_json=as_json)


@app.command()
def show(name: Name, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """Show a connection, and where its secrets are."""
    at = At(server)
    _show(at.control.connections.get(at.workspace(workspace), name), as_json=as_json)


@app.command()
def create(
    name: Name,
    *,
    kind: Annotated[str | None, typer.Option(help="As `boathouse connection kinds` lists them.")] = None,
    description: Description = None,
    set_: Set = None,
    file: File = None,
    secret: Prompted = None,
    secret_stdin: FromStdin = None,
    secret_env: FromVariable = None,
    secret_file: FromFile = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Make a connection. Its secrets are asked for, read from standard input, or named: never given on the command line."""
    at = At(server)
    written = connection_file(file)
    wanted = kind or written.kind
    if wanted is None:
        raise InvalidInput("The kind is not said.", hint="Give --kind; `boathouse connection kinds` lists them.")
    fields = _fields(at, wanted, set_)
    change = ConnectionChange(
        description=description if description is not None else written.description or "",
        config=(written.config or {}) | fields,
        secrets=written.secrets | secrets_of(Given(secret, secret_stdin, secret_env, secret_file)),
    )
    _show(at.control.connections.create(at.workspace(workspace), name, wanted, **change), as_json=as_json)


@app.command()
def update(
    name: Name,
    *,
    description: Description = None,
    set_: Set = None,
    unset: Annotated[list[str] | None, typer.Option(metavar="FIELD", help="A field to take its default again.")] = None,
    file: File = None,
    secret: Prompted = None,
    secret_stdin: FromStdin = None,
    secret_env: FromVariable = None,
    secret_file: FromFile = None,
    remove_secret: Annotated[list[str] | None, typer.Option(metavar="FIELD", help="A secret to forget.")] = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Change a connection. What is left out stays as it is; a file's config takes the place of all of it."""
    at = At(server)
    within = at.workspace(workspace)
    written = connection_file(file)
    change = ConnectionChange()
    told = description if description is not None else written.description
    if told is not None:
        change["description"] = told
    if written.config is not None or set_ or unset:
        there = at.control.connections.get(within, name)
        before = there.config if written.config is None else written.config
        fields = before | _fields(at, there.kind, set_)
        change["config"] = {key: value for key, value in fields.items() if key not in (unset or [])}
    secrets = written.secrets | secrets_of(Given(secret, secret_stdin, secret_env, secret_file))
    if secrets or remove_secret:
        change["secrets"] = secrets | dict.fromkeys(remove_secret or [])
    _show(at.control.connections.change(within, name, **change), as_json=as_json)


@app.command()
def delete(name: Name, *, yes: Yes = False, workspace: WorkspaceName = None, server: ServerName = None) -> None:
    """Delete a connection and its secrets."""
    at = At(server)
    within = at.workspace(workspace)
    sure(f"Delete the connection {name} of {within} at {at.server.name}?", yes=yes)
    at.control.connections.delete(within, name)
    notices().print(f"Connection {name} is deleted.")


@app.command(name="test")
def try_(name: Name, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """Have the server connect, and say of each step how it went. Ends with 1 if one failed."""
    at = At(server)
    tested = at.control.connections.test(at.workspace(workspace), name)
    show_tested(tested, as_json=as_json)
    if not tested.ok:
        raise typer.Exit(FAILED)


def show_tested(tested: Tested, *, as_json: bool) -> None:
    if as_json:
        document(tested.model_dump(mode="json"))
        return
    rows = [("ok" if step.ok else "failed", step.name, step.message) for step in tested.steps]
    listing(["", "step", "found"], rows, as_json=False)
    for hint in (step.hint for step in tested.steps if step.hint):
        notices().print(f"Hint: {hint}", style="cyan", markup=False, soft_wrap=True)


def _optional(kind: Kind) -> str:
    required = kind.config.get("required", ())
    return ", ".join(field for field in kind.config["properties"] if field not in required)


def _last_test(connection: Connection) -> str | None:
    tested = connection.last_test
    return f"{'ok' if tested.ok else 'failed'} {tested.at:%Y-%m-%d %H:%M:%SZ}" if tested else None


def _fields(at: At, kind: str, given: list[str] | None) -> dict[str, str | list[str]]:
    if not given:
        return {}
    known = {one.name: one for one in at.control.connections.kinds()}
    fields = fields_of(given, known.get(kind))
    refuse_open_secrets(fields, known.get(kind))
    return fields


def _show(connection: Connection, *, as_json: bool) -> None:
    secrets = {field: f"{one.kept}{f' {one.place}' if one.place else ''}" for field, one in connection.secrets.items()}
    pairs = [
        ("name", connection.name),
        ("kind", connection.kind),
        ("description", connection.description),
        *connection.config.items(),
        *((f"{field} (secret)", kept) for field, kept in secrets.items()),
        ("changed", connection.updated_at),
    ]
    show_one(connection, pairs, as_json=as_json)
