"""The command `boathouse`. A command's module is imported only when that command is called."""

import atexit
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command as command_of
from typer.main import get_group as group_of

DEBUG_VARIABLE = "BOATHOUSE_DEBUG"
# What shells say of a program that SIGINT ended: 128 and the signal's number.
_INTERRUPTED = 130


@dataclass(frozen=True)
class LazyCommand:
    """Where a command lives, and the line the overview shows for it."""

    target: str
    help: str
    panel: str


_STACK, _WORK, _LOOK, _TEAM = "The lakehouse", "Data in and out", "Looking around", "The control plane"
COMMANDS = {
    "up": LazyCommand("boathouse.cli.stack:up", "Start the lakehouse and wait until it is healthy.", _STACK),
    "down": LazyCommand("boathouse.cli.stack:down", "Stop the lakehouse. Its data stays.", _STACK),
    "status": LazyCommand(
        "boathouse.cli.stack:status", "Show each service: its state, process, address, memory and uptime.", _STACK
    ),
    "logs": LazyCommand("boathouse.cli.stack:logs", "Show the log of a service.", _STACK),
    "doctor": LazyCommand(
        "boathouse.cli.stack:doctor",
        "Check this machine for what the lakehouse needs, and say what to do about what is missing.",
        _STACK,
    ),
    "sql": LazyCommand("boathouse.cli.sql:sql", "Run SQL, or open a prompt for it.", _WORK),
    "pipeline": LazyCommand("boathouse.cli.pipeline:app", "Load files into tables as a YAML spec says.", _WORK),
    "deadletter": LazyCommand(
        "boathouse.cli.deadletter:app",
        "Rows that pipelines rejected: look at them, mend them, replay or discard them.",
        _WORK,
    ),
    "demo": LazyCommand(
        "boathouse.cli.demo:demo", "See it all work on a small example. The lakehouse stays up to play with.", _WORK
    ),
    "demo-stream": LazyCommand(
        "boathouse.cli.demo_stream:demo_stream", "See changes in Postgres arrive in ClickHouse and in the lake.", _WORK
    ),
    "table": LazyCommand("boathouse.cli.table:app", "List tables and views, and look into tables.", _LOOK),
    "config": LazyCommand("boathouse.cli.config:config", "Show every setting and where it came from.", _LOOK),
    "catalog": LazyCommand("boathouse.cli.catalog:app", "The Iceberg REST catalog.", _LOOK),
    "ui": LazyCommand(
        "boathouse.cli.ui:ui",
        "Open the control plane in a browser, logged in by a link that works once, for a minute.",
        _TEAM,
    ),
    "login": LazyCommand(
        "boathouse.cli.login:login",
        "Log in to a control plane. This machine gets a token of its own, and the password is forgotten.",
        _TEAM,
    ),
    "logout": LazyCommand(
        "boathouse.cli.login:logout", "Forget a server, and revoke the token that was made for this machine.", _TEAM
    ),
    "server": LazyCommand("boathouse.cli.login:app", "The control planes you work with.", _TEAM),
    "workspace": LazyCommand("boathouse.cli.workspace:app", "Workspaces and their members.", _TEAM),
    "connection": LazyCommand("boathouse.cli.connection:app", "How a workspace reaches other systems.", _TEAM),
    "dataset": LazyCommand("boathouse.cli.dataset:app", "Which tables there are, whose, and how they are.", _TEAM),
    "job": LazyCommand("boathouse.cli.job:app", "What is to be done, and when.", _TEAM),
    "run": LazyCommand("boathouse.cli.run:app", "What was done, and how it went.", _TEAM),
    "notification": LazyCommand("boathouse.cli.notification:app", "Who is told of runs, and how.", _TEAM),
    "query": LazyCommand("boathouse.cli.query:app", "SQL asked at once, and what was asked.", _TEAM),
    "user": LazyCommand("boathouse.cli.user:app", "Who may log in.", _TEAM),
    "token": LazyCommand("boathouse.cli.token:app", "Tokens for programs of yours.", _TEAM),
    "audit": LazyCommand("boathouse.cli.audit:app", "Who did what, and when.", _TEAM),
    "control": LazyCommand("boathouse.cli.control:app", "The control plane: users, workspaces, audit.", _TEAM),
    "service": LazyCommand("boathouse.cli.service:app", "How the services are.", _TEAM),
    "worker": LazyCommand(
        "boathouse.cli.worker:app",
        "Carry out runs until stopped. Several may work on one database, on one machine or on many.",
        _TEAM,
    ),
}


class LazyGroup(TyperGroup):
    """A group whose overview needs no imports; only the command that is called is loaded.

    Contexts and commands are Any here: their classes are click's, which typer keeps to itself.
    """

    def __init__(self, **options: Any) -> None:
        known = {
            name: TyperCommand(name, help=command.help, rich_help_panel=command.panel)
            for name, command in COMMANDS.items()
        }
        super().__init__(**options)
        self.commands.update(known)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, _, rest = super().resolve_command(ctx, args)
        return name, load(name) if name in COMMANDS else None, rest


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def load(name: str) -> Any:
    """The real command, from its module."""
    module, _, attribute = COMMANDS[name].target.partition(":")
    found: Any = getattr(import_module(module), attribute)
    if isinstance(found, typer.Typer):
        # Not as a program of its own, which would have options to install its completion.
        command = group_of(found)
    else:
        alone = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
        alone.command(name)(found)
        command = command_of(alone)
    command.name = name
    return command


def _print_version(value: bool) -> None:  # noqa: FBT001 - typer calls it so
    if value:
        typer.echo(f"boathouse {version('boathouse')}")
        raise typer.Exit


@app.callback()
def boathouse(
    *,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error.", envvar=DEBUG_VARIABLE)
    ] = False,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """A lakehouse a team can own: Iceberg tables, Spark, SQL and a catalog, on one machine or many."""
    if debug:
        # The variable also reaches whatever this command starts, and the error handler below.
        os.environ[DEBUG_VARIABLE] = "1"


def main() -> None:
    """Run the command line; every error leaves as a message and an exit code."""
    try:
        app(prog_name="boathouse")
    except Exception as error:  # noqa: BLE001 - the last handler: what reaches it is shown, not lost
        from boathouse.cli.errors import report

        sys.exit(report(error, debug=os.environ.get(DEBUG_VARIABLE, "") not in {"", "0"}))


def program() -> None:
    """The same, as a process of its own."""
    ending = Ending()
    # What is registered first is called last, when all that others have registered is done.
    atexit.register(ending)
    try:
        main()
    except SystemExit as ended:
        ending.code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        raise
    except KeyboardInterrupt:
        ending.code = _INTERRUPTED
        raise
    except BaseException:
        # Nothing that gets past the handler of every error has gone well.
        ending.code = 1
        raise


class Ending:
    """The end of a process whose libraries have threads of their own.

    Python stops threads where they stand when it ends, and within the C++ of gRPC, Arrow or Kafka that is taken for a fault:
    the process would now and then abort after its work was done.
    """

    code: int = 0

    def __call__(self) -> None:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(self.code)


if __name__ == "__main__":
    program()
