"""Queries as they are told and as they are given."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from boathouse.control.names import NAME
from boathouse.control.runs.states import State

LONGEST = 500_000
QueryName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,58}[a-z0-9]$"), NAME]
Sql = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST)]


class NewQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sql: Sql
    engine: Literal["spark"] = "spark"
    rows: int = Field(default=10_000, ge=0, le=1_000_000, description="How many are kept.")
    timeout_seconds: int = Field(default=3600, ge=1, le=86_400)


class QueryTold(BaseModel):
    id: str
    sql: str
    engine: str
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


class SavedTold(SavedText):
    name: str
    saved_by: str
    created_at: datetime
    updated_at: datetime
