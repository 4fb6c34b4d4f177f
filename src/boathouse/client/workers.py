"""The installation's workers."""

from dataclasses import dataclass
from datetime import datetime

from boathouse.client.answers import Answer
from boathouse.client.transport import Transport


class Worker(Answer):
    id: str
    host: str
    pid: int
    slots: int
    version: str
    started_at: datetime
    seen_at: datetime
    is_silent: bool
    runs: list[str]
    """The ids of those it has now."""


class Told(Answer):
    workers: int
    slots: int
    running: int
    items: list[Worker] | None = None
    """For platform admins."""


@dataclass(frozen=True)
class Workers:
    transport: Transport

    def get(self) -> Told:
        return self.transport.get("/workers", Told)
