"""A principal's secret: made here, shown once, kept only as a hash.

The secret is random and long, so no guess will find it; scrypt is for the day when a copy of the store is lost. All
secrets of a principal share one salt, so that checking takes one hash however many are good, and one for a principal
who is not there: how long a refusal takes tells nothing.
"""

import asyncio
import re
import secrets
from base64 import b64encode
from collections import Counter
from hashlib import blake2b, scrypt

from boathouse.catalog.errors import TooManyLogins

# 16 MB and a few hundredths of a second each (RFC 7914's parameters for interactive logins).
_COST, _BLOCK, _PARALLEL = 2**14, 8, 1
# Hashing happens on threads; two at a time, so that a flood of wrong secrets takes neither all memory nor all cores.
_AT_ONCE = 2
# At some hundredths of a second each, nobody who waits at all waits longer than a second or two.
_WAITING_EACH = 16
_WAITING = 64
_REMEMBERED = 1000
_FORM = re.compile(r"[A-Za-z0-9_-]{43}")


def new_secret() -> str:
    """256 bits, in characters that need no quoting anywhere."""
    return secrets.token_urlsafe(32)


def is_secret(text: str) -> bool:
    """Whether it may be one of ours: what is not is refused without a hash, whoever it is said to be for."""
    return _FORM.fullmatch(text) is not None


def new_salt() -> str:
    return secrets.token_hex(16)


def hashed(secret: str, salt: str) -> str:
    digest = scrypt(secret.encode(), salt=bytes.fromhex(salt), n=_COST, r=_BLOCK, p=_PARALLEL, dklen=32)
    return b64encode(digest).decode()


class Hashing:
    """Hashes beside the event loop, a few at a time. Those of one caller wait in a line of their own, which is short."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._waiting: Counter[str] = Counter()

    async def hashed(self, secret: str, salt: str, caller: str = "") -> str:
        if self._waiting[caller] >= _WAITING_EACH or self._waiting.total() >= _WAITING:
            raise TooManyLogins("Too many logins are waiting to be checked.", hint="Try again in a second.")
        self._waiting[caller] += 1
        try:
            async with self._turns:
                return await asyncio.to_thread(hashed, secret, salt)
        finally:
            self._waiting[caller] -= 1
            if not self._waiting[caller]:
                del self._waiting[caller]


class Remembered:
    """Secrets that were found right before, so that whoever logs in again need not wait behind those who guess.

    By a keyed hash, whose key is this process's own and is never written anywhere.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._digests: dict[bytes, str] = {}

    def digest_of(self, salt: str, secret: str) -> str | None:
        return self._digests.get(self._mark(salt, secret))

    def keep(self, salt: str, secret: str, digest: str) -> None:
        if len(self._digests) >= _REMEMBERED:
            self._digests.pop(next(iter(self._digests)))
        self._digests[self._mark(salt, secret)] = digest

    def _mark(self, salt: str, secret: str) -> bytes:
        return blake2b(f"{salt}:{secret}".encode(errors="surrogatepass"), key=self._key, digest_size=32).digest()
