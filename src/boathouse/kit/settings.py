"""Every setting of Boathouse, in one tree, described field by field.

A value comes from the first of: a BOATHOUSE_* variable, boathouse.toml, the default.
The file is the one BOATHOUSE_CONFIG names, else the nearest boathouse.toml from the working directory upwards.
"""

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from boathouse.kit.errors import ConfigurationError

FILE_NAME = "boathouse.toml"
PATHS = frozenset({"home", "cache", "java.home"})
CONFIG_VARIABLE = "BOATHOUSE_CONFIG"
PREFIX = "BOATHOUSE_"
DELIMITER = "__"
# Read by other parts than the settings tree, so not a misspelt setting.
OTHER_VARIABLES = frozenset({CONFIG_VARIABLE, "BOATHOUSE_DEBUG", "BOATHOUSE_CATALOG_TOKEN"})


def _absolute(path: Path) -> Path:
    # Not resolved: a link that the user names stays the name it is shown by.
    return Path(os.path.abspath(path.expanduser()))  # noqa: PTH100


AbsolutePath = Annotated[Path, AfterValidator(_absolute)]
Port = Annotated[int | None, Field(ge=1, le=65535)]


def _cache_directory() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "boathouse"


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ArtifactSettings(Section):
    mirror: str = Field(
        default="https://repo1.maven.org/maven2", description="Maven repository that jars are fetched from."
    )
    parallel: int = Field(default=4, ge=1, le=32, description="How many files are fetched at once.")
    offline: bool = Field(default=False, description="Never fetch: use what is cached, and say what is missing.")

    @field_validator("mirror")
    @classmethod
    def _is_url(cls, value: str) -> str:
        if not value.startswith(("http://", "https://", "file://")):
            raise ValueError("must start with https://, http:// or file://")
        return value.rstrip("/")


class JavaSettings(Section):
    home: AbsolutePath | None = Field(
        default=None,
        description="Java 17 or 21 to run Spark with. Empty: one found on the machine, else the bundled one.",
    )


class LogSettings(Section):
    rotate_mb: int = Field(default=16, ge=1, description="A service's log file is rotated when it reaches this size.")
    keep: int = Field(default=3, ge=0, description="How many rotated log files are kept for each service.")


class ObjectStoreSettings(Section):
    port: Port = Field(default=None, description="S3 port on loopback. Empty: 8333, or a free one if that is taken.")
    bucket: str = Field(
        default="lakehouse", pattern=r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", description="Bucket of the lake."
    )
    region: str = Field(default="us-east-1", description="S3 region.")
    endpoint: str | None = Field(
        default=None,
        description="URL of an S3 store to use instead of the bundled SeaweedFS; needs access_key and secret_key.",
    )
    access_key: SecretStr | None = Field(default=None, description="Access key of that store. Empty: generated.")
    secret_key: SecretStr | None = Field(default=None, description="Secret key of that store. Empty: generated.")


class CatalogSettings(Section):
    port: Port = Field(
        default=None, description="Catalog port on loopback. Empty: 8181, or a free one if that is taken."
    )
    warehouse: str = Field(
        default="lake", pattern=r"^[a-z][a-z0-9_]*$", description="Name of the warehouse, and of the catalog in SQL."
    )


class SparkSettings(Section):
    master: str = Field(default="local[*]", description="Spark master URL.")
    port: Port = Field(
        default=None, description="Spark Connect port on loopback. Empty: 15002, or a free one if that is taken."
    )
    ui_port: Port = Field(
        default=None, description="Spark UI port on loopback. Empty: 4040, or a free one if that is taken."
    )
    memory: str = Field(default="2g", pattern=r"^[1-9][0-9]*[mg]$", description="Heap of the Spark driver.")
    conf: dict[str, str] = Field(default_factory=dict, description="Further Spark properties, as name = value.")


class StackSettings(Section):
    profile: str = Field(default="core", description="Which services `boathouse up` starts.")
    start_timeout: int = Field(default=120, ge=5, description="Seconds a service may take to become healthy.")
    stop_timeout: int = Field(default=30, ge=1, description="Seconds a service may take to stop before it is killed.")


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter=DELIMITER, extra="forbid", frozen=True, env_ignore_empty=True
    )

    home: AbsolutePath = Field(
        default_factory=lambda: Path.home() / ".boathouse", description="Data, logs and secrets of this lakehouse."
    )
    cache: AbsolutePath = Field(
        default_factory=_cache_directory, description="Downloaded jars, shared by every lakehouse of this user."
    )
    artifacts: ArtifactSettings = Field(default_factory=ArtifactSettings)
    java: JavaSettings = Field(default_factory=JavaSettings)
    log: LogSettings = Field(default_factory=LogSettings)
    object_store: ObjectStoreSettings = Field(default_factory=ObjectStoreSettings)
    catalog: CatalogSettings = Field(default_factory=CatalogSettings)
    spark: SparkSettings = Field(default_factory=SparkSettings)
    stack: StackSettings = Field(default_factory=StackSettings)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        file = find_file()
        sources = [init_settings, env_settings]
        return (*sources, FileSource(settings_cls, file)) if file else tuple(sources)


class FileSource(TomlConfigSettingsSource):
    """boathouse.toml. A relative path in it is relative to that file, not to the working directory."""

    def __call__(self) -> dict[str, Any]:
        return _anchored(super().__call__(), find_file() or Path(), "")


@dataclass(frozen=True)
class Value:
    """One setting as it stands: what it is, where it came from, what it is for."""

    name: str
    value: Any
    origin: str
    description: str


def load_settings() -> Settings:
    """Read the settings, or say which value is wrong and every place it was looked for in."""
    _refuse_unknown_variables(os.environ)
    try:
        return Settings()
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{find_file()} is not valid TOML: {error}.", hint="Mend that line.") from error
    except SettingsError as error:
        raise ConfigurationError(
            f"A BOATHOUSE_* variable cannot be read: {error}.", hint="Tables are given as JSON."
        ) from error
    except ValidationError as error:
        raise ConfigurationError(
            _explain(error), hint="`boathouse config` shows every setting with its meaning."
        ) from error


def find_file() -> Path | None:
    """The file settings are read from, if there is one."""
    named = os.environ.get(CONFIG_VARIABLE)
    if named:
        path = _absolute(Path(named))
        if not path.is_file():
            raise ConfigurationError(f"{CONFIG_VARIABLE} names {path}, which is not a file.", hint="Mend or unset it.")
        return path
    here = Path.cwd()
    return next((d / FILE_NAME for d in (here, *here.parents) if (d / FILE_NAME).is_file()), None)


def describe(settings: Settings) -> list[Value]:
    """Every setting with its value and origin, in the order of the tree."""
    file = find_file()
    from_file = _flat(FileSource(Settings, file)() if file else {})
    from_variables = _flat(EnvSettingsSource(Settings)())

    def origin(name: str) -> str:
        if name in from_variables:
            return next((known for known in _variables(name) if known in os.environ), variable(name))
        return str(file) if name in from_file else "default"

    return [Value(name, value, origin(name), text) for name, value, text in _leaves(settings, "")]


def variable(name: str) -> str:
    """The environment variable that sets `name`, such as `spark.memory`."""
    return PREFIX + name.upper().replace(".", DELIMITER)


def _variables(name: str) -> Iterator[str]:
    """The variables that may set `name`: its own, and those of the tables it is in."""
    while name:
        yield variable(name)
        name = name.rpartition(".")[0]


def _leaves(model: BaseModel, prefix: str) -> Iterator[tuple[str, Any, str]]:
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value, field.description or ""


def _flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in tree.items():
        flat[prefix + name] = value
        if isinstance(value, Mapping):
            flat |= _flat(cast(Mapping[str, Any], value), f"{prefix}{name}.")
    return flat


def _anchored(tree: Mapping[str, Any], file: Path, prefix: str) -> dict[str, Any]:
    """The file's values with its relative paths made absolute."""
    anchored = dict(tree)
    for name, value in tree.items():
        if isinstance(value, Mapping):
            anchored[name] = _anchored(cast(Mapping[str, Any], value), file, f"{prefix}{name}.")
        elif prefix + name in PATHS and isinstance(value, str):
            anchored[name] = file.parent / Path(value).expanduser()
    return anchored


def _explain(error: ValidationError) -> str:
    file = find_file()
    lines: list[str] = []
    for problem in error.errors(include_url=False):
        name = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "extra_forbidden":
            lines.append(f"{name} in {file} is not a setting{_did_you_mean(name, _names())}.")
            continue
        where = [f"the variable {variable(name)}", f"{name} in {file or FILE_NAME + ' (none found)'}", "the default"]
        lines.append(f"{name} is wrong: {problem['msg']}. Looked in {', '.join(where)}.")
    return "\n".join(lines)


def _names() -> list[str]:
    return [name for name, _, _ in _leaves(Settings.model_construct(), "")]


def _did_you_mean(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _refuse_unknown_variables(environment: Mapping[str, str]) -> None:
    names = _names()
    known = {variable(name) for name in names} | OTHER_VARIABLES
    tables = {variable(name.rpartition(".")[0]) for name in names if "." in name} | {variable("spark.conf")}
    for name in environment:
        if not name.startswith(PREFIX) or name in known or name in tables:
            continue
        if name.startswith(variable("spark.conf") + DELIMITER):
            continue
        raise ConfigurationError(
            f"The variable {name} is not a setting{_did_you_mean(name, sorted(known))}.",
            hint="`boathouse config` lists every setting; unset the variable or mend its name.",
        )
