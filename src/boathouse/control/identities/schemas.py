"""Ways to log in, as they are told to whoever asks."""

from pydantic import BaseModel


class ProviderTold(BaseModel):
    label: str
    """For the button."""
    start: str
    """Where the button leads; `?next=/…` says where to go afterwards."""


class Ways(BaseModel):
    passwords: bool
    oidc: ProviderTold | None = None
