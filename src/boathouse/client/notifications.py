"""Notifications of a workspace."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict, Unpack

from boathouse.client.answers import Answer, Json
from boathouse.client.connections import Tested
from boathouse.client.transport import Transport, place


class Notification(Answer):
    id: str
    name: str
    description: str
    connection: str
    kind: str
    """Of the connection."""
    recipients: list[str]
    events: list[str]
    jobs: list[str]
    enabled: bool
    created_at: datetime
    updated_at: datetime


class Delivery(Answer):
    id: str
    event: str
    job: str
    run_id: str | None
    state: str
    tries: int
    created_at: datetime
    try_at: datetime
    ended_at: datetime | None
    answer: str | None
    body: Json


class NotificationChange(TypedDict, total=False):
    """What is left out stays as it is."""

    description: str
    connection: str
    recipients: list[str]
    events: list[str]
    jobs: list[str]
    enabled: bool


@dataclass(frozen=True)
class Notifications:
    transport: Transport

    def all(self, workspace: str) -> Iterator[Notification]:
        return self.transport.pages(_place(workspace), Notification)

    def get(self, workspace: str, name: str) -> Notification:
        return self.transport.get(_place(workspace, name), Notification)

    def create(self, workspace: str, name: str, **wanted: Unpack[NotificationChange]) -> Notification:
        return self.transport.ask("POST", _place(workspace), Notification, {"name": name, **wanted})

    def change(self, workspace: str, name: str, **changes: Unpack[NotificationChange]) -> Notification:
        return self.transport.ask("PATCH", _place(workspace, name), Notification, dict(changes))

    def delete(self, workspace: str, name: str) -> None:
        self.transport.tell("DELETE", _place(workspace, name))

    def test(self, workspace: str, name: str) -> Tested:
        """Have the server send one now, and say how far it came."""
        return self.transport.ask("POST", _place(workspace, name, "test"), Tested)

    def deliveries(self, workspace: str, name: str) -> Iterator[Delivery]:
        """The newest first."""
        return self.transport.pages(_place(workspace, name, "deliveries"), Delivery)


def _place(workspace: str, *parts: str) -> str:
    return place("workspaces", workspace, "notifications", *parts)
