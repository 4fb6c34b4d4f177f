"""`boathouse audit`: who did what, and whether somebody tampered with the record of it."""

import sys
from datetime import UTC, datetime
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from boathouse.cli.answers import Columns, show_all
from boathouse.cli.new_file import Force, refuse_unless_new
from boathouse.cli.output import document, notices
from boathouse.cli.servers import AsJson, At, ServerName
from boathouse.client.audit import AuditEntry, AuditFilter
from boathouse.kit.errors import InvalidInput
from boathouse.kit.files import PRIVATE, written_atomically

TAMPERED = 1
Moment = Annotated[
    datetime | None, typer.Option(metavar="TIME", help="Such as 2026-01-31 or 2026-01-31T12:00:00, in UTC.")
]


class Form(Enum):
    JSON_LINES = "jsonl"
    CSV = "csv"


app = typer.Typer(help="Who did what, and when.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command(name="list")
def list_(
    *,
    user: Annotated[str | None, typer.Option(help="Only what they did.")] = None,
    action: Annotated[str | None, typer.Option(help="Only this, such as connection.create, or connection.")] = None,
    target: Annotated[str | None, typer.Option(help="Only what was done to this, such as meters.")] = None,
    result: Annotated[str | None, typer.Option(help="Only what ended so: done, forbidden, ….")] = None,
    since: Moment = None,
    until: Moment = None,
    workspace: Annotated[
        str | None, typer.Option("--workspace", "-w", help="Only of this workspace, whose admin you are.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="At most so many, the newest first; 0 is no limit.")] = 100,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """List what was done, the newest first."""
    control = At(server).control
    audit = control.audit
    wanted = AuditFilter(user=user, action=action, target=target, result=result, since=_utc(since), until=_utc(until))
    found = audit.all(**wanted) if workspace is None else audit.of_workspace(workspace, **wanted)
    # The audit keeps ids: a name may be another workspace's by now, and what is gone has none.
    names = {} if as_json else {one.id: one.name for one in control.workspaces.all()}
    columns: Columns[AuditEntry] = {
        "number": "number",
        "at": "at",
        "user": "user_name",
        "from": "address",
        "action": "action",
        "workspace": lambda entry: names.get(entry.workspace_id or "", entry.workspace_id),
        "target": "target",
        "result": "result",
    }
    show_all(islice(found, limit or None), AuditEntry, columns, as_json=as_json)


@app.command()
def verify(*, server: ServerName = None, as_json: AsJson = False) -> None:
    """Check that no entry was changed or taken out. Ends with 1 if one was."""
    told = At(server).control.audit.verify()
    if as_json:
        document(told.model_dump(mode="json"))
    elif told.holds:
        notices().print("The audit is whole: no entry was changed or taken out.")
    else:
        notices().print(f"The audit does not hold from entry {told.entries_from} on: {told.reason}.", style="bold red")
    if not told.holds:
        raise typer.Exit(TAMPERED)


@app.command()
def export(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Ends in .jsonl, .json or .csv. Left out: standard output.")
    ] = None,
    *,
    form: Annotated[
        Form | None,
        typer.Option("--format", help="Lines of JSON, or CSV. Left out: as the file's name says, or jsonl."),
    ] = None,
    force: Force = False,
    server: ServerName = None,
) -> None:
    """Write every entry as a line of JSON or a row of CSV, the newest first."""
    chosen = form or _form_of(file)
    if file is not None:
        refuse_unless_new(file, force=force)
    content = At(server).control.audit.export(form=chosen.value)
    if file is None:
        sys.stdout.buffer.writelines(content)
        sys.stdout.buffer.flush()
        return
    with written_atomically(file, mode=PRIVATE) as target:
        target.writelines(content)
    notices().print(f"The audit is in {file}.")


def _form_of(file: Path | None) -> Form:
    if file is None or file.suffix in {".jsonl", ".json"}:
        return Form.JSON_LINES
    if file.suffix == ".csv":
        return Form.CSV
    raise InvalidInput(
        f"{file} says not how it is to be written.",
        hint="Name a file that ends in .jsonl, .json or .csv, or add --format jsonl or --format csv.",
    )


def _utc(given: datetime | None) -> datetime | None:
    return given.replace(tzinfo=UTC) if given is not None and given.tzinfo is None else given
