"""`boathouse config`: every setting, its value, where that came from and what it is for."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import SecretStr

from boathouse.cli.output import document, listing, notices
from boathouse.kit.errors import ConfigurationError
from boathouse.kit.settings import CONFIG_VARIABLE, FILE_NAME, find_file, load_settings
from boathouse.kit.settings_described import Value, describe, describe_wrong

HIDDEN = "***"
_MEND = "Mend it where it comes from, or remove it there so that the default holds."
_SECRET = re.compile(r"secret|password|token|access[.]?key|credential", re.IGNORECASE)


def config(*, as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False) -> None:
    """Show every setting and where it came from."""
    try:
        values, wrong = describe(load_settings()), None
    except ConfigurationError as error:
        values, wrong = describe_wrong(error), error
    _show(values, as_json=as_json)
    if wrong:
        raise ConfigurationError(str(wrong), hint=_MEND) from wrong


def _show(values: Sequence[Value], *, as_json: bool) -> None:
    if as_json:
        looked_in = [str(place) for place in places()]
        document({"file": shown(_file()), "looked_in": looked_in, "settings": [_row(value) for value in values]})
        return
    rows = [[value.name, shown(value.value), _origin(value), value.description] for value in values]
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
        "problem": value.problem,
    }


def _origin(value: Value) -> str:
    return f"{value.origin} (wrong)" if value.problem else value.origin


def _file() -> Path | None:
    """The file, if the one that is named is there."""
    try:
        return find_file()
    except ConfigurationError:
        return None


def _file_notice() -> str:
    file = _file()
    if file:
        return f"Read from {file}."
    return f"No file was read. Looked for {', '.join(map(str, places()))}."
