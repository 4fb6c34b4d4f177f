"""The services that a server can see."""

from dataclasses import dataclass
from datetime import datetime

from boathouse.client.answers import Answer
from boathouse.client.transport import Transport


class Service(Answer):
    name: str
    title: str
    state: str
    """`well` or `failing`."""
    since: datetime
    asked_at: datetime
    milliseconds: int
    message: str
    hint: str | None


@dataclass(frozen=True)
class Services:
    transport: Transport

    def all(self) -> list[Service]:
        return self.transport.get("/services", list[Service])
