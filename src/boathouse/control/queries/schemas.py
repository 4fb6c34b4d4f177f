"""Queries as they are told and as they are given."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from boathouse.control.connections.schemas import ConnectionName
from boathouse.control.jobs.kinds.sql import ENGINE, ENGINE_OF_CONNECTIONS
from boathouse.control.jobs.parameters import Parameter
from boathouse.control.names import NAME
from boathouse.control.runs.schemas import Key
from boathouse.control.runs.states import State

LONGEST = 500_000
QueryName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,58}[a-z0-9]$"), NAME]
Sql = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST)]


class NewQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sql: Sql
    connection: ConnectionName | None = Field(
        default=None, description="Of the kind trino, to ask there. The lake's own Spark if left out."
    )
    engine: Literal["spark", "trino"] | None = Field(
        default=None, description="Follows from the connection; if it is given, it has to fit."
    )
    parameters: list[Parameter] = Field(
        default_factory=list[Parameter], max_length=100, description="What the `:name`s are, as a job's are."
    )
    values: dict[str, Any] = Field(default_factory=dict, max_length=100, description="Of the parameters.")
    rows: int = Field(default=10_000, ge=0, le=1_000_000, description="How many are kept.")
    timeout_seconds: int = Field(default=3600, ge=1, le=86_400)
    key: Key | None = Field(default=None, description="Asking twice with the same key makes one query.")

    @property
    def asked_of(self) -> str:
        return ENGINE if self.connection is None else ENGINE_OF_CONNECTIONS

    @model_validator(mode="after")
    def _engine_fits(self) -> Self:
        if self.engine not in {None, self.asked_of}:
            through = "through a connection" if self.connection else "without a connection"
            raise ValueError(f"{through} the engine is {self.asked_of}")
        return self


class QueryTold(BaseModel):
    id: str
    sql: str
    engine: str
    connection: str | None
    parameters: list[Parameter]
    values: dict[str, Any]
    asked_at: datetime
    run_id: str
    """Its log, progress and rows are the run's."""
    state: State
    error: str | None
    seconds: float | None
    """From its start to its end."""
    rows: int | None
    bytes: int | None
    """Of the rows that are kept."""
    bytes_read: int | None
    """From tables, as far as the engine said."""


class SavedText(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sql: Sql
    description: str = Field(default="", max_length=2000)
    connection: ConnectionName | None = Field(
        default=None, description="Of the kind trino, to ask there. The lake's own Spark if left out."
    )
    parameters: list[Parameter] = Field(
        default_factory=list[Parameter], max_length=100, description="What the `:name`s are, as a job's are."
    )


class SavedChange(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    name: QueryName | None = Field(default=None, description="Another one that nobody took.")
    description: str | None = Field(default=None, max_length=2000)


class SavedTold(SavedText):
    name: str
    saved_by: str
    created_at: datetime
    updated_at: datetime
