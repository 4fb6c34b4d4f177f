"""How an error leaves the command line: a message, a hint, an exit code.

| code | meaning |
| --- | --- |
| 0 | done |
| 1 | the work failed, or Boathouse has a bug |
| 2 | the command was written wrongly |
| 3 | an input or a setting is not valid |
| 4 | what was named is not there |
| 5 | a part of the lakehouse does not answer |
| 6 | it changed meanwhile, or is there already |
| 7 | refused: not authenticated, or not allowed |
| 130 | interrupted |
"""

import traceback
from typing import Final

from rich.console import Console
from rich.text import Text

from boathouse.cli.hints import in_commands
from boathouse.kit.errors import (
    BoathouseError,
    Cancelled,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Unauthenticated,
    Unavailable,
)

FAILED: Final = 1
INTERRUPTED: Final = 130
EXIT_CODES: Final[dict[type[BoathouseError], int]] = {
    InvalidInput: 3,
    NotFound: 4,
    Unavailable: 5,
    Conflict: 6,
    Unauthenticated: 7,
    Forbidden: 7,
    Cancelled: INTERRUPTED,
}


def exit_code(error: Exception) -> int:
    """The code of the nearest kind of error in the table above."""
    return next((EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES), FAILED)


def report(error: Exception, *, debug: bool = False) -> int:
    """Show the error on standard error and return the exit code."""
    if debug:
        traceback.print_exception(error)
    console = Console(stderr=True, highlight=False)
    if isinstance(error, BoathouseError):
        show(error, console)
    else:
        _line(console, "Error: ", f"{type(error).__name__}: {error}".strip())
        if not debug:
            _line(console, "Hint: ", "This is a bug in Boathouse. Run again with --debug to see where.", style="cyan")
    return exit_code(error)


def show(error: BoathouseError, console: Console) -> None:
    """The error and its hint."""
    _line(console, "Error: ", str(error))
    if error.hint:
        _line(console, "Hint: ", in_commands(error.hint), style="cyan")


def _line(console: Console, head: str, text: str, *, style: str = "bold red") -> None:
    # Soft wrap leaves long lines to the terminal, so that carets stay under what they point at.
    console.print(Text.assemble((head, style), text), soft_wrap=True)
