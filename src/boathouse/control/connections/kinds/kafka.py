"""Kafka."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from boathouse.control.connections.elsewhere import elsewhere
from boathouse.control.connections.kinds.kafka_brokers import brokers_told
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.steps import Step, reach
from boathouse.kit.errors import BoathouseError, NotFound, Unavailable

_LAST_PORT = 65535


def _checked(value: str) -> str:
    if not 1 <= int(value.rpartition(":")[2]) <= _LAST_PORT:
        raise ValueError(f"must have a port from 1 to {_LAST_PORT}")
    return value


Server = Annotated[
    str,
    StringConstraints(pattern=r"^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}$", max_length=262),
    AfterValidator(_checked),
]


class KafkaConfig(Config):
    servers: list[Server] = Field(min_length=1, max_length=20, description="To begin with, as HOST:PORT.")
    security: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "SCRAM-SHA-512"
    user: str | None = Field(default=None, min_length=1, max_length=200)
    authority: str | None = Field(default=None, max_length=20_000, description="Certificates to trust, as PEM.")
    topic: str | None = Field(default=None, pattern=r"^[A-Za-z0-9._-]{1,249}$", description="Looked for by the test.")

    @model_validator(mode="after")
    def _says_who(self) -> Self:
        if self.security.startswith("SASL") and self.user is None:
            raise ValueError("with SASL there must be a user")
        return self

    def options(self, secrets: Mapping[str, str]) -> dict[str, Any]:
        """As the client takes them."""
        options: dict[str, Any] = {"bootstrap.servers": ",".join(self.servers), "security.protocol": self.security}
        if self.security.startswith("SASL"):
            options["sasl.mechanism"] = self.mechanism
            options |= {"sasl.username": self.user or "", "sasl.password": secrets.get("password", "")}
        return options | ({"ssl.ca.pem": self.authority} if self.authority else {})


class Kafka(Kind):
    name = "kafka"
    title = "Kafka"
    config = KafkaConfig
    secrets: ClassVar = {"password": "The user's password, for SASL."}
    harmless: ClassVar = frozenset({"topic", "user"})

    def steps(self, config: KafkaConfig, secrets: Mapping[str, str]) -> list[Step]:
        topics: set[str] = set()

        async def reach_one() -> str:
            return await _first_reached(config.servers)

        async def list_brokers() -> str:
            told = await elsewhere(",".join(config.servers), lambda: brokers_told(config.options(secrets)))
            topics.update(told.topics)
            found = ", ".join(told.brokers)
            return f"{len(told.brokers)} broker{'' if len(told.brokers) == 1 else 's'}: {found}."

        async def find_topic() -> str:
            if config.topic not in topics:
                raise NotFound(
                    f"There is no topic {config.topic} that may be seen.", hint="Check its name and the user's rights."
                )
            return f"{config.topic} is there."

        steps = [Step("reach a server", reach_one), Step("list the brokers", list_brokers)]
        return [*steps, Step("find the topic", find_topic)] if config.topic else steps


async def _first_reached(servers: list[str]) -> str:
    """One is enough: it names the others."""
    problems: list[str] = []
    for server in servers:
        host, _, port = server.rpartition(":")
        try:
            told = [await step.take() for step in reach(host.strip("[]"), int(port))]
        except BoathouseError as error:
            problems.append(str(error))
        else:
            return told[-1]
    raise Unavailable(" ".join(problems), hint="Check hosts and ports, and that Kafka may be reached from here.")
