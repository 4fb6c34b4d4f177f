"""Services as they are told."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel


class ServiceState(StrEnum):
    WELL = "well"
    FAILING = "failing"


class ServiceTold(BaseModel):
    name: str
    title: str
    state: ServiceState
    since: datetime
    """Since when it has been so, as far as this server has seen."""
    asked_at: datetime
    milliseconds: int
    """Until it answered."""
    message: str
    """What it said, or what is wrong."""
    hint: str | None = None
    """What to do about it."""
