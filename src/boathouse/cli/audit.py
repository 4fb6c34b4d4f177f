"""`boathouse audit`: who did what, and whether somebody tampered with the record of it."""

import sys
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from boathouse.cli.answers import Columns, show_all
from boathouse.cli.moments import Moment, utc
from boathouse.cli.new_file import Force, refuse_unless_new
from boathouse.cli.output import document, notices
from boathouse.cli.servers import AsJson, At, ServerName
from boathouse.client.audit import AuditEntry, AuditFilter
from boathouse.kit.errors import InvalidInput
from boathouse.kit.files import PRIVATE, written_atomically

TAMPERED = 1
User = Annotated[str | None, typer.Option(help="Only what they did.")]
Action = Annotated[str | None, typer.Option(help="Only this, such as connection.create, or connection.")]
Target = Annotated[str | None, typer.Option(help="Only what was done to this, such as meters.")]
Result = Annotated[str | None, typer.Option(help="Only what ended so: done, forbidden, ….")]
OfWorkspace = Annotated[
    str | None, typer.Option("--workspace", "-w", help="Only of this workspace, whose admin you are.")
]
Expected = Annotated[
    str | None,
    typer.Option(metavar="NUMBER:HASH", help="The head that an earlier check told: it must be there still."),
]


class Form(Enum):
    JSON_LINES = "jsonl"
    CSV = "csv"


app = typer.Typer(help="Who did what, and when.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command(name="list")
def list_(
    *,
    user: User = None,
    action: Action = None,
    target: Target = None,
    result: Result = None,
    since: Moment = None,
    until: Moment = None,
    workspace: OfWorkspace = None,
    limit: Annotated[int, typer.Option(min=0, help="At most so many, the newest first; 0 is no limit.")] = 100,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """List what was done, the newest first."""
    control = At(server).control
    audit = control.audit
    wanted = AuditFilter(user=user, action=action, target=target, result=result, since=utc(since), until=utc(until))
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
def verify(*, expect_head: Expected = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """Check that no entry was changed or taken out. Ends with 1 if one was.

    Whoever owns the database can write the audit anew, or cut off its end: keep what this tells elsewhere, and give it
    the next time.
    """
    entries, head = _head(expect_head)
    told = At(server).control.audit.verify(entries=entries, head=head)
    if as_json:
        document(told.model_dump(mode="json"))
    elif told.holds:
        notices().print(f"The audit is whole: {told.entries} entries, head {told.entries}:{told.head}", soft_wrap=True)
    else:
        notices().print(f"The audit does not hold from entry {told.entries_from} on: {told.reason}.", style="bold red")
    if not told.holds:
        raise typer.Exit(TAMPERED)


def _head(given: str | None) -> tuple[int | None, str | None]:
    number, _, digest = (given or "").partition(":")
    if given is not None and not (number.isdecimal() and digest):
        raise InvalidInput(f"{given} is no head of the audit.", hint="Give NUMBER:HASH as verify told it.")
    return (int(number), digest) if given else (None, None)


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
    user: User = None,
    action: Action = None,
    target: Target = None,
    result: Result = None,
    since: Moment = None,
    until: Moment = None,
    workspace: OfWorkspace = None,
    force: Force = False,
    server: ServerName = None,
) -> None:
    """Write entries, all or those that are asked for, as lines of JSON or rows of CSV, the newest first."""
    chosen = form or _form_of(file)
    if file is not None:
        refuse_unless_new(file, force=force)
    wanted = AuditFilter(user=user, action=action, target=target, result=result, since=utc(since), until=utc(until))
    content = At(server).control.audit.export(form=chosen.value, workspace=workspace, **wanted)
    if file is None:
        sys.stdout.buffer.writelines(content)
        sys.stdout.buffer.flush()
        return
    with written_atomically(file, mode=PRIVATE) as written:
        written.writelines(content)
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
