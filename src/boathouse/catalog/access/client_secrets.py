"""A principal's secret: made here, shown once, kept only as a hash.

The secret is random and long, so no guess will find it; scrypt is for the day when a copy of the store is lost. All
secrets of a principal share one salt, so that checking takes one hash however many are good, and one for a principal
who is not there: how long a refusal takes tells nothing.
"""

import asyncio
import secrets
from base64 import b64encode
from hashlib import scrypt

# 16 MB and a few hundredths of a second each (RFC 7914's parameters for interactive logins).
_COST, _BLOCK, _PARALLEL = 2**14, 8, 1
# Hashing happens on threads; two at a time, so that a flood of wrong secrets takes neither all memory nor all cores.
_AT_ONCE = 2
_LONGEST = 256


def new_secret() -> str:
    """256 bits, in characters that need no quoting anywhere."""
    return secrets.token_urlsafe(32)


def new_salt() -> str:
    return secrets.token_hex(16)


def hashed(secret: str, salt: str) -> str:
    digest = scrypt(secret.encode(), salt=bytes.fromhex(salt), n=_COST, r=_BLOCK, p=_PARALLEL, dklen=32)
    return b64encode(digest).decode()


class Hashing:
    """Hashes beside the event loop, a few at a time."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def hashed(self, secret: str, salt: str) -> str:
        async with self._turns:
            return await asyncio.to_thread(hashed, secret[:_LONGEST], salt)
