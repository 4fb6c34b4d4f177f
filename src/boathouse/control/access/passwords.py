"""Passwords: hashed with argon2, never kept, never logged."""

import asyncio
import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from boathouse.kit.errors import InvalidInput

LEAST_LENGTH = 10
MOST_LENGTH = 200
_HASHER = PasswordHasher()


async def hashed(password: str) -> str:
    return await asyncio.to_thread(_HASHER.hash, password)


async def matches(password: str, kept: str | None) -> bool:
    """Takes the same time whether or not there is a password to compare with."""
    same = await asyncio.to_thread(_same, password, kept or _nobodys())
    return same and kept is not None


def new_password() -> str:
    return secrets.token_urlsafe(15)


def refuse_weak(password: str, user_name: str) -> None:
    if not LEAST_LENGTH <= len(password) <= MOST_LENGTH:
        raise InvalidInput(
            f"The password has {len(password)} characters.", hint=f"Take {LEAST_LENGTH} to {MOST_LENGTH}."
        )
    if password.lower() in {user_name, user_name[::-1]} or len(set(password)) < 5:
        raise InvalidInput(
            "The password is easy to guess.", hint="Take a few words, or let a password manager make one."
        )


@cache
def _nobodys() -> str:
    """Compared with when there is no such user, so that a login takes as long as for one who is there."""
    return _HASHER.hash(secrets.token_urlsafe(16))


def _same(password: str, kept: str) -> bool:
    try:
        return _HASHER.verify(kept, password)
    except (VerifyMismatchError, InvalidHashError):
        return False
