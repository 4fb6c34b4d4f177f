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


class Candidate(Answer):
    """Who is no member yet."""

    name: str
    display_name: str


class Groups(Answer):
    """Which groups of the identity provider decide who is a member."""

    decide: bool
    roles: dict[str, str]


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

    def candidates(self, name: str, text: str = "") -> list[Candidate]:
        """Who could become a member, by a part of their name."""
        return self.transport.get(place("workspaces", name, "member-candidates"), list[Candidate], {"text": text})

    def groups(self, name: str) -> Groups:
        return self.transport.get(place("workspaces", name, "groups"), Groups)

    def set_member(self, name: str, user: str, role: str) -> Member:
        """Make them a member, or give a member another role."""
        return self.transport.ask("PUT", place("workspaces", name, "members", user), Member, {"role": role})

    def remove_member(self, name: str, user: str) -> None:
        self.transport.tell("DELETE", place("workspaces", name, "members", user))
