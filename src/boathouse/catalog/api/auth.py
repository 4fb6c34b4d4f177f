"""Who is calling. The one place to change when tokens are issued rather than given."""

import hmac
from dataclasses import dataclass
from typing import Protocol

from boathouse.catalog.errors import NotAuthorized


@dataclass(frozen=True)
class Principal:
    name: str


class Authenticator(Protocol):
    def authenticate(self, authorization: str | None) -> Principal:
        """Who an Authorization header speaks for; raises NotAuthorized."""
        ...


class StaticToken:
    """One bearer token, which is given to the server when it starts."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def authenticate(self, authorization: str | None) -> Principal:
        scheme, _, token = (authorization or "").partition(" ")
        # In constant time, so that how long a refusal takes tells nothing about the token.
        if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), self._token):
            raise NotAuthorized("Not authorized: missing or wrong bearer token")
        return Principal("token")


class NoAuthentication:
    """Everybody may: for a catalog that only one person's programs can reach."""

    def authenticate(self, authorization: str | None) -> Principal:
        del authorization
        return Principal("anonymous")
