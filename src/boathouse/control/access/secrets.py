"""Secrets that callers bring, and what is kept of them: a hash, which is enough for something nobody can guess."""

import secrets
from hashlib import sha256

PREFIX = "bh_"


def new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
