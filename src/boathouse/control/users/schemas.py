"""Users as they are told, and what may be said of them. A password only ever goes in."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, EmailStr, Field, SecretStr, StringConstraints

from boathouse.control.names import told_as

Name = Annotated[
    str,
    BeforeValidator(lambda given: given.strip().lower() if isinstance(given, str) else given),
    StringConstraints(pattern=r"^[a-z0-9][a-z0-9._@-]{0,98}[a-z0-9]$"),
    told_as("must be 2 to 100 letters, digits, and . _ @ - between them"),
]


class UserTold(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    display_name: str
    email: str | None
    is_platform_admin: bool
    must_change_password: bool
    created_at: datetime
    disabled_at: datetime | None
    last_login_at: datetime | None
    has_password: bool
    """Not so for who comes by an identity provider alone."""


class NewUser(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name
    display_name: str = Field(default="", max_length=200)
    email: EmailStr | None = None
    password: SecretStr | None = Field(default=None, description="Left out: one is made, and told once.")
    is_platform_admin: bool = False


class CreatedUser(UserTold):
    password: str | None = None
    """The one that was made for them; it is not told again."""


class UserChange(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    display_name: str | None = Field(default=None, max_length=200)
    email: EmailStr | None = None
    is_platform_admin: bool | None = None
    disabled: bool | None = None


class PasswordChange(BaseModel):
    model_config = ConfigDict(extra="forbid")

    current: SecretStr
    new: SecretStr
