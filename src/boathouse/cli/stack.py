"""Starting, stopping and looking after the local lakehouse: up, down, status, logs, doctor."""

from typing import Annotated

import typer

NOT_RUNNING = 5


def up(
    profile: Annotated[
        str | None, typer.Option(help="Which services to start. Default: the setting stack.profile.")
    ] = None,
) -> None:
    """Start the lakehouse and wait until it is healthy."""
    from boathouse.cli.stack_start import StartView
    from boathouse.kit.settings import load_settings
    from boathouse.stack.lifecycle import Lakehouse

    settings = load_settings()
    StartView().up(Lakehouse(settings), profile or settings.stack.profile)


def down() -> None:
    """Stop the lakehouse. Its data stays."""
    from boathouse.cli.stack_start import StartView
    from boathouse.kit.settings import load_settings
    from boathouse.stack.lifecycle import Lakehouse

    StartView().down(Lakehouse(load_settings()))


def status(*, json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False) -> None:
    """Show each service: its state, process, address, memory and uptime."""
    from boathouse.cli.stack_report import show_status
    from boathouse.kit.settings import load_settings
    from boathouse.stack.lifecycle import Lakehouse

    if not show_status(Lakehouse(load_settings()), as_json=json):
        raise typer.Exit(NOT_RUNNING)


def logs(
    service: Annotated[str, typer.Argument(help="object-store, catalog, control, spark or supervisor.")],
    *,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as it grows; Ctrl-C ends it.")] = False,
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, help="How many of its last lines.")] = 50,
) -> None:
    """Show the log of a service."""
    from boathouse.cli.stack_report import show_log
    from boathouse.kit.settings import load_settings
    from boathouse.stack.home import Home

    show_log(Home(load_settings().home), service, lines=lines, follow=follow)


def doctor(*, json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False) -> None:
    """Check this machine for what the lakehouse needs, and say what to do about what is missing."""
    from boathouse.cli.stack_report import show_checkup
    from boathouse.kit.settings import load_settings

    if not show_checkup(load_settings(), as_json=json):
        raise typer.Exit(1)
