"""Every setting as it stands, with its origin; also while some of them are wrong, so that they can be found."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import EnvSettingsSource, SettingsError

from boathouse.kit.complaints import in_words
from boathouse.kit.errors import ConfigurationError
from boathouse.kit.settings import FileSource, Settings, find_file, leaves, setting_at, variable


@dataclass(frozen=True)
class Value:
    """One setting as it stands: what it is, where it came from, what it is for."""

    name: str
    value: Any
    origin: str
    description: str
    problem: str | None = None
    """What is wrong with the value, if anything is."""


def describe(settings: Settings) -> list[Value]:
    """Every setting with its value and origin, in the order of the tree."""
    sources = _Sources.read()
    return [
        Value(name, value, sources.origin(name), field.description or "") for name, value, field in leaves(settings)
    ]


def describe_wrong(error: ConfigurationError) -> list[Value]:
    """The same where the settings cannot be loaded: values as they were written, and what is wrong with them."""
    sources = _Sources.read()
    problems = dict(_problems(error.__cause__))
    found: list[Value] = []
    for name, default, field in leaves(Settings.model_construct()):
        value = _guarded(sources.written(name, default), field)
        found.append(Value(name, value, sources.origin(name), field.description or "", problems.get(name)))
    return found


@dataclass(frozen=True)
class _Sources:
    """What the variables and the file say, by the settings' full names."""

    variables: Mapping[str, Any]
    file: Mapping[str, Any]

    @classmethod
    def read(cls) -> "_Sources":
        return cls(_from_variables(), _from_file())

    def origin(self, name: str) -> str:
        if name in self.variables:
            return next((known for known in _variables(name) if known in os.environ), variable(name))
        return str(find_file()) if name in self.file else "default"

    def written(self, name: str, default: Any) -> Any:
        return self.variables.get(name, self.file.get(name, default))


def _from_variables() -> Mapping[str, Any]:
    try:
        return _flat(EnvSettingsSource(Settings)())
    except SettingsError:  # a table that is not JSON: show each variable as it is
        names = (name for name, _, _ in leaves(Settings.model_construct()))
        return {name: os.environ[variable(name)] for name in names if variable(name) in os.environ}


def _from_file() -> Mapping[str, Any]:
    try:
        file = find_file()
        return _flat(FileSource(Settings, file)()) if file else {}
    except (tomllib.TOMLDecodeError, ConfigurationError):
        return {}


def _problems(cause: BaseException | None) -> Iterator[tuple[str, str]]:
    if isinstance(cause, ValidationError):
        for problem in cause.errors(include_url=False):
            yield setting_at(problem["loc"]), in_words(problem)


def _guarded(value: Any, field: FieldInfo) -> Any:
    """A secret that was not validated is still one."""
    secret = SecretStr in (field.annotation, *get_args(field.annotation))
    return SecretStr(str(value)) if secret and value is not None else value


def _variables(name: str) -> Iterator[str]:
    """The variables that may set `name`: its own, and those of the tables it is in."""
    while name:
        yield variable(name)
        name = name.rpartition(".")[0]


def _flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in tree.items():
        flat[prefix + name] = value
        if isinstance(value, Mapping):
            flat |= _flat(cast(Mapping[str, Any], value), f"{prefix}{name}.")
    return flat
