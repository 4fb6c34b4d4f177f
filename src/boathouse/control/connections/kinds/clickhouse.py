"""ClickHouse, by its HTTP interface."""

from collections.abc import Mapping
from typing import ClassVar

import httpx
from pydantic import Field

from boathouse.control.connections.addresses import HttpAddress, reach_address
from boathouse.control.connections.calls import call
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.steps import Step
from boathouse.kit.errors import BoathouseError, Forbidden, NotFound, Unavailable

# ClickHouse numbers its errors, and says the number in a header.
_UNKNOWN_DATABASE = "81"
_REFUSED = {"192", "193", "194", "497", "516"}


class ClickHouseConfig(Config):
    address: HttpAddress = Field(description="Of its HTTP interface, such as https://clickhouse.example.org:8443.")
    database: str = Field(default="default", min_length=1, max_length=200)
    user: str = Field(default="default", min_length=1, max_length=200)


class ClickHouse(Kind):
    name = "clickhouse"
    title = "ClickHouse"
    config = ClickHouseConfig
    secrets: ClassVar = {"password": "The user's password."}
    harmless: ClassVar = frozenset({"database", "user"})

    def steps(self, config: ClickHouseConfig, secrets: Mapping[str, str]) -> list[Step]:
        login = {"X-ClickHouse-User": config.user, "X-ClickHouse-Key": secrets.get("password", "")}

        async def ping() -> str:
            response = await call("GET", config.address, "/ping")
            if response.text.strip() != "Ok.":
                raise Unavailable(
                    f"/ping is answered with {response.status_code}.",
                    hint="Is this the HTTP interface? It is on 8123, with TLS on 8443.",
                )
            return "It speaks ClickHouse's HTTP interface."

        async def log_in() -> str:
            version = await _asked(config, login, "SELECT version()")
            return f"{config.user} is logged in: ClickHouse {version}."

        async def use_database() -> str:
            here = {**login, "X-ClickHouse-Database": config.database}
            count = await _asked(config, here, "SELECT count() FROM system.tables WHERE database = currentDatabase()")
            return f"{config.database} has {count} table{'' if count == '1' else 's'} that {config.user} may see."

        first = [*reach_address(config.address), Step("ping it", ping)]
        return [*first, Step("log in", log_in), Step("use the database", use_database)]


async def _asked(config: ClickHouseConfig, headers: Mapping[str, str], query: str) -> str:
    response = await call("POST", config.address, "/", headers=headers, content=query)
    if not response.is_success:
        raise _refusal(response)
    return response.text.strip()


def _refusal(response: httpx.Response) -> BoathouseError:
    number = response.headers.get("X-ClickHouse-Exception-Code", "")
    reason = response.text.strip().partition("\n")[0][:500].rstrip(".") or f"status {response.status_code}"
    if number in _REFUSED or response.status_code in {401, 403}:
        return Forbidden(f"The login is refused: {reason}.", hint="Check user and password, and the user's grants.")
    if number == _UNKNOWN_DATABASE:
        return NotFound(f"{reason}.", hint="Check the database's name.")
    return Unavailable(f"ClickHouse does not answer the question: {reason}.", hint="Look at its log.")
