"""What a connection is made of, as people give it: options, a file, and secrets that no list of processes shows."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_core import ErrorDetails

from boathouse.cli.asking import asked, from_stdin
from boathouse.cli.pairs import pair
from boathouse.client.connections import Secret
from boathouse.kit.complaints import in_words
from boathouse.kit.errors import InvalidInput


class ConnectionFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str | None = None
    description: str | None = None
    config: dict[str, Any] | None = None
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


def fields_of(given: list[str] | None) -> dict[str, str]:
    """`--set` as a mapping. The server knows which field is a number."""
    return dict(pair(one, "--set") for one in given or [])


def secrets_of(given: Given) -> dict[str, Secret | None]:
    secrets: dict[str, Secret | None] = {}
    for one in given.variables or []:
        field, variable = pair(one, "--secret-env")
        secrets[field] = {"env": variable}
    for one in given.files or []:
        field, path = pair(one, "--secret-file")
        secrets[field] = {"file": path}
    for field in given.prompted or []:
        secrets[field] = asked(field)
    if given.stdin is not None:
        secrets[given.stdin] = from_stdin(given.stdin)
    return secrets


def _told(problem: ErrorDetails) -> str:
    return "is not known" if problem["type"] == "extra_forbidden" else in_words({**problem, "input": None})
