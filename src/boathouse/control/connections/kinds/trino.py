"""Trino, by its own protocol: a statement is posted, and its pages are followed to the last."""

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit

import httpx
from pydantic import Field

from boathouse.control.connections.addresses import HttpAddress, reach_address
from boathouse.control.connections.calls import call, mapping_in, refuse_in_clear
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.steps import Step
from boathouse.kit.errors import BoathouseError, Forbidden, NotFound, Unavailable

_NOT_FOUND = {"CATALOG_NOT_FOUND", "SCHEMA_NOT_FOUND", "MISSING_CATALOG_NAME"}


class TrinoConfig(Config):
    address: HttpAddress = Field(description="Of the coordinator, such as https://trino.example.org:8443.")
    user: str = Field(min_length=1, max_length=200)
    catalog: str | None = Field(default=None, min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$")


class Trino(Kind):
    name = "trino"
    title = "Trino"
    config = TrinoConfig
    secrets: ClassVar = {"password": "The user's password.", "token": "A JSON web token."}

    def steps(self, config: TrinoConfig, secrets: Mapping[str, str]) -> list[Step]:
        coordinator = _Coordinator(config, secrets)
        steps = [
            *reach_address(config.address),
            Step("ask its version", coordinator.version),
            Step("run a statement", coordinator.select),
        ]
        return [*steps, Step("use the catalog", coordinator.schemas)] if config.catalog else steps


class _Coordinator:
    def __init__(self, config: TrinoConfig, secrets: Mapping[str, str]) -> None:
        self._config = config
        self._secrets = secrets

    async def version(self) -> str:
        told = mapping_in(await call("GET", self._config.address, "/v1/info"))
        version = told.get("nodeVersion", {})
        if not isinstance(version, dict) or "version" not in version:
            raise Unavailable("/v1/info is not answered as Trino does.", hint="Is this a coordinator's address?")
        if told.get("starting"):
            raise Unavailable("Trino is still starting.", hint="Try again in a minute.")
        return f"It is Trino {version['version']}."

    async def select(self) -> str:
        await self._rows("SELECT 1")
        return f"{self._config.user} may ask questions."

    async def schemas(self) -> str:
        count = len(await self._rows("SHOW SCHEMAS"))
        return f"{self._config.catalog} has {count} schema{'' if count == 1 else 's'} that may be seen."

    async def _rows(self, statement: str) -> list[Any]:
        page = await self._page("POST", "/v1/statement", content=statement)
        rows = list(page.get("data") or [])
        while following := page.get("nextUri"):
            # The path only: whatever host the answer names, the secret goes to the one that was configured.
            page = await self._page("GET", urlsplit(str(following)).path)
            rows += page.get("data") or []
        return rows

    async def _page(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        response = await call(method, self._config.address, path, **self._login(), **options)
        page = mapping_in(response)
        if not response.is_success or "id" not in page:
            raise _refusal(response)
        if isinstance(error := page.get("error"), dict):
            raise _failure(error)
        return page

    def _login(self) -> dict[str, Any]:
        headers = {"X-Trino-User": self._config.user, "X-Trino-Source": "boathouse"}
        if self._config.catalog:
            headers["X-Trino-Catalog"] = self._config.catalog
        if self._secrets:
            refuse_in_clear(self._config.address, encrypted=self._config.address.startswith("https:"))
        if "token" in self._secrets:
            return {"headers": {**headers, "Authorization": f"Bearer {self._secrets['token']}"}}
        if "password" in self._secrets:
            return {"headers": headers, "auth": httpx.BasicAuth(self._config.user, self._secrets["password"])}
        return {"headers": headers}


def _refusal(response: httpx.Response) -> BoathouseError:
    if response.status_code in {401, 403}:
        reason = response.text.strip()[:300].rstrip(".") or f"status {response.status_code}"
        return Forbidden(f"The login is refused: {reason}.", hint="Check user, and password or token.")
    return Unavailable(f"The statement is answered with {response.status_code}.", hint="Look at Trino's log.")


def _failure(error: Mapping[str, Any]) -> BoathouseError:
    name, reason = str(error.get("errorName", "")), str(error.get("message", "it does not say why"))[:500].rstrip(".")
    if name in _NOT_FOUND:
        return NotFound(f"{reason}.", hint="Check the catalog's name.")
    if name == "PERMISSION_DENIED":
        return Forbidden(f"{reason}.", hint="Ask who keeps Trino's access rules.")
    return Unavailable(f"The statement failed: {reason}.", hint="Look at Trino's log.")
