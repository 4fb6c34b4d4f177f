"""Tokens: one's own, and for platform admins those of a user."""

from dataclasses import dataclass
from datetime import datetime

from boathouse.client.answers import Answer, Told
from boathouse.client.transport import Transport, place


class Token(Answer):
    id: str
    name: str
    role: str
    workspace_id: str | None
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None


class CreatedToken(Token):
    secret: Told


@dataclass(frozen=True)
class Tokens:
    transport: Transport

    def all(self, *, user: str | None = None) -> list[Token]:
        return self.transport.get(_place(user), list[Token])

    def create(self, name: str, *, role: str = "viewer", workspace: str | None = None, days: int = 90) -> CreatedToken:
        """The secret is told in the answer, and never again."""
        body = {"name": name, "role": role, "workspace": workspace, "days": days}
        return self.transport.ask("POST", "/tokens", CreatedToken, body)

    def revoke(self, token_id: str, *, user: str | None = None) -> None:
        self.transport.tell("DELETE", _place(user, token_id))


def _place(user: str | None, *parts: str) -> str:
    return place("tokens", *parts) if user is None else place("users", user, "tokens", *parts)
