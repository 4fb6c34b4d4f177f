"""Workspaces and their members."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict, Unpack

from boathouse.client.answers import Answer, Json
from boathouse.client.transport import Transport, place


class Quotas(Answer):
    runs: int
    cores: int
    memory_mb: int


class Workspace(Answer):
    id: str
    name: str
    description: str
    quotas: Quotas
    defaults: Json
    created_at: datetime
    role: str
    """What the caller is in it."""


class Member(Answer):
    name: str
    display_name: str
    role: str


class WorkspaceChange(TypedDict, total=False):
    """What is left out stays as it is."""

    description: str
    quotas: dict[str, int]
    defaults: Json


@dataclass(frozen=True)
class Workspaces:
    transport: Transport

    def all(self) -> Iterator[Workspace]:
        return self.transport.pages("/workspaces", Workspace)

    def get(self, name: str) -> Workspace:
        return self.transport.get(place("workspaces", name), Workspace)

    def create(self, name: str, **more: Unpack[WorkspaceChange]) -> Workspace:
        return self.transport.ask("POST", "/workspaces", Workspace, {"name": name, **more})

    def change(self, name: str, **changes: Unpack[WorkspaceChange]) -> Workspace:
        return self.transport.ask("PATCH", place("workspaces", name), Workspace, changes)

    def delete(self, name: str) -> None:
        self.transport.tell("DELETE", place("workspaces", name))

    def members(self, name: str) -> list[Member]:
        return self.transport.get(place("workspaces", name, "members"), list[Member])

    def set_member(self, name: str, user: str, role: str) -> Member:
        """Make them a member, or give a member another role."""
        return self.transport.ask("PUT", place("workspaces", name, "members", user), Member, {"role": role})

    def remove_member(self, name: str, user: str) -> None:
        self.transport.tell("DELETE", place("workspaces", name, "members", user))
