"""One's own tokens."""

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

    def all(self) -> list[Token]:
        return self.transport.get("/tokens", list[Token])

    def create(self, name: str, *, role: str = "viewer", workspace: str | None = None, days: int = 90) -> CreatedToken:
        """The secret is told in the answer, and never again."""
        body = {"name": name, "role": role, "workspace": workspace, "days": days}
        return self.transport.ask("POST", "/tokens", CreatedToken, body)

    def revoke(self, token_id: str) -> None:
        self.transport.tell("DELETE", place("tokens", token_id))
