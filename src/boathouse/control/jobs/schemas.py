"""Jobs as they are told and as they are given."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from boathouse.control.jobs.parameters import Parameter
from boathouse.control.jobs.schedules import Schedule
from boathouse.control.names import NAME

JobName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,58}[a-z0-9]$"), NAME]


class Crowding(StrEnum):
    QUEUE = "queue"
    """A run waits until there is room."""
    SKIP = "skip"
    """A run is cancelled at once if there is none."""
    REPLACE = "replace"
    """The runs that are under way are stopped first."""


class Concurrency(BaseModel):
    model_config = ConfigDict(extra="forbid")

    most: int = Field(default=1, ge=1, le=1000, description="Runs of this job under way at once.")
    otherwise: Crowding = Crowding.QUEUE


class Retries(BaseModel):
    """How often, and after how long, a run that failed is tried again."""

    model_config = ConfigDict(extra="forbid")

    count: int = Field(default=0, ge=0, le=20)
    delay_seconds: float = Field(default=10, ge=0, le=86_400)
    factor: float = Field(default=2, ge=1, le=10, description="By which the delay grows each time.")
    longest_seconds: float = Field(default=3600, ge=0, le=86_400)

    def delay(self, failures: int) -> float:
        """Before the next try, after so many failures."""
        # A float holds 2 to the 1,023rd, and 10 to the 20th is far below.
        return min(self.delay_seconds * self.factor ** (failures - 1), self.longest_seconds)


class Resources(BaseModel):
    """What a run of it declares, and counts for in the workspace's quotas. It limits nothing that the run uses."""

    model_config = ConfigDict(extra="forbid")

    cores: int = Field(default=1, ge=1, le=10_000)
    memory_mb: int = Field(default=1024, ge=1, le=10_000_000)


class Definition(BaseModel):
    """Everything that makes a version of a job."""

    model_config = ConfigDict(extra="forbid")

    kind: str = Field(max_length=30)
    spec: dict[str, Any] = Field(max_length=100, description="As the kind wants it.")
    description: str = Field(default="", max_length=2000)
    parameters: list[Parameter] = Field(default_factory=list[Parameter], max_length=100)
    schedule: Schedule | None = None
    retries: Retries | None = Field(default=None, description="The workspace's default if left out.")
    timeout_seconds: int | None = Field(default=None, ge=1, le=2_592_000)
    deadline_seconds: int | None = Field(
        default=None,
        ge=1,
        le=2_592_000,
        description="After its scheduled time, or else its start: a run that is not over by then is told of, not stopped.",
    )
    concurrency: Concurrency = Field(default_factory=Concurrency)
    resources: Resources = Field(default_factory=Resources)

    @model_validator(mode="after")
    def _parameters_differ(self) -> Self:
        names = [parameter.name for parameter in self.parameters]
        if len(set(names)) < len(names):
            raise ValueError("two parameters have the same name")
        unset = [parameter.name for parameter in self.parameters if parameter.default is None]
        if self.schedule is not None and unset:
            raise ValueError(f"a job with a schedule needs a default for each parameter, and {unset[0]} has none")
        return self


class NewJob(Definition):
    name: JobName


class JobTold(BaseModel):
    id: str
    name: str
    version: int
    paused: bool
    due_at: datetime | None
    """When its schedule next starts a run."""
    created_at: datetime
    updated_at: datetime
    definition: Definition


class VersionTold(BaseModel):
    number: int
    made_by: str
    made_at: datetime
    definition: Definition


class Applied(BaseModel):
    """What became of a definition that was sent."""

    job: JobTold
    changed: bool
    """False if it was the current one already."""


class Difference(BaseModel):
    path: str
    """Such as `spec.sql` or `retries.count`."""
    before: Any = None
    after: Any = None


class RollBack(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: int = Field(ge=1, lt=2**31)


class JobKindTold(BaseModel):
    name: str
    title: str
    spec: dict[str, Any]
    """JSON schema."""
