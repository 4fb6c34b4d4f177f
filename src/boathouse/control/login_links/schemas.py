"""Login links as they are told, and as they are used."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class LinkWanted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    seconds: int = Field(
        default=60, ge=10, le=600, description="How long it lives: what a browser needs to start, or somebody to read."
    )
    next: str = Field(
        default="/", description="The page it leads to: a path below the server's address, such as `/w/north`."
    )


class LinkTold(BaseModel):
    path: str
    """Below the server's address. The code is behind the #, which a browser sends to nobody; so is the page it leads to, behind the code."""
    expires_at: datetime


class Code(BaseModel):
    model_config = ConfigDict(extra="forbid")

    code: SecretStr = Field(min_length=1, max_length=200)
