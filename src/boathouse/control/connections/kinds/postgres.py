"""Postgres."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import asyncpg
from pydantic import Field

from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.steps import SECONDS, Step, reach
from boathouse.kit.errors import Forbidden, NotFound, Unavailable


class PostgresConfig(Config):
    host: str = Field(min_length=1, max_length=255)
    port: int = Field(default=5432, ge=1, le=65535)
    database: str = Field(min_length=1, max_length=63)
    user: str = Field(min_length=1, max_length=63)
    ssl: Literal["disable", "prefer", "require", "verify-full"] = "prefer"


class Postgres(Kind):
    name = "postgres"
    title = "Postgres"
    config = PostgresConfig
    secrets: ClassVar = {"password": "The user's password."}
    harmless: ClassVar = frozenset({"database", "user"})

    def steps(self, config: PostgresConfig, secrets: Mapping[str, str]) -> list[Step]:
        async def log_in() -> str:
            connection = await _connected(config, secrets.get("password"))
            try:
                version = await connection.fetchval("SHOW server_version")
                level = await connection.fetchval("SHOW wal_level")
            finally:
                await connection.close(timeout=SECONDS)
            return f"{config.user} is logged in to {config.database}: Postgres {version}, wal_level {level}."

        return [*reach(config.host, config.port), Step("log in", log_in)]


async def _connected(config: PostgresConfig, password: str | None) -> asyncpg.Connection:
    try:
        return await asyncpg.connect(
            host=config.host,
            port=config.port,
            user=config.user,
            database=config.database,
            password=password,
            ssl=False if config.ssl == "disable" else config.ssl,
            timeout=SECONDS,
        )
    except (asyncpg.InvalidPasswordError, asyncpg.InvalidAuthorizationSpecificationError) as error:
        raise Forbidden(f"The login is refused: {error}.", hint="Check user and password.") from error
    except asyncpg.InvalidCatalogNameError as error:
        raise NotFound(f"{error}.", hint="Check the database's name.") from error
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        raise Unavailable(f"Postgres does not take the login: {error}.", hint="Look at its log.") from error
