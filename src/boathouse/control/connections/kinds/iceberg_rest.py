"""An Iceberg REST catalog: ours or another."""

from collections.abc import Mapping
from typing import Any, ClassVar

import httpx
from pydantic import Field

from boathouse.control.connections.addresses import HttpAddress, reach_address
from boathouse.control.connections.calls import call
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.steps import Step
from boathouse.kit.errors import Forbidden, NotFound, Unavailable


class IcebergRestConfig(Config):
    uri: HttpAddress = Field(description="Without the /v1, such as https://catalog.example.org.")
    warehouse: str | None = Field(default=None, max_length=500)


class IcebergRest(Kind):
    name = "iceberg-rest"
    title = "Iceberg REST catalog"
    config = IcebergRestConfig
    secrets: ClassVar = {"token": "A bearer token.", "credential": "Client id and secret, as ID:SECRET."}
    harmless: ClassVar = frozenset({"warehouse"})

    def steps(self, config: IcebergRestConfig, secrets: Mapping[str, str]) -> list[Step]:
        session = _Session(config, secrets)
        log_in = [Step("get a token", session.get_token)] if "credential" in secrets else []
        return [
            *reach_address(config.uri),
            *log_in,
            Step("ask for its configuration", session.configuration),
            Step("list namespaces", session.namespaces),
        ]


class _Session:
    """What one step finds out and the next needs."""

    def __init__(self, config: IcebergRestConfig, secrets: Mapping[str, str]) -> None:
        self._config = config
        self._secrets = secrets
        self._token = secrets.get("token")
        self._prefix = ""

    async def get_token(self) -> str:
        client_id, _, secret = self._secrets["credential"].partition(":")
        form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": secret, "scope": "catalog"}
        told = await self._asked("POST", "/v1/oauth/tokens", data=form)
        self._token = told.get("access_token")
        return f"{client_id} was given a token."

    async def configuration(self) -> str:
        query = {"warehouse": self._config.warehouse} if self._config.warehouse else {}
        told = await self._asked("GET", "/v1/config", params=query)
        chosen = {**told.get("defaults", {}), **told.get("overrides", {})}
        self._prefix = f"/{chosen['prefix']}" if chosen.get("prefix") else ""
        return "It speaks Iceberg's REST protocol."

    async def namespaces(self) -> str:
        told = await self._asked("GET", f"/v1{self._prefix}/namespaces")
        count = len(told.get("namespaces", []))
        return f"{count} namespace{'' if count == 1 else 's'} may be seen."

    async def _asked(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        response = await call(method, self._config.uri, path, headers=headers, **options)
        return _read(response, path)


def _read(response: httpx.Response, path: str) -> dict[str, Any]:
    if response.status_code in {400, 401, 403}:
        raise Forbidden(f"{path} is refused: {_reason(response)}.", hint="Check token or credential, and its grants.")
    if response.status_code == 404:
        raise NotFound(f"There is no {path}: {_reason(response)}.", hint="Check the address and the warehouse.")
    try:
        told = response.json()
    except ValueError:
        told = None
    if not response.is_success or not isinstance(told, dict):
        raise Unavailable(f"{path} is answered with {response.status_code}.", hint="Is this a catalog?")
    return told


def _reason(response: httpx.Response) -> str:
    try:
        error = response.json()["error"]
        return str(error["message"] if isinstance(error, dict) else error).rstrip(".")
    except (ValueError, KeyError, TypeError):
        return f"status {response.status_code}"
