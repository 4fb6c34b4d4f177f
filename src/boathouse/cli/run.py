"""`boathouse run`: what was done, what is under way, and how it went."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from boathouse.cli.answers import Columns, show_all, show_one
from boathouse.cli.errors import INTERRUPTED
from boathouse.cli.moments import Moment, utc
from boathouse.cli.new_file import Force, refuse_unless_new
from boathouse.cli.output import Format, document, listing, notices, write
from boathouse.cli.pairs import pair
from boathouse.cli.row_values import numeric_columns, plain_rows
from boathouse.cli.run_log import follow_log, refuse_unless_attempted, show_log
from boathouse.cli.servers import AsJson, At, ServerName, WorkspaceName
from boathouse.cli.values import counted
from boathouse.client.runs import ENDED, Rows, Run, RunInFull
from boathouse.kit.errors import InvalidInput, NotFound
from boathouse.kit.files import written_atomically

FAILED = 1
Value = Annotated[
    list[str] | None, typer.Option("--value", metavar="NAME=VALUE", help="Of a parameter; as often as needed.")
]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="Its id, or `last`.")]
app = typer.Typer(help="What was done, and how it went.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command(name="list")
def list_(
    *,
    job: Annotated[str | None, typer.Option(help="Only of this job.")] = None,
    state: Annotated[str | None, typer.Option(help="Only in this state, such as failed.")] = None,
    by: Annotated[str | None, typer.Option(metavar="USER", help="Only what they asked for.")] = None,
    since: Moment = None,
    until: Moment = None,
    limit: Annotated[int, typer.Option(min=1, help="The newest so many.")] = 20,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """List runs, the newest first."""
    at = At(server)
    found = at.control.runs.all(
        at.workspace(workspace), job=job, state=state, requested_by=by, since=utc(since), until=utc(until)
    )
    columns: Columns[Run] = {
        "run": "id",
        "job": "job",
        "state": "state",
        "attempt": "attempt",
        "by": "requested_by",
        "asked": "created_at",
        "seconds": seconds,
        "error": lambda run: (run.error or "").partition("\n")[0],
    }
    show_all(islice(found, limit), Run, columns, as_json=as_json)


@app.command()
def show(run: RunId, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """Show a run with its attempts and, of a flow, its tasks."""
    at = At(server)
    within = at.workspace(workspace)
    found = at.control.runs.get(within, _id(at, within, run))
    if as_json:
        document(found.model_dump(mode="json"))
        return
    _show(found)


@app.command()
def logs(
    run: RunId,
    *,
    follow_: Annotated[bool, typer.Option("--follow", "-f", help="Go on until the run is over.")] = False,
    attempt: Annotated[int | None, typer.Option(min=1, help="Only of this attempt.")] = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
) -> None:
    """Show a run's log; of a flow, that of its tasks."""
    at = At(server)
    within = at.workspace(workspace)
    found = at.control.runs.get(within, _id(at, within, run))
    refuse_unless_attempted(found, attempt)
    show = follow_log if follow_ else show_log
    show(at, within, found, attempt=attempt)


@app.command()
def result(
    run: RunId,
    *,
    form: Annotated[Format, typer.Option("--format", help="How the rows are written.")] = Format.TABLE,
    as_json: AsJson = False,
    limit: Annotated[int, typer.Option(min=1, help="At most so many rows.")] = 1000,
    workspace: WorkspaceName = None,
    server: ServerName = None,
) -> None:
    """Show the rows that a run in SQL returned."""
    at = At(server)
    within = at.workspace(workspace)
    show_rows(at, within, _id(at, within, run), Format.JSON if as_json else form, limit)


@app.command()
def download(
    run: RunId,
    file: Annotated[Path, typer.Argument(help="Ends in .csv or .parquet, which says how it is written.")],
    *,
    force: Force = False,
    workspace: WorkspaceName = None,
    server: ServerName = None,
) -> None:
    """Write all rows that are kept of a run in SQL into a file."""
    form = _form_of(file)
    refuse_unless_new(file, force=force)
    at = At(server)
    within = at.workspace(workspace)
    parts = at.control.runs.download(within, _id(at, within, run), form=form)
    with written_atomically(file) as written:
        for part in parts:
            written.write(part)
    notices().print(f"Written to {file}.")


@app.command()
def stop(run: RunId, *, workspace: WorkspaceName = None, server: ServerName = None) -> None:
    """Stop a run."""
    at = At(server)
    within = at.workspace(workspace)
    told = at.control.runs.stop(within, _id(at, within, run))
    say_stopped(told.state)


@app.command()
def retry(
    run: RunId,
    *,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Show its log until it is over.")] = True,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Try a run again that did not succeed; of a flow, only the tasks that did not."""
    at = At(server)
    within = at.workspace(workspace)
    told = at.control.runs.retry(within, _id(at, within, run))
    show_started(at, within, told, wait=wait, as_json=as_json)


@app.command()
def rerun(
    run: RunId,
    *,
    value: Value = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Show its log until it is over.")] = True,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Start a new run of the same job with the same values, except those that are given."""
    at = At(server)
    within = at.workspace(workspace)
    old = at.control.runs.get(within, _id(at, within, run))
    if not old.job:
        raise InvalidInput(f"The run {old.id} was a query, and no job's.", hint="`boathouse query run` asks again.")
    new = at.control.runs.submit(within, old.job, old.values | values_of(value))
    show_started(at, within, new, wait=wait, as_json=as_json)


def show_rows(at: At, workspace: str, run_id: str, form: Format, limit: int) -> None:
    """The rows that were kept, and whether that is all of them."""
    first = at.control.runs.rows(workspace, run_id, limit=min(limit, 500))
    rows = plain_rows(first.columns, islice(_all_rows(at, workspace, run_id, first), limit))
    write([column.name for column in first.columns], rows, form, numeric=numeric_columns(first.columns))
    if first.total > limit or first.truncated:
        kept = f"{counted(first.total, 'row')} {'is' if first.total == 1 else 'are'} kept"
        notices().print(f"{kept}{', more were left out' if first.truncated else ''}.", style="dim")


def show_started(at: At, workspace: str, run: Run, *, wait: bool, as_json: bool) -> None:
    """Which run it is; with `wait` also its log as it comes and how it ended, and exit code 1 if not well."""
    if not wait:
        show_one(run, [("run", run.id), ("state", run.state)], as_json=as_json)
        return
    notices().print(f"Run {run.id}", style="dim")
    try:
        follow_log(at, workspace, run, quiet=as_json)
    except KeyboardInterrupt:
        notices().print(f"The run goes on; `boathouse run stop {run.id}` stops it.", markup=False, soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None
    _show_ended(at.control.runs.get(workspace, run.id), as_json=as_json)


def _show_ended(ended: RunInFull, *, as_json: bool) -> None:
    if as_json:
        document(ended.model_dump(mode="json"))
    else:
        said = f"{ended.state}" + (f": {ended.error}" if ended.error else "")
        style = "green" if ended.state == "succeeded" else "red"
        notices().print(f"{said} ({seconds(ended)} s)", style=style, markup=False, soft_wrap=True)
    if ended.state != "succeeded":
        raise typer.Exit(FAILED)


def say_stopped(state: str) -> None:
    """Of what somebody wants stopped: one that nobody had yet is over at once."""
    notices().print("It is cancelled." if state in ENDED else "Its worker is told to stop it.")


def values_of(given: list[str] | None) -> dict[str, str]:
    """`name=value`, as text: the server knows each parameter's type."""
    return dict(pair(one, "--value", such_as="day=2026-01-31") for one in given or [])


def seconds(run: Run) -> float | None:
    if run.started_at is None or run.ended_at is None:
        return None
    return round((run.ended_at - run.started_at).total_seconds(), 1)


def _id(at: At, workspace: str, given: str) -> str:
    if given != "last":
        return given
    found = next(at.control.runs.all(workspace), None)
    if found is None:
        raise NotFound("There is no run yet.", hint="`boathouse job run NAME` starts one.")
    return found.id


def _form_of(file: Path) -> Literal["csv", "parquet"]:
    if file.suffix == ".csv":
        return "csv"
    if file.suffix == ".parquet":
        return "parquet"
    raise InvalidInput(f"{file} says not how it is to be written.", hint="Name a file that ends in .csv or .parquet.")


def _all_rows(at: At, workspace: str, run_id: str, page: Rows) -> Iterator[list[Any]]:
    yield from page.rows
    while page.next is not None:
        page = at.control.runs.rows(workspace, run_id, offset=int(page.next))
        yield from page.rows


def _show(run: RunInFull) -> None:
    pairs = [
        ("run", run.id),
        ("job", f"{run.job} version {run.version}" if run.job else "a query"),
        ("state", run.state),
        ("waits", run.waits_for),
        ("asked", f"{run.created_at:%Y-%m-%d %H:%M:%SZ} by {run.requested_by}"),
        ("seconds", seconds(run)),
        ("error", run.error),
        *((f"value {name}", value) for name, value in run.values.items()),
    ]
    show_one(run, [(name, value) for name, value in pairs if value is not None], as_json=False)
    if run.attempts:
        typer.echo()
        rows = [(one.number, one.worker, one.state, one.started_at, one.ended_at, one.error) for one in run.attempts]
        listing(["attempt", "worker", "state", "started", "ended", "error"], rows, as_json=False)
    if run.tasks:
        typer.echo()
        told = [(task.name, task.job or task.kind, ", ".join(task.after), *_task(task.run)) for task in run.tasks]
        listing(["task", "job or kind", "after", "state", "attempt", "error", "run"], told, as_json=False)


def _task(run: Run | None) -> tuple[Any, ...]:
    if run is None:
        return ("not begun", None, None, None)
    return (run.state, run.attempt, (run.error or "").partition("\n")[0], run.id)
