"""The keys that tokens are signed with. They lie in the store, so every server accepts every server's tokens."""

import secrets
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import orjson

from boathouse.catalog.errors import CommitContended
from boathouse.catalog.store import Entry, Put, Store, as_read

_KEY = "access/signing-keys"
_ATTEMPTS = 12
LONGEST_LIFETIME = 24 * 3600
# Servers look at the keys every second, and their clocks differ a little.
_MARGIN_SECONDS = 300


@dataclass(frozen=True)
class SigningKey:
    id: str
    secret: bytes
    ends: int | None = None
    """When the last token signed with it has expired, if it was replaced."""


class SigningKeys:
    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    async def current(self) -> list[SigningKey]:
        """The keys whose tokens are good, the one that signs first. The first server to ask makes the first key."""
        entry = await self._store.read(_KEY)
        if entry is None:
            return await self._changed(lambda keys: list(keys) or [_new()])
        return self._good(_decoded(entry))

    async def rotate(self, *, at_once: bool = False) -> list[SigningKey]:
        """A new key to sign with. Tokens of those before it stay good until they expire, or end at once."""
        ends = int(self._clock()) + LONGEST_LIFETIME + _MARGIN_SECONDS

        def rotated(keys: Sequence[SigningKey]) -> list[SigningKey]:
            kept = [] if at_once else self._good(keys)
            return [_new(), *(replace(key, ends=key.ends or ends) for key in kept)]

        return await self._changed(rotated)

    def _good(self, keys: Sequence[SigningKey]) -> list[SigningKey]:
        now = self._clock()
        return [key for key in keys if key.ends is None or now < key.ends]

    async def _changed(self, change: Callable[[Sequence[SigningKey]], list[SigningKey]]) -> list[SigningKey]:
        for _ in range(_ATTEMPTS):
            entry = await self._store.read(_KEY)
            keys = change(_decoded(entry) if entry else [])
            if await self._store.commit([as_read(_KEY, entry)], [Put(_KEY, _encoded(keys))]):
                return keys
        raise CommitContended("Cannot change the signing keys: they changed under each attempt. Retry later.")


def _new() -> SigningKey:
    # As long as the digest (RFC 7518 asks for no less).
    return SigningKey(secrets.token_hex(8), secrets.token_bytes(32))


def _encoded(keys: Sequence[SigningKey]) -> bytes:
    return orjson.dumps([{"id": key.id, "key": b64encode(key.secret).decode(), "ends": key.ends} for key in keys])


def _decoded(entry: Entry) -> list[SigningKey]:
    return [SigningKey(one["id"], b64decode(one["key"]), one["ends"]) for one in orjson.loads(entry.value)]
