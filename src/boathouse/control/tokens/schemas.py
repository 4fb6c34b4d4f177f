"""Tokens as they are told. The secret is told once, when it is made."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from boathouse.control.access.roles import Role


class NewToken(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=100, description="What it is for.")
    role: Role = Field(default=Role.VIEWER, description="The most it may do.")
    workspace: str | None = Field(default=None, description="The only workspace it opens. Left out: all of yours.")
    days: int = Field(
        default=90, ge=1, le=366, description="How long it is good for: at most as long as the token it is made with."
    )


class TokenTold(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    role: Role
    workspace_id: str | None
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None


class CreatedToken(TokenTold):
    secret: str
