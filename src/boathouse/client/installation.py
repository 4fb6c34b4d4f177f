"""What the server runs with."""

from dataclasses import dataclass
from datetime import datetime

from boathouse.client.answers import Answer, Json
from boathouse.client.transport import Transport


class DatabaseKept(Answer):
    kind: str
    place: str
    revision: str | None


class InstallationTold(Answer):
    version: str
    python: str
    started_at: datetime
    database: DatabaseKept
    results: str | None
    lake: str | None
    secrets_directory: str | None
    web_application: bool
    oidc: Json | None


@dataclass(frozen=True)
class Installation:
    transport: Transport

    def get(self) -> InstallationTold:
        """For platform admins."""
        return self.transport.get("/installation", InstallationTold)
