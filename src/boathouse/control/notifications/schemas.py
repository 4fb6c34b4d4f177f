"""Notification rules and deliveries as they are told and as they are given."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, EmailStr, Field, StringConstraints

from boathouse.control.names import NAME, told_as
from boathouse.control.notifications.models import Event, Outcome

RuleName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,58}[a-z0-9]$"), NAME]
JobPattern = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9_*?-]{1,60}$"),
    told_as("must be a job's name, in which * stands for any characters and ? for one"),
]
Recipients = Annotated[list[EmailStr], Field(max_length=50, description="Of a mail server only, and needed there.")]
Events = Annotated[list[Event], Field(min_length=1, max_length=len(Event))]
Jobs = Annotated[list[JobPattern], Field(max_length=100, description="Names, or patterns with * and ?. None: all.")]
Description = Annotated[str, Field(max_length=2000)]
ConnectionName = Annotated[str, Field(max_length=60, description="Of the kind webhook, smtp or openlineage.")]


class NewRule(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: RuleName
    description: Description = ""
    connection: ConnectionName
    recipients: Recipients = Field(default_factory=list[str])
    events: Events | None = Field(default=None, description="All that the kind of connection is told, if left out.")
    jobs: Jobs = Field(default_factory=list[str])
    enabled: bool = True


class RuleChange(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    description: Description | None = None
    connection: ConnectionName | None = None
    recipients: Recipients | None = None
    events: Events | None = None
    jobs: Jobs | None = None
    enabled: bool | None = None


class RuleTold(BaseModel):
    id: str
    name: str
    description: str
    connection: str
    kind: str
    """Of the connection."""
    recipients: list[str]
    events: list[Event]
    jobs: list[str]
    enabled: bool
    created_at: datetime
    updated_at: datetime


class DeliveryTold(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    event: Event
    job: str
    run_id: str | None
    state: Outcome
    tries: int
    created_at: datetime
    try_at: datetime
    """When it is next tried, if it waits."""
    ended_at: datetime | None
    answer: str | None
    """What the receiver said to the last try, or what went wrong."""
    body: dict[str, Any]
