"""A connection as whoever is about to connect gets it: with its secrets, which print as stars."""

from typing import Any

from pydantic import BaseModel, ConfigDict, SecretStr, field_serializer


class GivenConnection(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    config: dict[str, Any]
    secrets: dict[str, SecretStr]

    @field_serializer("secrets", when_used="json")
    def _reveal(self, secrets: dict[str, SecretStr]) -> dict[str, str]:
        return {name: secret.get_secret_value() for name, secret in secrets.items()}

    def in_clear(self) -> dict[str, str]:
        return {name: secret.get_secret_value() for name, secret in self.secrets.items()}
