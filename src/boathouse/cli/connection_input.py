"""What a connection is made of, as people give it: options, a file, and secrets that no list of processes shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, SecretStr, ValidationError
from pydantic_core import ErrorDetails

from boathouse.cli.asking import asked, from_stdin
from boathouse.cli.pairs import pair
from boathouse.client.connections import Kind, Secret
from boathouse.kit.complaints import in_words
from boathouse.kit.errors import InvalidInput


class ConnectionFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str | None = None
    description: str | None = None
    config: dict[str, JsonValue] | None = None
    secrets: dict[str, SecretStr | dict[str, str]] = Field(default_factory=dict[str, SecretStr | dict[str, str]])


@dataclass(frozen=True)
class Given:
    """The options by which secrets come."""

    prompted: list[str] | None
    stdin: str | None
    variables: list[str] | None
    files: list[str] | None


def connection_file(path: Path | None) -> ConnectionFile:
    if path is None:
        return ConnectionFile()
    # PyYAML takes a while to load, and few commands need it.
    from boathouse.pipelines.yaml_text import read_yaml

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.", hint="Check its name and that it is text.") from error
    try:
        return ConnectionFile.model_validate(read_yaml(text, str(path)).value or {})
    except ValidationError as error:
        # What was given may be secret, so it is not repeated.
        problems = [f"{'.'.join(map(str, one['loc']))}: {_told(one)}" for one in error.errors(include_url=False)]
        raise InvalidInput(
            f"{path} does not describe a connection. {'; '.join(problems)}.",
            hint="It has kind, description, config and secrets.",
        ) from None


def fields_of(given: list[str] | None, kind: Kind | None) -> dict[str, str | list[str]]:
    """`--set` as a mapping; of a field that is a list, all that it is given. The server knows which is a number."""
    pairs = [pair(one, "--set", such_as="host=db.example.org") for one in given or []]
    return {field: _values(pairs, field) if _is_list(kind, field) else value for field, value in pairs}


def refuse_open_secrets(fields: Mapping[str, Any], kind: Kind | None) -> None:
    """Before it is sent: whoever gives a secret as a field has it in their shell's history already, and is told so."""
    for field in fields:
        if kind is not None and field in kind.secrets:
            raise InvalidInput(f"{field} is a secret of {kind.name}, and no field for --set.", hint=_ways(field))


def secrets_of(given: Given) -> dict[str, Secret | None]:
    secrets: dict[str, Secret | None] = {}
    for one in given.variables or []:
        field, variable = pair(one, "--secret-env", such_as="password=BOATHOUSE_SECRET_NORTH__METERS")
        secrets[field] = {"env": variable}
    for one in given.files or []:
        field, path = pair(one, "--secret-file", such_as="password=north/meters")
        secrets[field] = {"file": path}
    for field in given.prompted or []:
        secrets[field] = asked(field, otherwise=f"Run it in a terminal. {_ways(field)}")
    if given.stdin is not None:
        secrets[given.stdin] = from_stdin(given.stdin)
    return secrets


def _is_list(kind: Kind | None, field: str) -> bool:
    return kind is not None and kind.config["properties"].get(field, {}).get("type") == "array"


def _values(pairs: list[tuple[str, str]], field: str) -> list[str]:
    """Those between commas, as with Kafka's servers everywhere, of each time that it is given."""
    return [part.strip() for name, value in pairs if name == field for part in value.split(",")]


def _ways(field: str) -> str:
    return (
        f"A program gives it by --secret-stdin {field}; --secret-env {field}=VARIABLE and --secret-file {field}=PATH "
        "say where the server finds it."
    )


def _told(problem: ErrorDetails) -> str:
    return "is not known" if problem["type"] == "extra_forbidden" else in_words({**problem, "input": None})
