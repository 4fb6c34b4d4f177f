"""Connections of a workspace."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict, Unpack

from pydantic import SecretStr

from boathouse.client.answers import Answer, Json
from boathouse.client.transport import Transport, place

Secret = SecretStr | dict[str, str]
"""Text to be sealed, or where the server finds it: `{"env": VARIABLE}` or `{"file": PATH}`."""


class Step(Answer):
    name: str
    ok: bool
    message: str
    hint: str | None = None
    milliseconds: int


class Tested(Answer):
    ok: bool
    steps: list[Step]
    skipped: tuple[str, ...] = ()
    """The steps that were left out after one failed."""


class LastTest(Tested):
    at: datetime
    by: str


class SecretKept(Answer):
    kept: str
    place: str | None = None


class Connection(Answer):
    id: str
    name: str
    kind: str
    description: str
    config: Json
    secrets: dict[str, SecretKept]
    created_at: datetime
    updated_at: datetime
    updated_by: str | None = None
    last_test: LastTest | None = None


class Kind(Answer):
    name: str
    title: str
    config: Json
    """JSON schema."""
    secrets: dict[str, str]
    harmless: tuple[str, ...] = ()
    """The fields that may change without the sealed secrets being given anew."""


class ConnectionChange(TypedDict, total=False):
    """What is left out stays as it is. A secret that is None is removed."""

    description: str
    config: Json
    secrets: Mapping[str, Secret | None]


@dataclass(frozen=True)
class Connections:
    transport: Transport

    def kinds(self) -> list[Kind]:
        return self.transport.get("/connection-kinds", list[Kind])

    def all(self, workspace: str) -> Iterator[Connection]:
        return self.transport.pages(_place(workspace), Connection)

    def get(self, workspace: str, name: str) -> Connection:
        return self.transport.get(_place(workspace, name), Connection)

    def create(self, workspace: str, name: str, kind: str, **more: Unpack[ConnectionChange]) -> Connection:
        body = {"name": name, "kind": kind, "config": {}, **_in_clear(more)}
        return self.transport.ask("POST", _place(workspace), Connection, body)

    def change(self, workspace: str, name: str, **changes: Unpack[ConnectionChange]) -> Connection:
        return self.transport.ask("PATCH", _place(workspace, name), Connection, _in_clear(changes))

    def delete(self, workspace: str, name: str) -> None:
        self.transport.tell("DELETE", _place(workspace, name))

    def test(self, workspace: str, name: str, **changes: Unpack[ConnectionChange]) -> Tested:
        """Have the server connect, and say how far it came; with changes, as it would with those."""
        body = _in_clear(changes) if changes else None
        return self.transport.ask("POST", _place(workspace, name, "test"), Tested, body)

    def test_unsaved(self, workspace: str, name: str, kind: str, **more: Unpack[ConnectionChange]) -> Tested:
        """Have the server connect as a connection would that is not made yet."""
        body = {"name": name, "kind": kind, "config": {}, **_in_clear(more)}
        return self.transport.ask("POST", place("workspaces", workspace, "connection-tests"), Tested, body)


def _place(workspace: str, *parts: str) -> str:
    return place("workspaces", workspace, "connections", *parts)


def _in_clear(change: ConnectionChange) -> Json:
    """For the body of a request, which is the one place for it."""
    body: dict[str, Any] = {**change}
    if "secrets" in change:
        body["secrets"] = {
            field: secret.get_secret_value() if isinstance(secret, SecretStr) else secret
            for field, secret in change["secrets"].items()
        }
    return body
