"""What is asked of whoever sits there: whether it is meant, and secrets. A program says the one and pipes the other in."""

import sys
from typing import Annotated

import typer
from pydantic import SecretStr

from boathouse.kit.errors import Cancelled, InvalidInput

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask whether it is meant.")]


def sure(question: str, *, yes: bool) -> None:
    """Raise unless whoever asks for it means it. A program has to say so with --yes."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInput(f"{question} Nobody is there to say.", hint="Add --yes if it is meant.")
    if not typer.confirm(question, err=True):
        raise Cancelled("Nothing was changed.")


def asked(what: str, *, again: bool = False, otherwise: str = "Run it in a terminal.") -> SecretStr:
    """A secret that somebody types, unseen; `again` has them type it twice. `otherwise` is for who has no terminal."""
    if not sys.stdin.isatty():
        raise InvalidInput(f"Nobody is there to be asked for: {what}.", hint=otherwise)
    return SecretStr(typer.prompt(what, hide_input=True, confirmation_prompt=again, err=True))


def from_stdin(what: str) -> SecretStr:
    """One secret from standard input, which no list of processes shows. On a terminal it is asked for."""
    if sys.stdin.isatty():
        return asked(what)
    given = sys.stdin.read().rstrip("\r\n")
    if not given:
        raise InvalidInput(f"{what} is to be read from standard input, which is empty.", hint="Pipe it in.")
    return SecretStr(given)
