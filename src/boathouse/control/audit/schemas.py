"""The audit as it is told."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict


class AuditLine(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    number: int
    at: datetime
    user_id: str | None
    user_name: str | None
    address: str
    action: str
    workspace_id: str | None
    target: str
    result: str
    details: dict[str, Any]
    request_id: str
    previous: str
    hash: str


class Verified(BaseModel):
    holds: bool
    entries_from: int | None = None
    """The first entry at which it does not."""
    reason: str | None = None
    entries: int | None = None
    """How many there are."""
    head: str | None = None
    """The hash of the newest: keep both elsewhere, and give them the next time."""
