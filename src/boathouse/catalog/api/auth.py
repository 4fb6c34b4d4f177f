"""Who is calling, and what they may do: as the server was told to find out when it started."""

import hmac
from dataclasses import dataclass
from typing import Protocol

from boathouse.catalog.access.gatekeeper import Gatekeeper
from boathouse.catalog.access.grants import Grants
from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.errors import Forbidden, NotAuthorized


@dataclass(frozen=True)
class Caller:
    name: str
    grants: Grants | None = None
    """None where nothing is granted one by one: whoever got in may do everything."""
    warehouse: str | None = None
    """The only one that the caller's token is good for, if it is good for one only."""

    def allowed(self, privilege: Privilege, securable: Securable) -> bool:
        in_scope = self.warehouse in {None, securable.warehouse}
        return in_scope and (self.grants is None or self.grants.allow(privilege, securable))

    def require(self, privilege: Privilege, securable: Securable) -> None:
        """Refuse what was not granted. Nobody has looked yet whether the thing is there."""
        if self.allowed(privilege, securable):
            return
        if self.warehouse not in {None, securable.warehouse}:
            raise NotAuthorized(f"Not authorized: the token is for warehouse {self.warehouse} only")
        raise Forbidden(f"Principal '{self.name}' lacks the grant '{privilege}' on {securable} (or on what it lies in)")


class Authenticator(Protocol):
    async def authenticate(self, authorization: str | None) -> Caller:
        """Who an Authorization header speaks for; raises NotAuthorized."""
        ...


class StaticToken:
    """One bearer token, which is given to the server when it starts."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        self._caller = Caller("token")

    async def authenticate(self, authorization: str | None) -> Caller:
        # In constant time, so that how long a refusal takes tells nothing about the token.
        if not hmac.compare_digest(_bearer(authorization).encode(), self._token):
            raise NotAuthorized("Not authorized: missing or wrong bearer token")
        return self._caller


class IssuedTokens:
    """Tokens that principals obtained from the catalog itself."""

    def __init__(self, gatekeeper: Gatekeeper) -> None:
        self.gatekeeper = gatekeeper

    async def authenticate(self, authorization: str | None) -> Caller:
        claims, standing = await self.gatekeeper.admit(_bearer(authorization))
        return Caller(claims.name, standing.grants, claims.warehouse)


class NoAuthentication:
    """Everybody may: for a catalog that only one person's programs can reach."""

    async def authenticate(self, authorization: str | None) -> Caller:
        del authorization
        return Caller("anonymous")


def _bearer(authorization: str | None) -> str:
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NotAuthorized("Not authorized: missing or wrong bearer token")
    return token.strip()
