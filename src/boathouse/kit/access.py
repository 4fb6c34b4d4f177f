"""How a client reaches the running lake: where its parts answer and with which credentials.

The stack writes this once its services are healthy; the command line, pipelines and notebooks read it.
The file is private to its owner, because it holds secrets.
"""

from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError, field_serializer

from boathouse.kit.errors import ConfigurationError, Unavailable
from boathouse.kit.files import write_private

_Part = TypeVar("_Part")


class Access(BaseModel):
    """A part of the lake: frozen, and its secrets print as stars unless they are being saved."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @field_serializer("token", "access_key", "secret_key", "password", when_used="json", check_fields=False)
    def _reveal(self, value: SecretStr) -> str:
        return value.get_secret_value()


class ObjectStoreAccess(Access):
    endpoint: str
    region: str
    bucket: str
    access_key: SecretStr
    secret_key: SecretStr


class CatalogAccess(Access):
    uri: str
    """Without the `/v1`: what every Iceberg client calls `uri`."""
    warehouse: str
    token: SecretStr


class SparkAccess(Access):
    remote: str
    """A Spark Connect address without its token, such as `sc://localhost:15002`."""
    token: SecretStr
    catalog: str
    """The name under which Spark knows the lake's catalog."""
    ui: str | None = None
    """Where its driver tells of jobs and stages, such as `http://127.0.0.1:4040`; None where nobody knows."""


class ControlAccess(Access):
    uri: str
    """Without the `/api/v1`."""
    token: SecretStr


class PostgresAccess(Access):
    host: str
    port: int
    database: str
    user: str
    password: SecretStr
    sslmode: str = "disable"

    def client(self) -> dict[str, Any]:
        """As asyncpg takes it."""
        password = self.password.get_secret_value()
        return {
            "host": self.host,
            "port": self.port,
            "user": self.user,
            "password": password,
            "database": self.database,
            "ssl": self.sslmode,
        }


class KafkaAccess(Access):
    servers: str
    """Where to ask first, such as `127.0.0.1:9092`."""
    user: str
    password: SecretStr

    def client(self) -> dict[str, str | int | float | bool]:
        """As librdkafka's clients take it."""
        return {
            "bootstrap.servers": self.servers,
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "PLAIN",
            "sasl.username": self.user,
            "sasl.password": self.password.get_secret_value(),
        }

    def java_client(self) -> dict[str, str]:
        """How Java's clients log in."""
        module = "org.apache.kafka.common.security.plain.PlainLoginModule"
        login = f'{module} required username="{self.user}" password="{self.password.get_secret_value()}";'
        return {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.jaas.config": login}


class ConnectAccess(Access):
    uri: str
    user: str
    password: SecretStr
    postgres_password: str
    """How a connector names the password of Postgres, which Connect then looks up itself: never the password."""


class ClickHouseAccess(Access):
    uri: str
    """Of its HTTP interface, such as `http://127.0.0.1:8123`."""
    user: str
    password: SecretStr
    database: str


class LakeAccess(Access):
    """Everything a client of the lake needs."""

    object_store: ObjectStoreAccess
    catalog: CatalogAccess
    spark: SparkAccess
    control: ControlAccess | None = None
    """None where the profile has no control plane."""
    postgres: PostgresAccess | None = None
    kafka: KafkaAccess | None = None
    connect: ConnectAccess | None = None
    clickhouse: ClickHouseAccess | None = None

    @classmethod
    def path(cls, home: Path) -> Path:
        return home / "run" / "access.json"

    def save(self, home: Path) -> None:
        write_private(self.path(home), self.model_dump_json(indent=2).encode())

    @classmethod
    def load(cls, home: Path) -> Self:
        path = cls.path(home)
        try:
            return cls.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            raise Unavailable(
                f"The lakehouse in {home} is not running: {path} is not there.",
                hint="Start it with `boathouse up`, or set BOATHOUSE_HOME to the one you mean.",
            ) from None
        except PermissionError:
            raise Unavailable(
                f"The lakehouse in {home} belongs to somebody else: {path} may not be read.",
                hint="Set BOATHOUSE_HOME to a directory of your own and run `boathouse up`.",
            ) from None
        except ValidationError as error:
            raise ConfigurationError(
                f"{path} is damaged: {error.error_count()} of its fields cannot be read.",
                hint="Run `boathouse down` and `boathouse up`; the file is written anew.",
            ) from error


def of_stream(part: _Part | None, name: str) -> _Part:
    """A part that only the profile `stream` has."""
    if part is None:
        raise Unavailable(f"This lakehouse has no {name}.", hint="Start it with `boathouse up --profile stream`.")
    return part
