"""Workspaces and members as they are told."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from boathouse.control.access.roles import Role
from boathouse.control.names import told_as

Name = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,58}[a-z0-9]$"),
    told_as("must be 2 to 60 lower-case letters, digits and -, begin with a letter, and not end with -"),
]


class Quotas(BaseModel):
    model_config = ConfigDict(extra="forbid")

    runs: int = Field(default=10, ge=1, le=10_000, description="Runs under way at once.")
    cores: int = Field(default=64, ge=1, le=100_000, description="Cores that Spark may use at once.")
    memory_mb: int = Field(default=262_144, ge=512, description="Memory that Spark may use at once, in MB.")


class Defaults(BaseModel):
    """What jobs take that do not say otherwise."""

    model_config = ConfigDict(extra="forbid")

    timeout_seconds: int | None = Field(default=None, ge=1)
    retries: int = Field(default=0, ge=0, le=20)


class NewWorkspace(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name
    description: str = Field(default="", max_length=2000)
    quotas: Quotas = Field(default_factory=Quotas)
    defaults: Defaults = Field(default_factory=Defaults)


class WorkspaceChange(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    description: str | None = Field(default=None, max_length=2000)
    quotas: Quotas | None = None
    defaults: Defaults | None = None


class WorkspaceTold(BaseModel):
    id: str
    name: str
    description: str
    quotas: Quotas
    defaults: dict[str, Any]
    created_at: datetime
    role: Role
    """What the caller is in it."""


class MemberTold(BaseModel):
    name: str
    display_name: str
    role: Role


class Candidate(BaseModel):
    """Who is no member yet."""

    name: str
    display_name: str


class GroupsTold(BaseModel):
    """Which groups of the identity provider decide who is a member."""

    decide: bool
    """Whether they do: what is changed here by hand lasts until the next login then."""
    roles: dict[str, Role]
    """By group."""


class MemberRole(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: Role
