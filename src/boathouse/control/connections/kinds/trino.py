"""Trino, asked by the engine that also runs jobs there."""

from collections.abc import Callable, Mapping
from typing import ClassVar, TypeVar

from pydantic import Field, SecretStr

from boathouse.control.connections.addresses import HttpAddress, reach_address
from boathouse.control.connections.calls import refuse_in_clear
from boathouse.control.connections.elsewhere import elsewhere
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.steps import SECONDS, Step
from boathouse.engines.statements import Statement
from boathouse.engines.trino.access import TrinoAccess
from boathouse.engines.trino.coordinator import Coordinator
from boathouse.engines.trino.query import Query
from boathouse.kit.errors import BoathouseError

Answer = TypeVar("Answer")


class TrinoConfig(Config):
    address: HttpAddress = Field(description="Of the coordinator, such as https://trino.example.org:8443.")
    user: str = Field(min_length=1, max_length=200)
    catalog: str | None = Field(default=None, min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$")


class Trino(Kind):
    name = "trino"
    title = "Trino"
    config = TrinoConfig
    secrets: ClassVar = {"password": "The user's password.", "token": "A JSON web token."}
    harmless: ClassVar = frozenset({"catalog", "user"})

    def steps(self, config: TrinoConfig, secrets: Mapping[str, str]) -> list[Step]:
        questions = _Questions(config, secrets)
        steps = [
            *reach_address(config.address),
            Step("ask its version", questions.version),
            Step("run a statement", questions.select),
        ]
        return [*steps, Step("use the catalog", questions.schemas)] if config.catalog else steps


class _Questions:
    def __init__(self, config: TrinoConfig, secrets: Mapping[str, str]) -> None:
        self._config = config
        self._secrets = secrets

    async def version(self) -> str:
        # That is told to anybody, so nobody is told a secret for it.
        return f"It is Trino {await _asked(TrinoAccess(self._config.address, self._config.user), Coordinator.version)}."

    async def select(self) -> str:
        await self._rows("SELECT 1")
        return f"{self._config.user} may ask questions."

    async def schemas(self) -> str:
        count = await self._rows("SHOW SCHEMAS")
        return f"{self._config.catalog} has {count} schema{'' if count == 1 else 's'} that may be seen."

    async def _rows(self, sql: str) -> int:
        def count(coordinator: Coordinator) -> int:
            with Query(coordinator, Statement(sql)) as query:
                return sum(batch.num_rows for batch in query.batches())

        return await _asked(access_of(self._config, self._secrets), count)


def access_of(config: TrinoConfig, secrets: Mapping[str, str]) -> TrinoAccess:
    """Forbidden if a secret would be sent in clear."""
    if secrets:
        refuse_in_clear(config.address, encrypted=config.address.startswith("https:"))
    hidden = {name: SecretStr(secret) for name, secret in secrets.items()}
    return TrinoAccess(config.address, config.user, config.catalog, hidden.get("password"), hidden.get("token"))


async def _asked(access: TrinoAccess, question: Callable[[Coordinator], Answer]) -> Answer:
    """In a thread, which ends by itself soon after nobody waits for it any more."""

    def ask() -> Answer:
        with Coordinator(access, patience=SECONDS) as coordinator:
            return question(coordinator)

    try:
        return await elsewhere(access.address, ask)
    except BoathouseError as error:
        # Without the statement, which is ours and not what is wrong.
        raise type(error)(str(error).partition("\n")[0], hint=error.hint) from error
