"""From a token to what its principal may do, without asking the store on every request.

A token that was found good is remembered until it expires. Keys and principals are looked at again once a second: that
is how long a grant, a revocation, a deleted principal or a withdrawn key may take to be felt.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from boathouse.catalog.access.grants import Grants
from boathouse.catalog.access.principal import Principal
from boathouse.catalog.access.principals import Principals
from boathouse.catalog.access.signing_keys import LONGEST_LIFETIME, SigningKey, SigningKeys
from boathouse.catalog.access.tokens import Claims, UnknownKey, issue, verify
from boathouse.catalog.errors import NoSuchPrincipal, NotAuthorized
from boathouse.kit.errors import ConfigurationError

LOOK_AGAIN_SECONDS = 1.0
# A token is some 300 bytes; a client that asks for a new one on every request must not fill the memory.
_TOKENS_REMEMBERED = 10_000


@dataclass(frozen=True)
class Standing:
    """A principal as the store had it at one moment, its grants ready to be asked."""

    principal: Principal
    grants: Grants
    looked: float


@dataclass(frozen=True)
class Entitlement:
    """For whom a token is to be issued, by which of its secrets, and for which warehouse alone if for one."""

    principal: Principal
    secret_number: int
    warehouse: str | None = None


class Gatekeeper:
    def __init__(
        self,
        principals: Principals,
        keys: SigningKeys,
        lifetime: int = 3600,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        if not 1 <= lifetime <= LONGEST_LIFETIME:
            raise ConfigurationError(
                f"Tokens cannot last {lifetime} seconds.", hint=f"Choose from 1 to {LONGEST_LIFETIME}."
            )
        self.principals = principals
        self.lifetime = lifetime
        self._keys = keys
        self._clock = clock
        self._ticks = ticks
        self._known_keys: list[SigningKey] = []
        self._keys_looked = -LOOK_AGAIN_SECONDS
        self._standings: dict[str, Standing] = {}
        self._tokens: dict[str, Claims] = {}

    async def admit(self, token: str) -> tuple[Claims, Standing]:
        """Whom the token speaks for; raises NotAuthorized."""
        await self._look_at_keys()
        claims = self._tokens.get(token)
        if claims is None or self._clock() >= claims.expires:
            self._tokens.pop(token, None)
            claims = await self._claims(token)
            self._remember(token, claims)
        return claims, await self._standing(claims)

    async def renewal(self, token: str) -> Entitlement:
        """What a token may be exchanged for: another like it, as long as the secret it goes back to is good."""
        claims, standing = await self.admit(token)
        return self._renewal(standing.principal, claims)

    async def renewal_for(self, client: Entitlement, token: str) -> Entitlement:
        """The same for a client who has also shown its secret; then the token may have expired."""
        claims = await self._claims(token, expired_too=True)
        if claims.principal_id != client.principal.id:
            raise NotAuthorized("Not authorized: the token is another principal's")
        return Entitlement(client.principal, client.secret_number, claims.warehouse)

    async def issue(self, renewal: Entitlement) -> str:
        await self._look_at_keys()
        now, principal = self._clock(), renewal.principal
        expires = int(now) + self.lifetime
        claims = Claims(principal.name, principal.id, renewal.secret_number, expires, renewal.warehouse)
        return issue(self._known_keys[0], claims, now)

    def _renewal(self, principal: Principal, claims: Claims) -> Entitlement:
        if claims.secret_number not in {secret.number for secret in principal.secrets_at(self._clock())}:
            raise NotAuthorized("Not authorized: the secret that the token goes back to was replaced")
        return Entitlement(principal, claims.secret_number, claims.warehouse)

    async def _claims(self, token: str, *, expired_too: bool = False) -> Claims:
        """What the token says. A key we have not seen may be newer than what we last looked at."""
        await self._look_at_keys()
        try:
            return verify(token, self._known_keys, self._clock, expired_too=expired_too)
        except UnknownKey:
            await self._look_at_keys(again=True)
            return verify(token, self._known_keys, self._clock, expired_too=expired_too)

    async def _look_at_keys(self, *, again: bool = False) -> None:
        if not again and self._ticks() - self._keys_looked < LOOK_AGAIN_SECONDS:
            return
        looked, keys = self._ticks(), await self._keys.current()
        if keys != self._known_keys:
            self._tokens.clear()
        self._known_keys, self._keys_looked = keys, looked

    async def _standing(self, claims: Claims) -> Standing:
        standing = self._standings.get(claims.name)
        if standing is None or self._ticks() - standing.looked >= LOOK_AGAIN_SECONDS:
            standing = await self._look_at(claims.name)
        if standing.principal.id != claims.principal_id:
            raise _gone(claims.name)
        return standing

    async def _look_at(self, name: str) -> Standing:
        looked = self._ticks()
        try:
            principal = await self.principals.get(name)
        except NoSuchPrincipal:
            self._standings.pop(name, None)
            raise _gone(name) from None
        standing = Standing(principal, Grants(principal.grants), looked)
        self._standings[name] = standing
        return standing

    def _remember(self, token: str, claims: Claims) -> None:
        if len(self._tokens) >= _TOKENS_REMEMBERED:
            self._tokens.pop(next(iter(self._tokens)))
        self._tokens[token] = claims


def _gone(name: str) -> NotAuthorized:
    return NotAuthorized(f"Not authorized: principal '{name}' is no longer there")
