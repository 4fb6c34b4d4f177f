"""Users."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict, Unpack

from pydantic import SecretStr

from boathouse.client.answers import Answer, Told
from boathouse.client.transport import Transport, place


class User(Answer):
    id: str
    name: str
    display_name: str
    email: str | None
    is_platform_admin: bool
    must_change_password: bool
    created_at: datetime
    disabled_at: datetime | None
    last_login_at: datetime | None = None
    has_password: bool = True


class CreatedUser(User):
    password: Told | None = None
    """The one that was made for them; it is not told again."""


class NewPassword(Answer):
    password: Told


class UserChange(TypedDict, total=False):
    """What is left out stays as it is."""

    display_name: str
    email: str | None
    is_platform_admin: bool
    disabled: bool


@dataclass(frozen=True)
class Users:
    transport: Transport

    def me(self) -> User:
        return self.transport.get("/me", User)

    def all(self, *, text: str | None = None) -> Iterator[User]:
        """With `text`: those that have it in their name, what they are called, or their address."""
        return self.transport.pages("/users", User, {"text": text})

    def get(self, name: str) -> User:
        return self.transport.get(place("users", name), User)

    def create(
        self,
        name: str,
        *,
        display_name: str = "",
        email: str | None = None,
        password: SecretStr | None = None,
        is_platform_admin: bool = False,
    ) -> CreatedUser:
        """Without a password one is made, and told in the answer."""
        body = {
            "name": name,
            "display_name": display_name,
            "email": email,
            "password": password.get_secret_value() if password else None,
            "is_platform_admin": is_platform_admin,
        }
        return self.transport.ask("POST", "/users", CreatedUser, body)

    def change(self, name: str, **changes: Unpack[UserChange]) -> User:
        return self.transport.ask("PATCH", place("users", name), User, changes)

    def reset_password(self, name: str) -> NewPassword:
        return self.transport.ask("POST", place("users", name, "password"), NewPassword)

    def change_own_password(self, current: SecretStr, new: SecretStr) -> None:
        """Only for who logged in with the password, not for a token."""
        body = {"current": current.get_secret_value(), "new": new.get_secret_value()}
        self.transport.tell("POST", "/me/password", body)
