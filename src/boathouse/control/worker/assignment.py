"""What a worker tells the process that carries out an attempt."""

from typing import Any

from pydantic import BaseModel, Field

from boathouse.control.connections.given import GivenConnection
from boathouse.control.jobs.parameters import Parameter
from boathouse.control.jobs.touched import Touched


class Assignment(BaseModel):
    run_id: str
    attempt: int
    job: str = ""
    """Its name; nothing for a query."""
    workspace: str = ""
    kind: str
    spec: dict[str, Any]
    parameters: list[Parameter]
    values: dict[str, Any]
    scheduled_for: str | None
    results: str
    """Where results lie."""
    result_path: str
    """Where in there this attempt's goes."""
    connections: dict[str, GivenConnection] = Field(default_factory=dict[str, GivenConnection])
    """By name, with their secrets: told over a pipe that nobody else reads, and kept nowhere."""


class Beat(BaseModel):
    """Until when the attempt may go on, by the machine's clock."""

    until: float


class Said(BaseModel):
    """What the process says, one of these at a time."""

    ready: bool = False
    log: tuple[int, str, str] | None = None
    progress: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    report: dict[str, Any] | None = None
    """What was done in figures."""
    touched: Touched | None = None
    """What was read and written, once it has succeeded."""
    ended: bool = False
    error: str | None = None
    """With `ended`: why it failed."""
    code: str | None = None
    """Of that error."""
