"""Workers as they are told."""

from datetime import datetime

from pydantic import BaseModel


class WorkerTold(BaseModel):
    id: str
    """As it is called in the runs it has."""
    host: str
    pid: int
    slots: int
    version: str
    started_at: datetime
    seen_at: datetime
    is_silent: bool
    """Whether it was not heard of for so long that it is taken for gone."""
    runs: list[str]
    """The ids of those it has now."""


class WorkersTold(BaseModel):
    workers: int
    """That were heard of lately."""
    slots: int
    """Of theirs."""
    running: int
    """Runs under way, with whomever."""
    items: list[WorkerTold] | None = None
    """For platform admins."""
