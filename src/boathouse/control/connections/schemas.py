"""Connections as they are told, and as they are given. A secret only ever goes in."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints

from boathouse.control.connections.steps import Tested
from boathouse.control.names import NAME

ConnectionName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,58}[a-z0-9]$"), NAME]
Fields = Annotated[dict[str, Any], Field(max_length=50)]


class FromVariable(BaseModel):
    model_config = ConfigDict(extra="forbid")

    env: str = Field(
        min_length=1,
        max_length=200,
        description="A variable of the server and the workers: BOATHOUSE_SECRET_WORKSPACE__NAME.",
    )


class FromFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    file: str = Field(min_length=1, max_length=500, description="Below the directory of secrets: WORKSPACE/NAME.")


Secret = Annotated[SecretStr, Field(min_length=1, max_length=20_000)] | FromVariable | FromFile


class NewConnection(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: ConnectionName
    kind: str = Field(max_length=30)
    description: str = Field(default="", max_length=2000)
    config: Fields
    secrets: dict[str, Secret] = Field(default_factory=dict, max_length=10)


class ConnectionChange(BaseModel):
    """What is left out stays as it is. A secret that is null is removed."""

    model_config = ConfigDict(extra="forbid")

    description: str | None = Field(default=None, max_length=2000)
    config: Fields | None = None
    secrets: dict[str, Secret | None] | None = Field(default=None, max_length=10)


class SecretKept(BaseModel):
    """Where a secret is, never what it is."""

    kept: Literal["sealed", "variable", "file"]
    place: str | None = None
    """The variable or the file, for those who may name one."""


class LastTest(Tested):
    at: datetime
    by: str


class ConnectionTold(BaseModel):
    id: str
    name: str
    kind: str
    description: str
    config: dict[str, Any]
    secrets: dict[str, SecretKept]
    created_at: datetime
    updated_at: datetime
    updated_by: str | None
    last_test: LastTest | None
    """As it connects now; a change of that forgets it."""


class KindTold(BaseModel):
    """What a form for such a connection needs."""

    name: str
    title: str
    config: dict[str, Any]
    """JSON schema."""
    secrets: dict[str, str]
    harmless: list[str]
    """The fields that may change without the secrets being given anew."""
