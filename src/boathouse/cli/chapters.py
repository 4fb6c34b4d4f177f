"""How a demo speaks: in chapters, with the SQL it asks."""

import sys

import typer
from rich.console import Console
from rich.syntax import Syntax


def chapter(title: str) -> None:
    out = console()
    out.print()
    out.print(f"[bold cyan]▌[/bold cyan] [bold]{title}[/bold]", soft_wrap=True)


def show_sql(statement: str) -> None:
    """In colours on a terminal; elsewhere as it is, because Rich cuts code at the width it supposes there."""
    out = console()
    if out.is_terminal:
        out.print(Syntax(statement, "sql", background_color="default", word_wrap=True))
    else:
        typer.echo(statement)


def console() -> Console:
    # A pipe has no width: a table must not be folded there.
    return Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=200)
