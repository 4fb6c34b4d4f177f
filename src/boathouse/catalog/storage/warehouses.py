"""The warehouses of a server, each with its storage: from the command line, a file and the environment.

What is said of a warehouse comes from the first of: its variable BOATHOUSE_CATALOG_WAREHOUSE_<NAME>_<SETTING>, its table
[warehouses.NAME] in the file, and, for what the AWS libraries have variables for, those. Secrets are never arguments:
everybody on a machine can see those.
"""

import stat
import tomllib
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from boathouse.catalog.storage.s3_storage import S3Storage, Vend
from boathouse.catalog.storage.sigv4 import Keys
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import ConfigurationError, InvalidInput
from boathouse.kit.objects import canonical_url, open_store, path_below
from boathouse.kit.settings import WAREHOUSE_PREFIX

_AWS = {
    "endpoint": "AWS_ENDPOINT_URL",
    "region": "AWS_REGION",
    "access_key": "AWS_ACCESS_KEY_ID",
    "secret_key": "AWS_SECRET_ACCESS_KEY",
    "session_token": "AWS_SESSION_TOKEN",
}
_KEYS = ("access_key", "secret_key", "session_token")


class WarehouseSettings(BaseModel):
    """All but `url` is for S3 only."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str = Field(description="s3://bucket/prefix or file:///directory. --warehouse NAME=URL says it too.")
    endpoint: str | None = Field(default=None, description="URL of the S3 store; empty is AWS.")
    client_endpoint: str | None = Field(default=None, description="The same as clients reach it, if that differs.")
    region: str = Field(default="us-east-1", description="Its region.")
    path_style: bool = Field(default=True, description="Whether the bucket stands in the path, not in the host.")
    access_key: SecretStr | None = Field(default=None, description="The catalog's own key.")
    secret_key: SecretStr | None = Field(default=None, description="Its secret.")
    session_token: SecretStr | None = Field(default=None, description="Its token, if the key is a temporary one.")
    vend: Vend = Field(default=Vend.NONE, description="What clients get: none, sts or static keys.")
    role_arn: str | None = Field(default=None, description="The role that vended keys come from; AWS needs one.")
    external_id: str | None = Field(default=None, description="What that role asks for, if it does.")
    sts_endpoint: str | None = Field(default=None, description="URL of the token service; empty is the store's own.")
    session_seconds: int = Field(default=3600, description="How long vended keys last, from 900 to 43200.")
    outside_paths: bool = Field(
        default=False, description="Whether write.data.path and write.metadata.path may lead out of a table's location."
    )


def open_warehouses(arguments: Sequence[str], file: Path | None, environment: Mapping[str, str]) -> list[Warehouse]:
    """Every warehouse, opened; raises ConfigurationError. No request is made."""
    told = _from_file(file) if file else {}
    for name, url in (_argument(text) for text in arguments):
        told[name] = {**told.get(name, {}), "url": url}
    if not told:
        raise ConfigurationError("No warehouse is given.", hint="Add --warehouse NAME=URL.")
    known = {name: _settings(name, table, environment) for name, table in told.items()}
    _check_apart(known)
    return [_opened(name, settings) for name, settings in known.items()]


def open_warehouse(text: str, environment: Mapping[str, str], file: Path | None = None) -> Warehouse:
    """One warehouse as it is named on a command line, with its storage: NAME=URL, or NAME where the file says the rest."""
    name = text.partition("=")[0]
    given = [] if file and name == text else [text]
    opened = {one.name: one for one in open_warehouses(given, file, environment)}
    if name not in opened:
        raise ConfigurationError(f"{file} has no warehouse {name}.", hint=f"It has {', '.join(opened)}.")
    return opened[name]


def _argument(text: str) -> tuple[str, str]:
    name, _, url = text.partition("=")
    if not url:
        raise ConfigurationError(
            f"{text!r} is not a warehouse.", hint="Write it as NAME=URL, such as lake=s3://bucket/prefix."
        )
    if not name.isidentifier():
        raise ConfigurationError(
            f"{name!r} is not a name for a warehouse.",
            hint="Use letters, digits and underscores, and no digit first: it becomes a part of environment variables.",
        )
    return name, url


def _from_file(file: Path) -> dict[str, dict[str, Any]]:
    try:
        tree = tomllib.loads(file.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{file} cannot be read: {error}.", hint="Mend it, or name another.") from error
    tables = tree.pop("warehouses", {})
    if tree or not isinstance(tables, dict) or not all(isinstance(one, dict) for one in tables.values()):
        raise ConfigurationError(
            f"{file} has something else than warehouses in it.", hint="Write a table [warehouses.NAME] for each."
        )
    found = cast(dict[str, dict[str, Any]], tables)
    for name in found:
        _argument(f"{name}=url")
    if any(key in table for table in found.values() for key in _KEYS) and stat.S_IMODE(file.stat().st_mode) & 0o077:
        raise ConfigurationError(f"{file} has keys in it, and others may read it.", hint=f"Run chmod 600 {file}.")
    return found


def _settings(name: str, table: Mapping[str, Any], environment: Mapping[str, str]) -> WarehouseSettings:
    prefix = f"{WAREHOUSE_PREFIX}{name.upper()}_"
    own = {key.removeprefix(prefix).lower(): value for key, value in environment.items() if key.startswith(prefix)}
    told = {**table, **own}
    # Keys belong together: one of the warehouse's own never meets one of another's.
    shared = {
        setting: environment[variable]
        for setting, variable in _AWS.items()
        if environment.get(variable) and setting not in told
        if setting not in _KEYS or not any(key in told for key in _KEYS)
    }
    try:
        return WarehouseSettings.model_validate(
            {key: value for key, value in {**shared, **told}.items() if value != ""}
        )
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        setting = ".".join(str(part) for part in problem["loc"])
        raise ConfigurationError(
            f"{setting} of warehouse {name} is wrong: {problem['msg']}.",
            hint=f"Looked in {prefix}{setting.upper()} and in [warehouses.{name}].",
        ) from error


def _check_apart(known: Mapping[str, WarehouseSettings]) -> None:
    """No warehouse lies in another, or tables of one could claim the place of the other's."""
    if len({name.upper() for name in known}) != len(known):
        raise ConfigurationError("Two warehouses differ only by the case of their names.", hint="Rename one.")
    for (name, one), (other_name, other) in combinations(known.items(), 2):
        if one.endpoint != other.endpoint and not one.url.startswith("file:"):
            continue
        try:
            apart = path_below(one.url, other.url) is None and path_below(other.url, one.url) is None
        except InvalidInput as error:
            raise ConfigurationError(str(error), hint=error.hint) from error
        if not apart:
            raise ConfigurationError(
                f"The warehouses {name} and {other_name} overlap.", hint="Give each a place of its own."
            )


def _opened(name: str, settings: WarehouseSettings) -> Warehouse:
    parts = urlsplit(canonical_url(settings.url))
    if parts.scheme != "s3":
        return Warehouse.at(name, settings.url, open_store(settings.url))
    keys = _keys(name, settings)
    objects = open_store(
        settings.url,
        endpoint=settings.endpoint,
        region=settings.region,
        access_key=keys.access_key if keys else None,
        secret_key=keys.secret_key if keys else None,
        session_token=keys.session_token if keys else None,
        path_style=settings.path_style,
    )
    plain = settings.model_dump(exclude={"url", *_KEYS})
    storage = S3Storage(bucket=parts.netloc, root=parts.path.strip("/"), keys=keys, **plain)
    return Warehouse.at(name, settings.url, objects, storage)


def _keys(name: str, settings: WarehouseSettings) -> Keys | None:
    access, secret, token = settings.access_key, settings.secret_key, settings.session_token
    if access is None and secret is None and token is None:
        return None
    if access is None or secret is None:
        raise ConfigurationError(
            f"Warehouse {name} has one half of its keys.", hint="Set access_key and secret_key, both or neither."
        )
    return Keys(access.get_secret_value(), secret.get_secret_value(), token.get_secret_value() if token else None)
