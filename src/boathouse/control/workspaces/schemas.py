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


Runs = Annotated[int, Field(ge=1, le=10_000, description="Runs under way at once.")]
Cores = Annotated[int, Field(ge=1, le=100_000, description="Cores that runs under way may declare together.")]
MemoryMb = Annotated[int, Field(ge=512, le=2**30, description="Memory that they may declare together, in MB.")]
Timeout = Annotated[int, Field(ge=1, le=2_592_000)]
Retries = Annotated[int, Field(ge=0, le=20)]


class Quotas(BaseModel):
    """Cores and memory are counted as jobs declare them in `resources`: nobody measures what a run uses."""

    model_config = ConfigDict(extra="forbid")

    runs: Runs = 10
    cores: Cores = 64
    memory_mb: MemoryMb = 262_144


class QuotasChange(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    runs: Runs | None = None
    cores: Cores | None = None
    memory_mb: MemoryMb | None = None


class Defaults(BaseModel):
    """What jobs take that do not say otherwise."""

    model_config = ConfigDict(extra="forbid")

    timeout_seconds: Timeout | None = None
    retries: Retries = 0


class DefaultsChange(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    timeout_seconds: Timeout | None = Field(default=None, description="Given as null, there is none any more.")
    retries: Retries | None = None


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
    quotas: QuotasChange | None = None
    defaults: DefaultsChange | None = None


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
