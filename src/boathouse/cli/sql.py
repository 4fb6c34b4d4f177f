"""`boathouse sql`: statements from the command line, a file or a pipe; without any, a prompt."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from boathouse.cli.chart import Chart, draw
from boathouse.cli.output import Format, notices, write
from boathouse.cli.values import counted
from boathouse.cli.waiting import waiting
from boathouse.kit.access import LakeAccess
from boathouse.kit.errors import InvalidInput, NotFound
from boathouse.kit.settings import load_settings

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

    from boathouse.engines.spark.progress import Progress
    from boathouse.engines.spark.query import Result
    from boathouse.engines.spark.statements import Statement

DEFAULT_LIMIT = 1000
WAITING = "waiting for Spark, which may itself wait for the catalog or the store; `boathouse status` shows how they are"


@dataclass(frozen=True)
class View:
    """How results are shown."""

    form: Format = Format.TABLE
    limit: int | None = None
    chart: Chart | None = None

    @property
    def at_most(self) -> int | None:
        """How many rows are shown; None for all. What people read is cut unless they say otherwise."""
        if self.limit is None:
            return None if self.form.streams and not self.chart else DEFAULT_LIMIT
        return self.limit or None


def sql(
    statement: Annotated[
        str | None, typer.Argument(help="SQL, with `;` between statements. `-` reads standard input.")
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the statements from this file.")] = None,
    form: Annotated[Format, typer.Option("--format", help="How the rows are written.")] = Format.TABLE,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    limit: Annotated[
        int | None, typer.Option(min=0, help="Show at most this many rows; 0 for all. CSV and JSON: all unless given.")
    ] = None,
    chart: Annotated[Chart | None, typer.Option(help="Draw the result instead of listing it.")] = None,
) -> None:
    """Run SQL, or open a prompt for it."""
    view = View(Format.JSON if as_json else form, limit, chart)
    text = given_text(statement, file)
    settings = load_settings()
    access = LakeAccess.load(settings.home)
    if text is None:
        from boathouse.cli.sql_prompt import prompt

        prompt(access, history=settings.home / "sql-history", view=view)
    else:
        _run_text(access, text, view)


def execute(session: "SparkSession", statement: "Statement", view: View) -> None:
    """Run one statement and show what it returned."""
    from boathouse.cli.progress import progress_bar
    from boathouse.engines.spark.progress import progress_to
    from boathouse.engines.spark.query import run

    console = notices()
    started = monotonic()
    # One row more than is shown tells whether there are more.
    at_most = None if view.at_most is None else view.at_most + 1
    with waiting(console, WAITING) as at_work, progress_bar(console) as report:

        def heard(progress: "Progress") -> None:
            at_work()
            report(progress)

        with progress_to(session, heard):
            result = run(session, statement, at_most=at_most)
    notice = _show(result, view) if result.has_columns else "OK"
    console.print(f"{notice} ({monotonic() - started:.2f} s)", style="dim")


def _show(result: "Result", view: View) -> str:
    from boathouse.cli.results import column_names, numeric_columns, plain_rows

    columns, numeric, rows = column_names(result), numeric_columns(result), plain_rows(result)
    if view.at_most is None and not view.chart:
        return counted(write(columns, rows, view.form, numeric=numeric), "row")
    fetched = list(rows)
    shown = fetched[: view.at_most]
    if view.chart:
        sys.stdout.write(draw(view.chart, columns, numeric, shown) + "\n")
    else:
        write(columns, shown, view.form, numeric=numeric)
    count = counted(len(shown), "row")
    return f"the first {count}; --limit shows more" if len(fetched) > len(shown) else count


def _run_text(access: LakeAccess, text: str, view: View) -> None:
    from boathouse.engines.spark.connect import open_session
    from boathouse.engines.spark.statements import split

    statements: Sequence[Statement] = split(text)
    if not statements:
        raise InvalidInput("There is no statement to run.", hint='Write one, such as `boathouse sql "SELECT 1"`.')
    with open_session(access.spark) as session:
        for statement in statements:
            execute(session, statement, view)


def given_text(statement: str | None, file: Path | None) -> str | None:
    """The SQL to run; None for a prompt."""
    if file is not None:
        if statement is not None:
            raise typer.BadParameter("Give a statement or --file, not both.")
        return _read(file)
    if statement == "-" or (statement is None and not sys.stdin.isatty()):
        return sys.stdin.read()
    return statement


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except FileNotFoundError:
        raise NotFound(f"There is no file {file}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} cannot be read: {error}.") from error
