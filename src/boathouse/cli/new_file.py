"""Files that a command writes where somebody says: a new one, in a directory that is there."""

from pathlib import Path
from typing import Annotated

import typer

from boathouse.kit.errors import Conflict, InvalidInput, NotFound

Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


def refuse_unless_new(file: Path, *, force: bool) -> None:
    """Before anything is asked for: a slip of the hand must not cost what is there, nor make directories."""
    if not file.parent.is_dir():
        raise NotFound(f"There is no directory {file.parent}.", hint="Make it, or name a file in one that is there.")
    if file.is_dir():
        raise InvalidInput(f"{file} is a directory.", hint="Name a file.")
    if file.exists() and not force:
        raise Conflict(f"{file} is there already.", hint="Name another file, or add --force to write over it.")
