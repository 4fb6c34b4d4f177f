"""Every setting of Boathouse, in one tree, described field by field.

A value comes from the first of: a BOATHOUSE_* variable, boathouse.toml, the default.
The file is the one BOATHOUSE_CONFIG names, else the nearest boathouse.toml from the working directory upwards.
"""

import difflib
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
)
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from boathouse.kit.complaints import in_words
from boathouse.kit.errors import ConfigurationError

FILE_NAME = "boathouse.toml"
PATHS = frozenset({"home", "cache", "java.home", "etcd.program", "clickhouse.program"})
CONFIG_VARIABLE = "BOATHOUSE_CONFIG"
PREFIX = "BOATHOUSE_"
DELIMITER = "__"
_AS_JSON = """Write it as JSON, such as BOATHOUSE_SPARK__CONF='{"spark.sql.shuffle.partitions": "16"}'."""
# Read by other parts than the settings tree, so not a misspelt setting.
OTHER_VARIABLES = frozenset(
    {
        CONFIG_VARIABLE,
        "BOATHOUSE_DEBUG",
        "BOATHOUSE_CATALOG_TOKEN",
        "BOATHOUSE_CONTROL_DATABASE",
        "BOATHOUSE_CONTROL_TOKEN",
        "BOATHOUSE_CONTROL_URL",
        "BOATHOUSE_WORKSPACE",
        "BOATHOUSE_ETCD_PASSWORD",
    }
)
# What the catalog's server is told about each of its warehouses; it knows them itself.
WAREHOUSE_PREFIX = "BOATHOUSE_CATALOG_WAREHOUSE_"
# What a program is told about the run that it is.
RUN_PREFIX = "BOATHOUSE_RUN_"
# Secrets that connections of the control plane name; they are read there.
SECRET_PREFIX = "BOATHOUSE_SECRET_"  # noqa: S105 - how their names begin


def _absolute(path: Path) -> Path:
    # Not resolved: a link that the user names stays the name it is shown by.
    return Path(os.path.abspath(path.expanduser()))  # noqa: PTH100


AbsolutePath = Annotated[Path, AfterValidator(_absolute)]
Port = Annotated[int | None, Field(ge=1, le=65535)]
Days = Annotated[int, Field(ge=0, le=36_500)]


def _in_the_form(pattern: str, wanted: str) -> AfterValidator:
    """Text of a form; `wanted` says it in words and with an example."""

    def check(value: str) -> str:
        if not re.fullmatch(pattern, value):
            raise ValueError(f"{value!r} is not {wanted}")
        return value

    return AfterValidator(check)


def _as_texts(value: Any) -> Any:
    """Spark takes its properties as text; in a file a number or a truth may stand there plainly."""
    if not isinstance(value, Mapping):
        return value
    return {name: _as_text(one) for name, one in cast(Mapping[str, Any], value).items()}


def _as_text(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


Memory = Annotated[str, _in_the_form(r"[1-9][0-9]*[mg]", "a size: write a number and m or g, such as 2g or 1500m")]
_UNITS = {"m": 1 << 20, "g": 1 << 30}
Kept = Annotated[
    str,
    _in_the_form(r"[1-9][0-9]*[mhd]|forever", "a time: write a number and m, h or d, such as 36h or 7d, or forever"),
]
Bucket = Annotated[
    str,
    _in_the_form(
        r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]",
        "a bucket's name: 3 to 63 lower-case letters, digits, '-' and '.', such as lakehouse",
    ),
]
SqlName = Annotated[
    str,
    _in_the_form(r"[a-z][a-z0-9_]*", "a name SQL can use: lower-case letters, digits and '_', such as lake"),
]
Properties = Annotated[dict[str, str], BeforeValidator(_as_texts)]


def in_bytes(size: Memory) -> int:
    return int(size[:-1]) * _UNITS[size[-1]]


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


class EtcdSettings(Section):
    program: AbsolutePath | None = Field(
        default=None,
        description="etcd 3.5.6 or later, to start with the profile ha. Empty: one is built once, with Go.",
    )


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
    bucket: Bucket = Field(default="lakehouse", description="Bucket of the lake.")
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
    warehouse: SqlName = Field(default="lake", description="Name of the warehouse, and of the catalog in SQL.")


class ControlSettings(Section):
    port: Port = Field(
        default=None, description="Control plane port on loopback. Empty: 8090, or a free one if that is taken."
    )
    keep_results_days: Days = Field(
        default=30, description="How long workers keep the rows of a run that has ended. 0: for ever."
    )
    keep_logs_days: Days = Field(default=90, description="How long they keep its log. 0: for ever.")
    keep_queries_days: Days = Field(
        default=365, description="How long a query stays in its asker's history. 0: for ever."
    )
    keep_lineage_days: Days = Field(
        default=365,
        description="How long it is known what a single run read and wrote; of each job it stays. 0: for ever.",
    )


class PostgresSettings(Section):
    port: Port = Field(
        default=None,
        description="Postgres port on loopback, or at its host. Empty: 5432, or a free one if that is taken.",
    )
    database: SqlName = Field(default="oltp", description="Database whose changes are followed.")
    host: str | None = Field(
        default=None, description="Host of a Postgres to follow instead of starting one; needs user and password."
    )
    user: str | None = Field(default=None, description="User of that server, who may replicate. Empty: boathouse.")
    password: SecretStr | None = Field(default=None, description="Password of that user. Empty: generated.")
    sslmode: Literal["disable", "prefer", "require", "verify-full"] = Field(
        default="prefer", description="How connections to that server are encrypted, as Postgres's clients call it."
    )


class KafkaSettings(Section):
    port: Port = Field(default=None, description="Kafka port on loopback. Empty: 9092, or a free one if that is taken.")
    memory: Memory = Field(default="512m", description="Heap of the broker.")
    retention: Kept = Field(
        default="7d",
        description="How long an event is kept at least, such as 36h, 7d or forever; so long may a stream be stopped.",
    )
    retention_size: Memory | None = Field(
        default=None,
        description="How much of each partition is kept at least, such as 10g; older events go sooner than in that time. "
        "Empty: all.",
    )


class ConnectSettings(Section):
    port: Port = Field(
        default=None, description="Kafka Connect port on loopback. Empty: 8083, or a free one if that is taken."
    )
    memory: Memory = Field(default="512m", description="Heap of Kafka Connect. A fifth of it is for rows of one fetch.")


class ClickHouseSettings(Section):
    port: Port = Field(
        default=None, description="ClickHouse's HTTP port on loopback. Empty: 8123, or a free one if that is taken."
    )
    database: SqlName = Field(default="speed", description="Database of the speed layer. Made if it is not there.")
    memory: Memory = Field(default="2g", description="What ClickHouse's queries may take together.")
    program: AbsolutePath | None = Field(
        default=None,
        description="The program clickhouse or clickhouse-server. Empty: the one on PATH, else the embedded engine.",
    )
    uri: str | None = Field(
        default=None,
        description="HTTP address of a ClickHouse server to use instead of starting one; needs user and password.",
    )
    user: str | None = Field(default=None, description="User of that server. Empty: boathouse.")
    password: SecretStr | None = Field(default=None, description="Password of that user. Empty: generated.")

    @field_validator("uri")
    @classmethod
    def _is_http(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must start with https:// or http://, such as https://clickhouse.example.org:8443")
        return value.rstrip("/") if value else value


class SparkSettings(Section):
    master: str = Field(default="local[*]", description="Spark master URL.")
    port: Port = Field(
        default=None, description="Spark Connect port on loopback. Empty: 15002, or a free one if that is taken."
    )
    ui_port: Port = Field(
        default=None, description="Spark UI port on loopback. Empty: 4040, or a free one if that is taken."
    )
    memory: Memory = Field(default="2g", description="Heap of the Spark driver, such as 2g or 1500m.")
    conf: Properties = Field(default_factory=dict, description="Further Spark properties, as name = value.")
    checkpoint_encryption: Literal["none", "sse-s3", "sse-kms"] = Field(
        default="none", description="How the object store encrypts the checkpoints of streams: none, sse-s3 or sse-kms."
    )
    checkpoint_key: str | None = Field(default=None, description="With sse-kms: the key's name; else the store's own.")


class StackSettings(Section):
    profile: str = Field(default="core", description="Which services `boathouse up` starts.")
    start_timeout: int = Field(default=300, ge=5, description="Seconds a service may take to become healthy.")
    stop_timeout: int = Field(
        default=30,
        ge=1,
        description="Seconds a service may take to stop before it is killed; the worker has 50 at least.",
    )


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
    etcd: EtcdSettings = Field(default_factory=EtcdSettings)
    java: JavaSettings = Field(default_factory=JavaSettings)
    log: LogSettings = Field(default_factory=LogSettings)
    object_store: ObjectStoreSettings = Field(default_factory=ObjectStoreSettings)
    catalog: CatalogSettings = Field(default_factory=CatalogSettings)
    control: ControlSettings = Field(default_factory=ControlSettings)
    postgres: PostgresSettings = Field(default_factory=PostgresSettings)
    kafka: KafkaSettings = Field(default_factory=KafkaSettings)
    connect: ConnectSettings = Field(default_factory=ConnectSettings)
    clickhouse: ClickHouseSettings = Field(default_factory=ClickHouseSettings)
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


def load_settings() -> Settings:
    """Read the settings, or say which value is wrong and every place it was looked for in."""
    _refuse_unknown_variables(os.environ)
    try:
        return Settings()
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{find_file()} is not valid TOML: {error}.", hint="Mend that line.") from error
    except SettingsError as error:
        raise ConfigurationError(_not_json() or f"A variable cannot be read: {error}.", hint=_AS_JSON) from error
    except ValidationError as error:
        raise ConfigurationError(
            _explain(error), hint="`boathouse config` shows every setting, its meaning and where its value comes from."
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


def variable(name: str) -> str:
    """The environment variable that sets `name`, such as `spark.memory`."""
    return PREFIX + name.upper().replace(".", DELIMITER)


def leaves(model: BaseModel, prefix: str = "") -> Iterator[tuple[str, Any, FieldInfo]]:
    """Every setting below the model: its name, its value and what is known of it."""
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value, field


def setting_at(place: Sequence[str | int]) -> str:
    """The setting that a place in the tree belongs to: one property of `spark.conf` is part of `spark.conf`."""
    names, parts = setting_names(), [str(part) for part in place]
    return next((name for depth in range(len(parts), 0, -1) if (name := ".".join(parts[:depth])) in names), "")


def setting_names() -> list[str]:
    return [name for name, _, _ in leaves(Settings.model_construct())]


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
            lines.append(f"{name} in {file} is not a setting{_did_you_mean(name, setting_names())}.")
            continue
        by_variable = variable(setting_at(problem["loc"]) or name)
        where = [f"the variable {by_variable}", f"{name} in {file or FILE_NAME + ' (none found)'}", "the default"]
        lines.append(f"{name} is wrong: {in_words(problem)}. Looked in {', '.join(where)}.")
    return "\n".join(lines)


def _not_json() -> str | None:
    """Which variable of a table is at fault: the library names the table only."""
    for name in sorted(_table_variables() & os.environ.keys()):
        try:
            json.loads(os.environ[name])
        except ValueError as error:
            return f"The variable {name} is not JSON: {error}."
    return None


def _table_variables() -> set[str]:
    """The variables that set a whole table at once."""
    return {variable(name.rpartition(".")[0]) for name in setting_names() if "." in name} | {variable("spark.conf")}


def _did_you_mean(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _refuse_unknown_variables(environment: Mapping[str, str]) -> None:
    known = {variable(name) for name in setting_names()} | OTHER_VARIABLES
    tables = _table_variables()
    for name in environment:
        if not name.startswith(PREFIX) or name in known or name in tables:
            continue
        if name.startswith((variable("spark.conf") + DELIMITER, WAREHOUSE_PREFIX, RUN_PREFIX, SECRET_PREFIX)):
            continue
        raise ConfigurationError(
            f"The variable {name} is not a setting{_did_you_mean(name, sorted(known))}.",
            hint="`boathouse config` lists every setting; unset the variable or mend its name.",
        )
