"""`boathouse config`: every setting, its value, where that came from and what it is for."""

import os
import re
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import SecretStr

from boathouse.cli.output import document, listing, notices
from boathouse.kit.settings import CONFIG_VARIABLE, FILE_NAME, Value, describe, find_file, load_settings

HIDDEN = "***"
_SECRET = re.compile(r"secret|password|token|access[.]?key|credential", re.IGNORECASE)


def config(*, as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False) -> None:
    """Show every setting and where it came from."""
    values = describe(load_settings())
    if as_json:
        looked_in = [str(place) for place in places()]
        document({"file": shown(find_file()), "looked_in": looked_in, "settings": [_row(value) for value in values]})
        return
    rows = [list(_row(value).values()) for value in values]
    listing(["setting", "value", "from", "meaning"], rows, as_json=False)
    notices().print(_file_notice(), style="dim", soft_wrap=True)


def places() -> list[Path]:
    """Where a file of settings is looked for, first to last."""
    named = os.environ.get(CONFIG_VARIABLE)
    here = Path.cwd()
    return [Path(named)] if named else [directory / FILE_NAME for directory in (here, *here.parents)]


def shown(value: Any) -> Any:
    """The value with whatever is secret in it starred out."""
    if isinstance(value, SecretStr):
        return HIDDEN
    if isinstance(value, dict):
        return {name: HIDDEN if _SECRET.search(name) else text for name, text in value.items()}
    return str(value) if isinstance(value, Path) else value


def _row(value: Value) -> dict[str, Any]:
    return {
        "name": value.name,
        "value": shown(value.value),
        "origin": value.origin,
        "description": value.description,
    }


def _file_notice() -> str:
    file = find_file()
    if file:
        return f"Read from {file}."
    return f"No file was read. Looked for {', '.join(map(str, places()))}."
