"""Principals in the store: one entry each, which holds all that is known of them."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from boathouse.catalog.access.client_secrets import Hashing, Remembered, is_secret, new_salt, new_secret
from boathouse.catalog.access.grants import Grant
from boathouse.catalog.access.principal import Principal, is_name, new_principal
from boathouse.catalog.errors import AlreadyExists, CommitContended, NoSuchPrincipal
from boathouse.catalog.store import Absent, Delete, Put, Store, Unchanged

_PREFIX = "principal/"
_PAGE = 500
_ATTEMPTS = 12


@dataclass(frozen=True)
class Issued:
    """A principal and its new secret, which cannot be shown again."""

    principal: Principal
    secret: str


class Principals:
    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._hashing = Hashing()
        self._remembered = Remembered()

    async def create(self, name: str) -> Issued:
        secret, salt = new_secret(), new_salt()
        principal = new_principal(name, await self._hashing.hashed(secret, salt), salt, int(self._clock()))
        if not await self._store.commit([Absent(_key(name))], [Put(_key(name), principal.encoded())]):
            raise AlreadyExists(f"Principal already exists: {name}", hint="Its secret can be replaced by `rotate`.")
        return Issued(principal, secret)

    async def get(self, name: str) -> Principal:
        entry = await self._store.read(_key(name)) if is_name(name) else None
        if entry is None:
            raise NoSuchPrincipal(f"Principal does not exist: {name}")
        return Principal.decoded(entry.value)

    async def all(self) -> list[Principal]:
        found: list[Principal] = []
        after = ""
        while page := await self._store.list(_PREFIX, after=after, limit=_PAGE):
            found += [Principal.decoded(entry.value) for entry in page]
            after = page[-1].key
        return found

    async def rotate(self, name: str, grace: int = 0) -> Issued:
        """A new secret. The one before it stops at once, or after `grace` seconds."""
        secret = new_secret()
        digest = await self._hashing.hashed(secret, (await self.get(name)).salt)
        now = int(self._clock())
        return Issued(await self._change(name, lambda before: before.with_secret(digest, now, grace)), secret)

    async def grant(self, name: str, grant: Grant) -> Principal:
        """Give a grant; one that is held already stays as it is."""
        return await self._change(name, lambda before: replace(before, grants=tuple(sorted({*before.grants, grant}))))

    async def revoke(self, name: str, grant: Grant) -> bool:
        """Take a grant back, and say whether it was held. What it brought along through others stays."""
        held = grant in (await self.get(name)).grants
        await self._change(
            name, lambda before: replace(before, grants=tuple(one for one in before.grants if one != grant))
        )
        return held

    async def delete(self, name: str) -> None:
        await self.get(name)
        await self._store.commit([], [Delete(_key(name))])

    async def authenticate(self, name: str, secret: str, caller: str = "") -> tuple[Principal, int] | None:
        """The principal whose secret this is and the secret's number. Nobody, and a wrong secret, take the same path."""
        if not is_secret(secret):
            return None
        entry = await self._store.read(_key(name)) if is_name(name) else None
        principal = Principal.decoded(entry.value) if entry else _NOBODY
        digest = self._remembered.digest_of(principal.salt, secret)
        if digest is None:
            digest = await self._hashing.hashed(secret, principal.salt, caller)
        found = principal.secret_with(digest, self._clock())
        if found is None or entry is None:
            return None
        self._remembered.keep(principal.salt, secret, digest)
        return principal, found.number

    async def _change(self, name: str, change: Callable[[Principal], Principal]) -> Principal:
        for _ in range(_ATTEMPTS):
            entry = await self._store.read(_key(name))
            if entry is None:
                raise NoSuchPrincipal(f"Principal does not exist: {name}")
            after = change(Principal.decoded(entry.value))
            if await self._store.commit([Unchanged(entry.key, entry.revision)], [Put(entry.key, after.encoded())]):
                return after
        raise CommitContended(f"Cannot change principal {name}: it changed under each attempt. Retry later.")


def _key(name: str) -> str:
    return _PREFIX + name


_NOBODY = new_principal("nobody", "", new_salt(), 0)
