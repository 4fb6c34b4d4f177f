"""Jobs of a workspace."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from boathouse.client.answers import Answer, Json
from boathouse.client.transport import Transport, place


class Job(Answer):
    id: str
    name: str
    version: int
    paused: bool
    due_at: datetime | None
    created_at: datetime
    updated_at: datetime
    definition: Json


class Version(Answer):
    number: int
    made_by: str
    made_at: datetime
    definition: Json


class Applied(Answer):
    job: Job
    changed: bool


class Difference(Answer):
    path: str
    before: Any = None
    after: Any = None


class JobKind(Answer):
    name: str
    title: str
    spec: Json
    """JSON schema."""


@dataclass(frozen=True)
class Jobs:
    transport: Transport

    def kinds(self) -> list[JobKind]:
        return self.transport.get("/job-kinds", list[JobKind])

    def all(self, workspace: str) -> Iterator[Job]:
        return self.transport.pages(_place(workspace), Job)

    def get(self, workspace: str, name: str) -> Job:
        return self.transport.get(_place(workspace, name), Job)

    def apply(self, workspace: str, name: str, definition: Mapping[str, Any]) -> Applied:
        """Make the job so. What it is already makes no new version."""
        return self.transport.ask("PUT", _place(workspace, name), Applied, dict(definition))

    def compare(self, workspace: str, name: str, definition: Mapping[str, Any]) -> list[Difference]:
        """What applying the definition would change. Nothing is changed."""
        return self.transport.ask("POST", _place(workspace, name, "compare"), list[Difference], dict(definition))

    def delete(self, workspace: str, name: str) -> None:
        self.transport.tell("DELETE", _place(workspace, name))

    def pause(self, workspace: str, name: str) -> Job:
        return self.transport.ask("POST", _place(workspace, name, "pause"), Job)

    def resume(self, workspace: str, name: str) -> Job:
        return self.transport.ask("POST", _place(workspace, name, "resume"), Job)

    def versions(self, workspace: str, name: str) -> Iterator[Version]:
        """The newest first."""
        return self.transport.pages(_place(workspace, name, "versions"), Version)

    def version(self, workspace: str, name: str, number: int) -> Version:
        return self.transport.get(_place(workspace, name, "versions", str(number)), Version)

    def differences(self, workspace: str, name: str, before: int, after: int) -> list[Difference]:
        query = {"before": before, "after": after}
        return self.transport.get(_place(workspace, name, "diff"), list[Difference], query)

    def roll_back(self, workspace: str, name: str, version: int) -> Applied:
        return self.transport.ask("POST", _place(workspace, name, "roll-back"), Applied, {"version": version})


def _place(workspace: str, *parts: str) -> str:
    return place("workspaces", workspace, "jobs", *parts)
