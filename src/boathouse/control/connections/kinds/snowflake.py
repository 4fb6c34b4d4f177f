"""Snowflake, by its SQL API: plain HTTP with a key pair or a token, so that no driver is needed."""

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import httpx
from pydantic import Field

from boathouse.control.connections.addresses import HttpAddress, reach_address
from boathouse.control.connections.calls import call, mapping_in, refuse_in_clear
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.kinds.snowflake_keys import signed_login
from boathouse.control.connections.steps import Step
from boathouse.kit.errors import BoathouseError, Forbidden, InvalidInput, NotFound, Unavailable

_STATEMENTS = "/api/v2/statements"
_WHO = "SELECT CURRENT_VERSION(), CURRENT_ROLE(), CURRENT_WAREHOUSE(), CURRENT_DATABASE()"


class SnowflakeConfig(Config):
    account: str = Field(pattern=r"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$", max_length=200, description="As ORG-ACCOUNT.")
    user: str = Field(min_length=1, max_length=200)
    role: str | None = Field(default=None, min_length=1, max_length=200)
    warehouse: str | None = Field(default=None, min_length=1, max_length=200)
    database: str | None = Field(default=None, min_length=1, max_length=200)
    token_type: Literal["PROGRAMMATIC_ACCESS_TOKEN", "OAUTH"] = "PROGRAMMATIC_ACCESS_TOKEN"  # noqa: S105 - a kind of token
    endpoint: HttpAddress | None = Field(
        default=None, description="Where it is not the account's own, as by PrivateLink."
    )

    @property
    def address(self) -> str:
        return self.endpoint or f"https://{self.account.replace('_', '-')}.snowflakecomputing.com"


class Snowflake(Kind):
    name = "snowflake"
    title = "Snowflake"
    config = SnowflakeConfig
    secrets: ClassVar = {
        "private_key": "The user's private key, as PEM.",
        "passphrase": "What the private key is encrypted with, if it is.",
        "token": "A programmatic access token, or one of OAuth.",
    }
    harmless: ClassVar = frozenset({"database", "role", "user", "warehouse"})

    def steps(self, config: SnowflakeConfig, secrets: Mapping[str, str]) -> list[Step]:
        account = _Account(config, secrets)
        steps = [*reach_address(config.address), Step("log in", account.log_in)]
        return [*steps, *(Step(f"use the {part}", account.checked(part)) for part in account.parts)]


class _Account:
    """What the login finds out and the later steps look at."""

    def __init__(self, config: SnowflakeConfig, secrets: Mapping[str, str]) -> None:
        self._config = config
        self._secrets = secrets
        self._current: dict[str, str | None] = {}
        wanted = {"role": config.role, "warehouse": config.warehouse, "database": config.database}
        self.parts = {part: name for part, name in wanted.items() if name is not None}

    async def log_in(self) -> str:
        version, *current = await self._row(_WHO)
        self._current = dict(zip(("role", "warehouse", "database"), current, strict=False))
        return f"{self._config.user} is logged in: Snowflake {version}."

    def checked(self, part: str) -> Any:
        async def look() -> str:
            # Snowflake takes a name that it cannot use in silence, and then there is none.
            if not self._current.get(part):
                raise NotFound(
                    f"The {part} {self.parts[part]} cannot be used.",
                    hint=f"Check its name, and that {self._current.get('role')} may use it.",
                )
            return f"{self._current[part]} is in use."

        return look

    async def _row(self, statement: str) -> list[str | None]:
        body = {"statement": statement, "timeout": 10, **self.parts}
        response = await self._called("POST", _STATEMENTS, json=body)
        while response.status_code == 202:
            await asyncio.sleep(0.2)
            handle = str(mapping_in(response).get("statementHandle", ""))
            response = await self._called("GET", f"{_STATEMENTS}/{handle}")
        rows = mapping_in(response).get("data")
        if not response.is_success or not rows:
            raise _refusal(response)
        return rows[0]

    async def _called(self, method: str, path: str, **options: Any) -> httpx.Response:
        refuse_in_clear(self._config.address, encrypted=self._config.address.startswith("https:"))
        token, kind = self._login()
        headers = {"Authorization": f"Bearer {token}", "X-Snowflake-Authorization-Token-Type": kind}
        return await call(method, self._config.address, path, headers=headers, **options)

    def _login(self) -> tuple[str, str]:
        if "token" in self._secrets:
            return self._secrets["token"], self._config.token_type
        if "private_key" in self._secrets:
            key, passphrase = self._secrets["private_key"], self._secrets.get("passphrase")
            return signed_login(self._config.account, self._config.user, key, passphrase), "KEYPAIR_JWT"
        raise InvalidInput(
            "There is nothing to log in with.",
            hint="Give private_key or token; Snowflake takes no plain password here.",
        )


def _refusal(response: httpx.Response) -> BoathouseError:
    told = mapping_in(response)
    reason = str(told.get("message") or f"status {response.status_code}")[:500].rstrip(".")
    if response.status_code in {401, 403}:
        return Forbidden(f"The login is refused: {reason}.", hint="Check account, user, and key or token.")
    if response.status_code == 422:
        return NotFound(f"{reason}.", hint="Check role, warehouse and database, and what the role may use.")
    return Unavailable(f"Snowflake does not answer the question: {reason}.", hint="Check account and address.")
