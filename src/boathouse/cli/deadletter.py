"""`boathouse deadletter`: rows that pipelines rejected, looked at, mended, replayed or discarded."""

import getpass
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boathouse.kit.deadletters.book import Wanted
from boathouse.kit.deadletters.ledger import Action, RejectState
from boathouse.kit.deadletters.topics import is_topic, origin
from boathouse.kit.errors import InvalidInput

if TYPE_CHECKING:
    from boathouse.kit.deadletters.book import Place
    from boathouse.kit.deadletters.desk import Desk

app = typer.Typer(
    no_args_is_help=True,
    help="Rows that pipelines rejected: look at them, mend them, replay or discard them.",
    pretty_exceptions_enable=False,
)

Table = Annotated[str, typer.Argument(metavar="TABLE", help="The pipeline's table, such as sales.orders, or its spec.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="Of a rejected row, as `list` shows it.")]
Ids = Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Of rejected rows, as `list` shows them.")]
Reason = Annotated[str | None, typer.Option(help="Only those with this reason, as `list --by-reason` shows it.")]
Load = Annotated[str | None, typer.Option(metavar="ID", help="Only those of this load.")]
File = Annotated[str | None, typer.Option(metavar="URL", help="Only those from this file, as `list` shows it.")]
Everything = Annotated[bool, typer.Option("--all", help="Every open row.")]
By = Annotated[str | None, typer.Option(help="Who does it; the user of this machine if left out.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]
_LONGEST = 100
_MORE = "There are so many rejected rows that only the newest were looked through, open ones first."


@app.command(name="list")
def list_(
    table: Table,
    *,
    state: Annotated[RejectState, typer.Option(help="Those that are so by now.")] = RejectState.OPEN,
    reason: Reason = None,
    load: Load = None,
    file: File = None,
    by_reason: Annotated[bool, typer.Option("--by-reason", help="Only count them.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 100,
    as_json: AsJson = False,
) -> None:
    """List rejected rows, the newest first, or how many there are for each reason."""
    from boathouse.cli.output import listing, notices

    desk = _desk(table)
    book = desk.book()
    wanted = Wanted(state=state, reason=reason, load_id=load, file=file)
    if not book.tells_all(wanted):
        notices().print(_MORE, style="dim")
    if by_reason:
        listing(["rows", "reason"], [(rows, why) for why, rows in book.counts("sort", wanted)], as_json=as_json)
        return
    found = book.find(wanted, limit=limit)
    texts = desk.texts(found)
    rows = [
        (place.id, f"{place.file}:{place.line}", place.reason, _text(place.fate.raw or texts[place.id].raw, as_json))
        for place in found
    ]
    listing(["id", "place", "reason", "row"], rows, as_json=as_json)
    if left := book.count(wanted) - len(found):
        notices().print(f"{left:,} more; --limit shows more of them", style="dim")


@app.command()
def show(table: Table, row: Id, *, as_json: AsJson = False) -> None:
    """Show a rejected row whole: where it stood, what is wrong with it, and what was done about it."""
    from boathouse.cli.output import document, facts

    desk = _desk(table)
    found = desk.find_one(row)
    text, fate = desk.texts([found])[row], found.fate
    pairs = [
        ("id", found.id),
        ("state", fate.state.value),
        *_place(found, as_file=as_json),
        ("load", found.load_id),
        ("rejected at", found.rejected_at),
        ("reason", found.reason),
        ("row", text.raw),
        ("row in base64", text.bytes_in_base64()),
        ("key", None if text.key is None else text.key.decode(errors="backslashreplace")),
        ("kafka at", text.kafka_at),
        ("mended", fate.raw),
        ("note", fate.note),
        ("last changed by", fate.by or None),
        ("last changed at", fate.at),
        ("replay", fate.load_id),
    ]
    if as_json:
        document({name.replace(" ", "_"): value for name, value in pairs})
    else:
        facts([(name, value) for name, value in pairs if value is not None])


@app.command()
def edit(
    table: Table,
    row: Id,
    *,
    text: Annotated[str | None, typer.Option(help="What the row should be. Without it an editor opens.")] = None,
    by: By = None,
) -> None:
    """Mend the text of a rejected row. It stays open until it is replayed.

    An event in Avro or of bytes is mended as its bytes, in base64; say which pipeline by its spec to have it checked.
    """
    from boathouse.cli.editor import edited

    desk = _desk(table)
    found = desk.find_one(row)
    if text is None:
        stood = desk.texts([found])[row]
        text = edited(found.fate.raw or (desk.form.text_of(stood.whole or b"") if desk.form else stood.raw or ""))
    if text is None:
        typer.echo("Nothing was changed.")
        return
    desk.decide([row], Action.MENDED, by=by or getpass.getuser(), raw=text)
    spec = shlex.quote(table) if _is_spec(table) else "SPEC"
    typer.echo(f"{row} is mended. Replay it with `boathouse deadletter replay {spec} {row}`.")


@app.command()
def replay(
    spec: Annotated[Path, typer.Argument(help="The pipeline's YAML file.", show_default=False)],
    rows: Ids = None,
    *,
    reason: Reason = None,
    load: Load = None,
    file: File = None,
    everything: Everything = False,
    by: By = None,
    report: Annotated[Path | None, typer.Option(help="Also write the report to this file, as JSON.")] = None,
    as_json: AsJson = False,
) -> None:
    """Send open rows through their pipeline once more, as they stood or as they were mended.

    They are judged by the spec as it is now. Those that pass go into the table; the others stay open with the new reason.
    """
    from boathouse.cli.pipelines import replay_rejects, show_replay, tell
    from boathouse.pipelines.specs import load_any

    wanted = _chosen(rows, reason, load, file, everything=everything)
    done = replay_rejects(load_any(spec), wanted, by=by or getpass.getuser())
    tell(done, show_replay, report, as_json=as_json)


@app.command()
def discard(
    table: Table,
    rows: Ids = None,
    *,
    reason: Reason = None,
    load: Load = None,
    file: File = None,
    everything: Everything = False,
    note: Annotated[str, typer.Option(help="Why.")] = "",
    by: By = None,
) -> None:
    """Give up open rows. They are kept, and `reopen` takes it back."""
    from boathouse.cli.output import notices

    desk = _desk(table)
    wanted = _chosen(rows, reason, load, file, everything=everything)
    book = desk.book()
    found = list(wanted.ids or (place.id for place in book.find(wanted)))
    _say(desk.decide(found, Action.DISCARDED, by=by or getpass.getuser(), note=note or None), table, "discarded")
    if not (wanted.ids or book.tells_all(wanted)):
        notices().print(_MORE, style="dim")


@app.command()
def reopen(table: Table, rows: Annotated[list[str], typer.Argument(metavar="ID...")], *, by: By = None) -> None:
    """Take back that rows were discarded."""
    _say(_desk(table).decide(rows, Action.REOPENED, by=by or getpass.getuser()), table, "open again")


def _desk(table: str) -> "Desk":
    from boathouse.kit.access import LakeAccess
    from boathouse.kit.catalog_client import TableName
    from boathouse.kit.deadletters.desk import Desk
    from boathouse.kit.settings import load_settings

    if _is_spec(table):
        from boathouse.pipelines.specs import load_any
        from boathouse.pipelines.stream.spec import StreamSpec

        spec = load_any(Path(table))
        name, form = spec.rows_table, spec.form if isinstance(spec, StreamSpec) else None
    else:
        name, form = TableName.parse(table), None
    access = LakeAccess.load(load_settings().home)
    return Desk(name, access.catalog, access.object_store, form=form)


def _is_spec(table: str) -> bool:
    return table.endswith((".yaml", ".yml"))


def _chosen(
    ids: list[str] | None, reason: str | None, load: str | None, file: str | None, *, everything: bool
) -> Wanted:
    if not (ids or reason or load or file or everything):
        raise InvalidInput("No row is named.", hint="Name rows by their ids, --reason, --load or --file, or say --all.")
    return Wanted(ids=frozenset(ids) if ids else None, state=RejectState.OPEN, reason=reason, load_id=load, file=file)


def _place(found: "Place", *, as_file: bool) -> list[tuple[str, Any]]:
    """Programs are told the same of both; people what an event's place is called."""
    if as_file or not is_topic(found.file):
        return [("file", found.file), ("line", found.line)]
    topic, partition = origin(found.file)
    return [("topic", topic), ("partition", partition), ("offset", found.line)]


def _say(rows: int, table: str, done: str) -> None:
    typer.echo(f"1 row of {table} is {done}." if rows == 1 else f"{rows:,} rows of {table} are {done}.")


def _text(raw: str | None, whole: bool) -> str | None:  # noqa: FBT001 - of two forms of the same
    if raw is None or whole or len(raw) <= _LONGEST:
        return raw
    return f"{raw[: _LONGEST - 3]}..."
