"""Logging in."""

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from boathouse.control.users.schemas import UserTold


class Login(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=100)
    password: SecretStr = Field(max_length=200)


class LoggedIn(BaseModel):
    user: UserTold
    csrf: str
    """To be sent back in the header X-Boathouse-CSRF with every change."""
