"""Login links as they are told, and as they are used."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class LinkTold(BaseModel):
    path: str
    """Below the server's address. The code is behind the #, which a browser sends to nobody."""
    expires_at: datetime


class Code(BaseModel):
    model_config = ConfigDict(extra="forbid")

    code: SecretStr = Field(min_length=1, max_length=200)
